//! Promise: a hostile game ends with a clear sentence within its limits, and finished games stay written.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// What starting and ending processes may take besides the limit.
const MARGIN: Duration = Duration::from_secs(5);

fn racgen(arguments: &[&str], folder: &Path) -> Result<(Output, Duration), std::io::Error> {
    let start = Instant::now();
    let ran = Command::new(env!("CARGO_BIN_EXE_racgen"))
        .arg("games")
        .args(arguments)
        .current_dir(folder)
        .output()?;
    Ok((ran, start.elapsed()))
}

/// Thirteen that are all friends, among people of twelve houses who are friends with all but their own house: there are
/// none, and clingo's join tries 7^12 ways before it is done, without a rule.
fn endless_join(dynamic: bool) -> String {
    const HOUSES: usize = 12;
    let mut text = String::from("(role r) (init (at p0)) (legal r go) (next (at p0)) (goal r 0)\n");
    for (a, b) in (0..7 * HOUSES).flat_map(|a| (0..7 * HOUSES).map(move |b| (a, b))) {
        if a % HOUSES != b % HOUSES {
            text += &format!("(friend p{a} p{b})\n");
        }
    }
    text += "(<= terminal";
    if dynamic {
        text += " (true (at ?v0))";
    }
    for (a, b) in (0..=HOUSES).flat_map(|a| (0..a).map(move |b| (b, a))) {
        text += &format!(" (friend ?v{a} ?v{b})");
    }
    text + ")"
}

#[test]
fn hostile_games_end_within_their_limits() -> Outcome {
    let folder = tempfile::tempdir()?;
    let at = folder.path();
    std::fs::write(at.join("good.kif"), include_str!("../../games/minimal_decay.kif"))?;
    // A rule whose ground instances multiply: 60^7 of them.
    let numbers: String = (0..60).map(|n| format!("(number {n}) ")).collect();
    let conditions: String = ('a'..='g').map(|v| format!("(number ?{v}) ")).collect();
    let exploding = format!(
        "(role r) (init (at 1)) (legal r go) (next (at 1)) (goal r 0) (<= terminal (true (at 2))) {numbers}
         (<= (many ?a ?b ?c ?d ?e ?f ?g) {conditions})"
    );
    std::fs::write(at.join("exploding.kif"), exploding)?;
    std::fs::write(at.join("joining.kif"), endless_join(false))?;
    std::fs::write(at.join("joining_late.kif"), endless_join(true))?;
    let deep = "(".repeat(10 << 20);
    std::fs::write(at.join("deep.kif"), deep)?;
    let endless = "(role r) (init (n z)) (legal r go) (<= (next (n (s ?x))) (true (n ?x)))";
    std::fs::write(at.join("endless.kif"), endless)?;
    std::fs::write(at.join("odd.kif"), "(role r) (<= p (not q)) (<= q (not p)) (legal r go)")?;
    std::fs::write(
        at.join("stuck.kif"),
        "(role r) (init p) (<= (legal r go) (true q)) (<= (next p) (true p))",
    )?;
    let files = ["deep", "exploding", "joining", "joining_late", "odd", "stuck", "endless", "good"];
    for name in files {
        let file = format!("{name}.kif");
        let out = format!("tasks/{name}");
        let arguments =
            [&file, "--out", &out, "--time-limit", "4", "--memory-limit", "300", "--traces", "40"];
        let (ran, took) = racgen(&arguments, at)?;
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        println!(
            "{name}: {took:.1?}: {}{}",
            String::from_utf8_lossy(&ran.stdout).lines().next().unwrap_or(""),
            told.trim()
        );
        assert!(took < Duration::from_secs(4) + MARGIN, "{name} took {took:?}");
        let finished = matches!(name, "good" | "stuck" | "endless");
        // An endless game of growing terms may be played to the step limit, or end at a limit of its own.
        assert!(ran.status.success() == finished || name == "endless", "{name}: {told}");
        if !ran.status.success() {
            assert!(
                told.starts_with("racgen: ") && told.contains(&file) && told.trim().lines().count() <= 3,
                "{told}"
            );
            assert!(!at.join(format!("{out}/{name}.json")).exists());
        }
    }
    for file in ["good/good.json", "good/good_next_train.dat", "good/manifest.json", "stuck/stuck.json"] {
        assert!(at.join("tasks").join(file).exists(), "{file}");
    }
    // Games that fail leave no folder.
    assert!(!at.join("tasks/deep").exists() && !at.join("tasks/joining").exists());
    for name in ["good", "stuck"] {
        let left = std::fs::read_dir(at.join("tasks").join(name))?
            .flatten()
            .filter(|e| e.path().extension().is_some_and(|x| x == "partial"));
        assert_eq!(left.count(), 0);
    }
    // The other commands, too.
    for command in ["check", "types"] {
        let (ran, took) =
            racgen(&[command, "joining.kif", "--time-limit", "2", "--memory-limit", "300"], at)?;
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        // A check tells of the form what it can.
        let checked = String::from_utf8_lossy(&ran.stdout).into_owned();
        let said = match command {
            "check" => {
                ran.status.success() && checked.contains("not tried") && checked.contains("--time-limit")
            }
            _ => !ran.status.success() && told.contains("--time-limit"),
        };
        assert!(took < Duration::from_secs(2) + MARGIN && said, "{told}{checked}");
    }
    Ok(())
}

