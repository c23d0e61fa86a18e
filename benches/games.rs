//! Steps a second of random play on the network, for the games that come with racgen and, where they are at hand, the
//! reference games. Prints one line a game; `cargo bench --bench games -- WORD` measures games with WORD in their name.

use std::path::Path;
use std::time::{Duration, Instant};

use racgen::games::builtin::own_games;
use racgen::games::gdl::syntax::Game;
use racgen::games::play::ground_game::{GroundGame, Limits};
use racgen::games::play::traces::play_out;
use racgen::games::tasks::write_tasks::read_game;

/// How long each game is played.
const TIME: Duration = Duration::from_secs(1);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let word = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    let mut games: Vec<Game> = own_games().into_iter().map(|(_, game)| game).collect::<Result<_, _>>()?;
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/reference/iggp/games");
    let mut paths: Vec<_> =
        std::fs::read_dir(reference).into_iter().flatten().flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        let mut game = read_game(&path)?;
        game.name = format!("reference {}", game.name);
        games.push(game);
    }
    println!("{:32} {:>14} {:>14} {:>12}", "game", "grounding, ms", "steps a second", "steps a game");
    for game in games.into_iter().filter(|game| game.name.contains(&word)) {
        let start = Instant::now();
        let arena = GroundGame::new(game, &Limits::default())?;
        let grounding = start.elapsed().as_secs_f64() * 1e3;
        let Some(whole) = &arena.whole else {
            println!("{:32} {grounding:>14.1}  played by clingo step by step", arena.game.name);
            continue;
        };
        let mut board = whole.board();
        let mut rng = racgen::logic::seed::stream(0, &["bench", &arena.game.name]);
        let (mut steps, mut plays) = (0_u64, 0_u64);
        let start = Instant::now();
        while start.elapsed() < TIME {
            board.reset();
            steps += u64::from(play_out(&mut board, arena.roles.len(), 100, &mut rng));
            plays += 1;
        }
        let rate = steps as f64 / start.elapsed().as_secs_f64();
        let length = steps as f64 / plays as f64;
        println!("{:32} {grounding:>14.1} {rate:>14.0} {length:>12.1}", arena.game.name);
    }
    Ok(())
}
