//! How fast is the factory, and how much memory does it need? Prints what it measures; never fails on speed.
//!
//! `cargo bench --bench factory` times whole runs, from packages to Parquet files, on two threads, and one large
//! world from nothing to all its answers. `cargo bench --bench factory -- memory` makes a million rows and prints
//! the peak memory.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use racgen::campaign::jobs::domains::{Job, run_jobs};
use racgen::campaign::run::{Output, Summary};
use racgen::domain::catalogue::Catalogue;
use racgen::domain::package::Package;
use racgen::factory::settings::Settings;
use racgen::items::progress::Silent;
use racgen::simulate::layout::Layout;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::story::{Simulator, Timepoint};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const THREADS: usize = 2;
const LIMIT: Duration = Duration::from_secs(20);

const DOMAINS: [&str; 3] = ["blocks", "logistics", "dwr"];
/// Runs of the first and of the last complexity: level, depth, rows, and items a second that are aimed at.
const RUNS: [(i32, i32, u64, f64); 2] = [(1, 1, 100_000, 20_000.0), (5, 5, 100_000, 5_000.0)];
/// Groups of questions beyond prediction, rows of each, and items a second that are aimed at; all of one level and depth.
const GROUPS: [(&str, u64, f64); 7] = [
    ("time", 10_000, 2_000.0),
    ("whatif", 10_000, 2_000.0),
    ("unknown", 10_000, 2_000.0),
    ("hidden", 10_000, 2_000.0),
    ("goals", 4_000, 500.0),
    ("plans", 4_000, 500.0),
    ("ever", 3_000, 500.0),
];
const GROUPS_AT: (i32, i32) = (3, 3);
/// Milliseconds that are aimed at for a large world.
const LARGE_WORLD_TARGET: f64 = 100.0;
/// Rows of the run whose peak memory is measured, and the MiB that are aimed at.
const MANY_ROWS: u64 = 1_000_000;
const MEMORY_TARGET: f64 = 1024.0;
/// Worlds that the time of a large one is the median of.
const LARGE_WORLDS: u64 = 15;

fn main() -> Outcome<()> {
    // cargo adds `--bench` to what the user wrote.
    match std::env::args().skip(1).find(|word| !word.starts_with('-')).as_deref() {
        None => {
            throughput()?;
            beyond_prediction()?;
            large_world()
        }
        Some("ask") => beyond_prediction(),
        Some("memory") => memory(),
        Some(other) => {
            Err(format!("there is no measurement `{other}`; write `ask`, `memory` or nothing").into())
        }
    }
}

/// Makes rows into a folder that is deleted afterwards.
fn run(domain: &str, level: i32, depth: i32, items: u64) -> Outcome<Summary> {
    run_with(domain, Settings { levels: vec![level], depths: vec![depth], items, ..Settings::default() })
}

fn run_with(domain: &str, settings: Settings) -> Outcome<Summary> {
    let jobs = [Job::of(domain, domain, settings)];
    let folder = tempfile::tempdir()?;
    let output = Output { threads: THREADS, ..Output::into(&folder.path().join("data")) };
    let catalogue = Catalogue::find(&[])?;
    let stop = AtomicBool::new(false);
    Ok(run_jobs(&catalogue, &jobs, LIMIT, &output, "racgen", &Silent, &stop)?)
}

/// Items a second, and where the time of the threads went.
fn throughput() -> Outcome<()> {
    println!("From packages to Parquet, {THREADS} threads");
    println!("{:26} {:>8} {:>9} {:>9}   share of the threads' time", "", "items", "items/s", "target");
    for (level, depth, items, target) in RUNS {
        for domain in DOMAINS {
            let summary = run(domain, level, depth, items)?;
            let rate = summary.made as f64 / summary.elapsed.as_secs_f64();
            let name = format!("{domain} N{level}/A{depth}");
            let made = summary.made;
            println!("{name:26} {made:>8} {rate:>9.0} {target:>9}   {}", shares(&summary));
        }
    }
    println!();
    Ok(())
}

/// Items a second of each group beyond prediction.
fn beyond_prediction() -> Outcome<()> {
    let (level, depth) = GROUPS_AT;
    println!("Questions beyond prediction, N{level}/A{depth}, from packages to Parquet, {THREADS} threads");
    println!("{:26} {:>8} {:>9} {:>9}   share of the threads' time", "", "items", "items/s", "target");
    for (group, items, target) in GROUPS {
        for domain in DOMAINS {
            let ask = vec![group.to_owned()];
            let settings =
                Settings { levels: vec![level], depths: vec![depth], items, ask, ..Settings::default() };
            let name = format!("{domain} {group}");
            match run_with(domain, settings) {
                Ok(summary) => {
                    let rate = summary.made as f64 / summary.elapsed.as_secs_f64();
                    let made = summary.made;
                    println!("{name:26} {made:>8} {rate:>9.0} {target:>9}   {}", shares(&summary));
                }
                Err(error) => println!("{name:26} {error}"),
            }
        }
    }
    println!();
    Ok(())
}

fn shares(summary: &Summary) -> String {
    let total: Duration = summary.clock.values().sum();
    let share = |time: &Duration| 100.0 * time.as_secs_f64() / total.as_secs_f64().max(1e-9);
    let parts = summary.clock.iter().map(|(stage, time)| format!("{} {:.0} %", stage.name(), share(time)));
    parts.collect::<Vec<_>>().join(", ")
}

/// A world of 20 blocks in four towers, five actions in it, and all questions with their answers: milliseconds.
fn large_world() -> Outcome<()> {
    let package = Package::load("blocks").map_err(|faults| faults.to_string())?;
    let size = [("blocks".to_owned(), 20), ("towers".to_owned(), 4)].into();
    let (mut whole, mut again) = (Vec::new(), Vec::new());
    let mut answers = 0;
    for seed in 0..LARGE_WORLDS {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let start = Instant::now();
        let layout = Layout::sample(&package, 3, &size, &mut rng, LIMIT)?;
        let mut stage = Simulator::new(&package, layout, Sampling::Walk, LIMIT, &mut rng)?;
        let story = stage.tell(5, false, |_| true, 100, &mut rng)?.ok_or("no story was found")?;
        whole.push(start.elapsed());
        answers = story.sheet(Timepoint::Now).map_or(0, |(sheet, _)| sheet.iter().count());
        let start = Instant::now();
        stage.tell(5, false, |_| true, 100, &mut rng)?.ok_or("no story was found")?;
        again.push(start.elapsed());
    }
    println!(
        "20 blocks, four towers, five actions, all questions (about {answers} after the actions), one thread"
    );
    println!("{:26} {:>8.1} ms, target {LARGE_WORLD_TARGET}", "from nothing", median(&mut whole));
    println!("{:26} {:>8.1} ms", "another story of the layout", median(&mut again));
    Ok(())
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn memory() -> Outcome<()> {
    let before = peak();
    let summary = run("dwr", 5, 5, MANY_ROWS)?;
    println!("dwr N5/A5, {} items, {THREADS} threads, {:.0} s", summary.made, summary.elapsed.as_secs_f64());
    match (before, peak()) {
        (Some(before), Some(peak)) => {
            println!("peak memory {peak} MiB, target {MEMORY_TARGET}; {before} MiB before the run");
        }
        _ => println!("peak memory: this system does not tell; run `/usr/bin/time -l` on the command"),
    }
    Ok(())
}

/// The most memory this process had at any time, in MiB, where the system tells (Linux).
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? / 1024)
}
