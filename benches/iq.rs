//! Random playouts a second of sampled games, on one thread: the median, and the range; and how long a first estimate of an
//! agent takes. Prints one line a game with `cargo bench --bench iq -- all`. Seconds are those of the processor where the system
//! tells them, so that others who use the machine matter less.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use racgen::games::play::playouts::Playouts;
use racgen::iq::error::IqError;
use racgen::iq::measure::run::{AgentPrograms, MeasuredAgent, Measuring};
use racgen::iq::measure::schedule::{games_after, schedule};
use racgen::iq::play::agents::names::IqAgentName;
use racgen::iq::sample::complexity::TAU0;
use racgen::iq::sample::sampler::{GameChoice, Sampler};

/// Seconds that each game is played.
const TIME: f64 = 0.2;
/// Playouts between two looks at the clock.
const PLAYOUTS: u64 = 1 << 12;
/// Games of the sample.
const GAMES: u64 = 60;

/// Iterations of the usual run.
const ITERATIONS: u32 = 6;
/// T0 of the usual run.
const TICKS: u64 = 1 << 18;

/// The time of this thread.
struct ThreadWatch {
    begun: Instant,
    used: Option<u64>,
}

impl ThreadWatch {
    fn start() -> ThreadWatch {
        ThreadWatch { begun: Instant::now(), used: ThreadWatch::used() }
    }

    /// Nanoseconds of the processor that this thread has had, where Linux tells.
    fn used() -> Option<u64> {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        told.split_whitespace().next()?.parse().ok()
    }

    /// Seconds since the start: of the processor, or else by the clock.
    fn seconds(&self) -> f64 {
        match (self.used, ThreadWatch::used()) {
            (Some(begun), Some(now)) => (now - begun) as f64 / 1e9,
            _ => self.begun.elapsed().as_secs_f64(),
        }
    }
}

/// Prints how long an agent's first estimate takes: after the first iteration, and after those of the usual run.
fn first_estimates() -> Result<(), IqError> {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let Ok(alone) = alone else { return Ok(()) };
    for name in [IqAgentName::Random, IqAgentName::Tabular, IqAgentName::Uct] {
        let measuring = Measuring {
            seed: 0,
            tau0: TAU0,
            budget: TICKS,
            steps: 0,
            pace: 0,
            pace_time: 0,
            iterations: ITERATIONS,
            games: GameChoice::All,
        };
        let (agents, stop) = ([MeasuredAgent::Own(name)], AtomicBool::new(false));
        let seconds = |iterations| {
            alone.install(|| -> Result<f64, IqError> {
                let watch = ThreadWatch::start();
                measuring.rows(&schedule(iterations), &agents, &AgentPrograms::new(1), &stop)?;
                Ok(watch.seconds())
            })
        };
        println!(
            "first estimate of {}: {:.2} s; estimates of {ITERATIONS} iterations, {} games: {:.1} s",
            name.name(),
            seconds(1)?,
            games_after(ITERATIONS - 1),
            seconds(ITERATIONS)?
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let all = std::env::args().any(|argument| argument == "all");
    let sampler = Sampler { seed: 0, tau0: TAU0, games: GameChoice::All };
    let mut rates: Vec<f64> = Vec::new();
    let mut drawing = Vec::new();
    for number in 0..GAMES {
        let watch = ThreadWatch::start();
        let game = sampler.game(number)?;
        drawing.push(watch.seconds() * 1e3);
        let table = &game.table;
        let playouts = Playouts::new(&table.arena, table.whole())?;
        let (mut done, watch) = (0, ThreadWatch::start());
        while watch.seconds() < TIME {
            done += playouts.play(0, done..done + PLAYOUTS, table.grammar.derived.horizon).playouts;
        }
        let rate = done as f64 / watch.seconds();
        if all {
            println!("{:28} tau {:>8.0} {rate:>12.0} playouts/s", table.grammar.derived.kind, game.play.tau);
        }
        rates.push(rate);
    }
    rates.sort_by(f64::total_cmp);
    println!(
        "random playouts a second of {GAMES} sampled games: median {:.0}, from {:.0} to {:.0}; drawing a game: mean {:.1} ms",
        rates[rates.len() / 2],
        rates[0],
        rates[rates.len() - 1],
        drawing.iter().sum::<f64>() / drawing.len() as f64
    );
    first_estimates()?;
    Ok(())
}
