use racgen::games::*;
use std::time::*;
fn main() {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap();
        let game = match Game::read(&text, &file) {
            Ok(g) => g,
            Err(e) => {
                println!("{e}");
                continue;
            }
        };
        let start = Instant::now();
        let limits = Limits::default();
        let arena = match Arena::new(game, &limits) {
            Ok(a) => a,
            Err(e) => {
                println!("{e}");
                continue;
            }
        };
        print!("{} {:?} {:.2?} {:.2?}", arena.game.name, arena.obstacle, arena.grounding, start.elapsed());
        let Some(whole) = &arena.whole else {
            println!();
            continue;
        };
        let mut board = whole.board();
        let mut rng = racgen::seed::stream(1, &["x"]);
        let begin = Instant::now();
        let mut steps = 0;
        while begin.elapsed() < Duration::from_millis(1000) {
            board.reset();
            steps += play_out(&mut board, arena.roles.len(), 100, &mut rng);
        }
        println!(
            " roles {} loops {}: {:.0} steps/s",
            arena.roles.len(),
            whole.loops(),
            steps as f64 / begin.elapsed().as_secs_f64()
        );
        let begin = Instant::now();
        let mut c = match play(&arena, &Playing::default(), &limits, start, &Default::default()) {
            Ok(c) => c,
            Err(e) => {
                println!("{e}");
                continue;
            }
        };
        print!(
            "   played {:.2?}: {} steps, {} states, {} transitions, {} finished, {} stuck",
            begin.elapsed(),
            c.steps,
            c.situations.len(),
            c.transitions.len(),
            c.finished,
            c.stuck
        );
        let begin = Instant::now();
        match judge_sample(&arena, &mut c, 30, 1) {
            Ok(()) => println!("; judged {} {:.2?}", c.judged, begin.elapsed()),
            Err(e) => println!("; {e}"),
        }
    }
}