#[test]
fn a_hostile_learned_program_ends_within_its_limits() -> Outcome {
    let folder = tempfile::tempdir()?;
    let at = folder.path();
    std::fs::write(at.join("good.kif"), include_str!("../../games/minimal_decay.kif"))?;
    assert!(racgen(&["good.kif", "--out", "tasks"], at)?.0.status.success());
    let game = endless_join(false);
    let facts = game.lines().filter(|l| l.starts_with("(friend")).map(|l| {
        let words: Vec<&str> = l.trim_matches(['(', ')']).split(' ').collect();
        format!("friend({},{}).\n", words[1], words[2])
    });
    let pairs = (0..=12).flat_map(|a| (0..a).map(move |b| format!("friend(V{b},V{a})")));
    let rule = format!("next_level(1) :- {}.\n", pairs.collect::<Vec<_>>().join(", "));
    std::fs::write(at.join("learned.lp"), facts.collect::<String>() + &rule)?;
    let arguments = ["score", "learned.lp", "tasks/good_next_test.dat", "--time-limit", "2"];
    let (ran, took) = racgen(&arguments, at)?;
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(took < Duration::from_secs(2) + MARGIN && told.contains("--time-limit"), "{told}");
    Ok(())
}

#[test]
fn one_hostile_game_does_not_cost_the_others() -> Outcome {
    let folder = tempfile::tempdir()?;
    let at = folder.path();
    std::fs::write(at.join("good.kif"), include_str!("../../games/minimal_decay.kif"))?;
    std::fs::write(at.join("joining.kif"), endless_join(false))?;
    let limits = ["--time-limit", "2", "--memory-limit", "300"];
    let (ran, _) = racgen(&[&["good.kif", "joining.kif", "--out", "tasks"], &limits[..]].concat(), at)?;
    assert!(!ran.status.success() && at.join("tasks/good.json").exists());
    let arguments =
        ["items", "joining.kif", "good.kif", "--out", "items", "--items", "20", "--format", "jsonl"];
    let (ran, _) = racgen(&[&arguments, &limits[..]].concat(), at)?;
    assert!(!ran.status.success() && at.join("items/manifest.json").exists());
    Ok(())
}

#[test]
fn check_prints_the_columns_of_figure_5() -> Outcome {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (list, _) = racgen(&["list"], folder)?;
    let list = String::from_utf8(list.stdout)?;
    let head = list.lines().next().unwrap_or_default();
    assert_eq!(
        head.split_whitespace().collect::<Vec<_>>(),
        ["game", "rules", "literals", "dimensions", "players"]
    );
    assert_eq!(list.lines().count(), 19);
    // Where folders are called as the games are.
    let elsewhere = tempfile::tempdir()?;
    for line in list.lines().skip(1) {
        let name = line.split_whitespace().next().unwrap_or_default();
        let (ran, _) = racgen(&["check", &format!("games/{name}.kif")], folder)?;
        let text = String::from_utf8(ran.stdout)?;
        std::fs::create_dir(elsewhere.path().join(name))?;
        assert!(text.contains(head) && text.lines().any(|l| l == line), "{text}");
        // A game that comes with racgen needs no path.
        let (by_name, _) = racgen(&["check", name], elsewhere.path())?;
        assert_eq!(String::from_utf8(by_name.stdout)?, text, "{}", String::from_utf8_lossy(&by_name.stderr));
    }
    let line = |name: &str| {
        list.lines().find(|l| l.starts_with(name)).map(|l| l[24..].split_whitespace().collect::<Vec<_>>())
    };
    // Two-dimensional boards for two, no board for one.
    assert_eq!(line("tic_tac_toe ").map(|l| l[2..].to_vec()), Some(vec!["2", "2"]));
    assert_eq!(line("minimal_decay ").map(|l| l[2..].to_vec()), Some(vec!["0", "1"]));
    Ok(())
}

/// The children of a process.
fn children(process: u32) -> Vec<u32> {
    let text =
        std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|n| n.parse().ok()).collect()
}

fn waits_for(what: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < MARGIN {
        if what() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn no_child_outlives_its_parent() -> Outcome {
    if !Path::new("/proc/self/task").exists() || Command::new("kill").arg("-l").output().is_err() {
        crate::skipped::skip("no_child_outlives_its_parent", "/proc, or no kill");
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let at = folder.path();
    std::fs::write(at.join("good.kif"), include_str!("../../games/minimal_decay.kif"))?;
    std::fs::write(at.join("joining.kif"), endless_join(true))?;
    for (signal, code) in [("-INT", Some(130)), ("-KILL", None)] {
        let out = format!("tasks{signal}");
        let parent = Command::new(env!("CARGO_BIN_EXE_racgen"))
            .args(["games", "good.kif", "joining.kif", "--out", &out])
            .current_dir(at)
            .stderr(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .spawn()?;
        // The first game is finished, and the second is being joined.
        let joining = || at.join(&out).join("good.json").exists() && !children(parent.id()).is_empty();
        assert!(waits_for(joining));
        std::thread::sleep(Duration::from_millis(500));
        let child = children(parent.id());
        assert!(!child.is_empty());
        Command::new("kill").args([signal, &parent.id().to_string()]).status()?;
        let start = Instant::now();
        let ended = parent.wait_with_output()?;
        assert!(start.elapsed() < MARGIN);
        assert_eq!(ended.status.code(), code);
        if code.is_some() {
            let told = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert!(told.contains("interrupted; nothing half-written was left behind"), "{told}");
        }
        // Where nobody waits for an ended process, its state is Z.
        let gone = |id: &u32| match std::fs::read_to_string(format!("/proc/{id}/stat")) {
            Ok(text) => text.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')),
            Err(_) => true,
        };
        assert!(waits_for(|| child.iter().all(gone)), "{signal}: a child lives on");
        assert!(at.join(&out).join("good_next_train.dat").exists());
    }
    Ok(())
}
