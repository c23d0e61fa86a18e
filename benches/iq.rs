//! Random playouts a second of sampled games, on one thread: the median, and the range. Prints one line a game with
//! `cargo bench --bench iq -- all`.

use std::time::{Duration, Instant};

use racgen::games::play::playouts::Playouts;
use racgen::iq::sample::complexity::TAU0;
use racgen::iq::sample::sampler::{GameChoice, Sampler};

/// How long each game is played.
const TIME: Duration = Duration::from_millis(200);
/// Playouts between two looks at the clock.
const PLAYOUTS: u64 = 1 << 12;
/// Games of the sample.
const GAMES: u64 = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let all = std::env::args().any(|argument| argument == "all");
    let sampler = Sampler { seed: 0, tau0: TAU0, games: GameChoice::All };
    let mut rates: Vec<f64> = Vec::new();
    let mut drawing = Vec::new();
    for number in 0..GAMES {
        let start = Instant::now();
        let game = sampler.game(number)?;
        drawing.push(start.elapsed().as_secs_f64() * 1e3);
        let table = &game.table;
        let playouts = Playouts::new(&table.arena, table.whole())?;
        let (mut done, start) = (0, Instant::now());
        while start.elapsed() < TIME {
            done += playouts.play(0, done..done + PLAYOUTS, table.grammar.derived.horizon).playouts;
        }
        let rate = done as f64 / start.elapsed().as_secs_f64();
        if all {
            println!("{:28} tau {:>8.0} {rate:>12.0} playouts/s", table.grammar.derived.kind, game.play.tau);
        }
        rates.push(rate);
    }
    rates.sort_by(f64::total_cmp);
    drawing.sort_by(f64::total_cmp);
    let median = |sorted: &[f64]| sorted[sorted.len() / 2];
    println!(
        "random playouts a second of {GAMES} sampled games: median {:.0}, from {:.0} to {:.0}; drawing a game: median {:.1} ms",
        median(&rates),
        rates[0],
        rates[rates.len() - 1],
        median(&drawing)
    );
    Ok(())
}
