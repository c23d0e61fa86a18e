//! Steps a second of random play, in lanes of the circuit and on the incremental network, for the games that come with
//! racgen and, where they are at hand, the reference games. Prints one line a game, and the median ratio of the two;
//! `cargo bench --bench games -- WORD` measures games with WORD in their name.

use std::path::Path;
use std::time::{Duration, Instant};

use racgen::games::builtin::own_games;
use racgen::games::gdl::syntax::Game;
use racgen::games::play::ground_game::{GroundGame, Limits, Whole};
use racgen::games::play::moves::play_out;
use racgen::games::play::playouts::Playouts;
use racgen::games::tasks::write_tasks::read_game;

/// How long each game is played.
const TIME: Duration = Duration::from_millis(500);
/// Playouts of lanes between two looks at the clock.
const PLAYOUTS: u64 = 1 << 15;
/// Steps of a playout at most.
const STEPS: u32 = 100;

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
    println!(
        "{:32} {:>10} {:>10} {:>8} {:>8} {:>7} {:>11} {:>7} {:>11} {:>7} {:>6}",
        "game",
        "ground, ms",
        "compile, ms",
        "rules",
        "gates",
        "slots",
        "network/s",
        "length",
        "lanes/s",
        "length",
        "ratio"
    );
    let mut ratios: Vec<f64> = Vec::new();
    for game in games.into_iter().filter(|game| game.name.contains(&word)) {
        let start = Instant::now();
        let arena = GroundGame::new(game, &Limits::default())?;
        let grounding = start.elapsed().as_secs_f64() * 1e3;
        let Some(whole) = &arena.whole else {
            println!("{:32} {grounding:>10.1}  played by clingo step by step", arena.game.name);
            continue;
        };
        let start = Instant::now();
        let playouts = Playouts::new(&arena, whole)?;
        let compiling = start.elapsed().as_secs_f64() * 1e3;
        let (network, length) = on_the_network(&arena, whole);
        let (lanes, in_lanes) = in_lanes(&playouts);
        let (rules, size) = (whole.rules(), playouts.size());
        println!(
            "{:32} {grounding:>10.1} {compiling:>11.1} {rules:>8} {:>8} {:>7} {network:>11.0} {length:>7.1} \
             {lanes:>11.0} {in_lanes:>7.1} {:>6.1}",
            arena.game.name,
            size.gates,
            size.slots,
            lanes / network
        );
        ratios.push(lanes / network);
    }
    ratios.sort_by(f64::total_cmp);
    if let Some(median) = ratios.get(ratios.len() / 2) {
        println!("median ratio of {} games: {median:.1}", ratios.len());
    }
    Ok(())
}

/// Steps a second and a game.
fn on_the_network(arena: &GroundGame, whole: &Whole) -> (f64, f64) {
    let mut board = whole.board();
    let mut rng = racgen::logic::seed::stream(0, &["bench", &arena.game.name]);
    let (mut steps, mut plays) = (0_u64, 0_u64);
    let start = Instant::now();
    while start.elapsed() < TIME {
        board.reset();
        steps += u64::from(play_out(&mut board, arena.roles.len(), STEPS, &mut rng));
        plays += 1;
    }
    (steps as f64 / start.elapsed().as_secs_f64(), steps as f64 / plays as f64)
}

/// Steps a second and a game.
fn in_lanes(playouts: &Playouts) -> (f64, f64) {
    let (mut steps, mut plays) = (0, 0);
    let start = Instant::now();
    while start.elapsed() < TIME {
        let tally = playouts.play(0, plays..plays + PLAYOUTS, STEPS);
        steps += tally.steps;
        plays += tally.playouts;
    }
    (steps as f64 / start.elapsed().as_secs_f64(), steps as f64 / plays as f64)
}
