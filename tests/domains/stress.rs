//! Many threads at once do not disturb the solver: ten processes of eight threads each, which all ground, search and
//! judge at the same time, neither crash nor answer otherwise than a single thread does.
//!
//! clingo 5.6 interns symbols with a race (potassco/clingo issue 641). Without the gate around it, such processes
//! crashed in 1 of 6 to 4 of 20 runs.

use std::collections::BTreeMap;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use racgen::simulate::layout::Layout;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::story::{Simulator, Timepoint};

const PROCESSES: usize = 10;
const THREADS: usize = 8;
/// Stages that each process sets up.
const TASKS: usize = 20;
/// Says to the test binary that it is such a process, and how many threads it has.
const THREADS_VARIABLE: &str = "RACGEN_STRESS_THREADS";

/// Sets up one stage, tells and judges some stories there, and puts what came of it into words.
fn task(number: usize, domains: &[String]) -> String {
    let package = crate::common::package(&domains[number % domains.len()]);
    let mut rng = crate::common::rng(number as u64);
    let level = 1 + (number / domains.len()) as i32 % 2;
    let layout = Layout::sample(&package, level, &BTreeMap::new(), &mut rng, crate::common::LIMIT).unwrap();
    let mut stage = Simulator::new(&package, layout, Sampling::Walk, crate::common::LIMIT, &mut rng).unwrap();
    let mut text = format!("task {number}:");
    for _ in 0..3 {
        let story = stage.tell(3, false, |_| true, 100, &mut rng).unwrap().unwrap();
        stage.judge(&story).unwrap();
        let answers =
            story.sheet(Timepoint::Now).unwrap().0.iter().map(|answer| answer * answer).sum::<usize>();
        let plan: Vec<String> = story.plan.iter().map(|a| stage.engine.actions[*a].to_string()).collect();
        text += &format!(" {} {} {answers};", story.world, plan.join(" "));
    }
    text
}

/// What a process of this test does; as a test of its own it does nothing.
#[test]
fn process() {
    let Ok(threads) = std::env::var(THREADS_VARIABLE) else { return };
    let domains = crate::common::domains();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut told = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= TASKS {
                return told;
            }
            told.push((number, task(number, &domains)));
        }
    };
    let mut told: Vec<(usize, String)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.parse().unwrap()).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    told.sort();
    // A line of its own, whatever the test harness printed before.
    println!();
    told.iter().for_each(|(_, text)| println!("{text}"));
}

/// Runs this binary as such a process.
fn run(threads: usize) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "stress::process", "--nocapture", "--test-threads", "1"])
        .env(THREADS_VARIABLE, threads.to_string())
        .output()
        .unwrap()
}

fn told(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter(|line| line.starts_with("task ")).map(str::to_owned).collect()
}

#[test]
fn eight_threads_answer_as_one_does() {
    if std::env::var(THREADS_VARIABLE).is_ok() {
        return;
    }
    let start = Instant::now();
    let alone = run(1);
    assert!(alone.status.success(), "{}", String::from_utf8_lossy(&alone.stderr));
    let expected = told(&alone);
    assert_eq!(expected.len(), TASKS);
    println!("one thread: {:.1} s", start.elapsed().as_secs_f64());
    for number in 0..PROCESSES {
        let output = run(THREADS);
        assert!(
            output.status.success(),
            "process {number} ended with {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(told(&output), expected, "process {number} answers otherwise");
    }
    println!("all: {:.1} s", start.elapsed().as_secs_f64());
}
