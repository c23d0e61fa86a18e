//! Programs whose grounding does not end are stopped in time, by what they take of time or memory, and the rule is named.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use racgen::domain::scaffold::write_new;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// What a busy machine takes besides.
const MARGIN: Duration = Duration::from_secs(20);

fn racgen(arguments: &[&str], at: &Path) -> std::io::Result<(Output, Duration)> {
    let start = Instant::now();
    let ran = Command::new(env!("CARGO_BIN_EXE_racgen")).args(arguments).current_dir(at).output()?;
    Ok((ran, start.elapsed()))
}

#[test]
fn endless_groundings_are_stopped() -> Outcome {
    let endless = [
        ("functions", "p(1).\np(f(X)) :- p(X).", Some("p/1")),
        ("numbers", "p(1).\np(X+1) :- p(X).", Some("p/1")),
        ("product", "d(1..40).\nq(A,B,C,D,E,F,G) :- d(A), d(B), d(C), d(D), d(E), d(F), d(G).", Some("q/7")),
        // A join without a result: clingo cannot be stopped, so the process ends.
        ("join", "d(1..60).\nq :- d(A), d(B), d(C), d(D), d(E), d(F), d(G), A*B*C*D*E*F*G < 0.", None),
    ];
    let limits = ["--time-limit 2", "--time-limit 600 --memory-limit 200"];
    let folder = tempfile::tempdir()?;
    let at = folder.path();
    for (name, rules, predicate) in endless {
        let package = write_new(name, at)?;
        let domain = package.join("domain.lp");
        let text = std::fs::read_to_string(&domain)?;
        let line = text.lines().count() + 2;
        std::fs::write(&domain, format!("{text}{rules}\n"))?;
        // What takes no memory is stopped by time alone.
        for limit in &limits[..if predicate.is_some() { 2 } else { 1 }] {
            let words = |command: &str| -> Vec<String> {
                format!("{command} {limit}").split(' ').map(str::to_owned).collect()
            };
            for command in
                [format!("check {name}"), format!("--domain {name} --domain-dir . -n 10 --out made_{name}")]
            {
                let words = words(&command);
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let (ran, took) = racgen(&words, at)?;
                let told = String::from_utf8_lossy(&ran.stderr);
                println!("{command} {limit}: {took:.1?}: {}", told.trim());
                // A process that dies of a signal has no code.
                assert!(
                    matches!(ran.status.code(), Some(1 | 2)),
                    "{command} {limit}: {:?}: {told}",
                    ran.status
                );
                assert!(took < Duration::from_secs(2) + MARGIN, "{command} {limit}: {took:?}");
                let flag = limit.rsplit(' ').nth(1).unwrap_or_default();
                assert!(told.contains(flag) && told.trim().lines().count() == 1, "{command} {limit}: {told}");
                if let Some(predicate) = predicate {
                    let place = format!("{name}/domain.lp:{line}: grounding takes more than");
                    assert!(told.contains(predicate), "{command} {limit}: {told}");
                    assert!(told.contains(&place), "{command} {limit}: {told}");
                }
            }
        }
        assert!(!at.join(format!("made_{name}/manifest.json")).exists());
    }
    Ok(())
}
