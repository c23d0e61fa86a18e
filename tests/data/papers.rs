//! Promise: every command that the papers for users show does its work, run in the order in which it stands there, in one
//! folder a paper. What is not run, or run smaller, is listed here with the reason.
//!
//! `cargo test --test data -- --ignored every_command_in_full` runs the long ones as they stand.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use rayon::prelude::*;

use crate::readme::{Paper, files_shown, papers, root};

/// Commands that no test runs, by their beginnings, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("make demo", "it installs what the machine lacks, from the network, and builds"),
    ("make test", "it is this test, with all others"),
    ("python examples/ready_models.py", "it fetches a model; the tests of training run it with a tiny one"),
    ("lm_eval run", "it fetches a model; the tasks are tested where they are made"),
    ("cargo install", "it builds all of racgen anew, and puts it among the user's programs"),
];

/// Commands that take minutes where tests run, why, and what is run in their stead.
const LONG: &[(&str, &str, &str)] = &[
    (
        "racgen --domain blocks,logistics --level 1-5 --depth 1-3 --items 100000 --out worlds",
        "200,000 items",
        "racgen --domain blocks,logistics --level 1-5 --depth 1-3 --items 1500 --out worlds",
    ),
    (
        "racgen suite paper --scale 0.01",
        "forty data sets with 50,000 items",
        "racgen suite paper --scale 0.0005",
    ),
    (
        "racgen suite transfer --domains 1,4,16,64,256 --held-out 32 --items 20000",
        "120,000 items of 288 domains",
        "racgen suite transfer --domains 1,2 --held-out 2 --items 40",
    ),
    (
        "racgen --domain dwr --items 1000000 --out big --shard 1/2",
        "half a million items",
        "racgen --domain dwr --items 1000 --out big --shard 1/2",
    ),
    (
        "racgen --domain dwr --items 1000000 --out big --shard 2/2",
        "half a million items",
        "racgen --domain dwr --items 1000 --out big --shard 2/2",
    ),
];

/// What the second of two machines wrote is copied beside the first one's.
const SHARDS: &str = "racgen join big";

/// Runs racgen in a folder.
fn racgen(command: &str, folder: &Path) -> Result<(), String> {
    let words = command.split_whitespace().skip(1);
    let ran = Command::new(env!("CARGO_BIN_EXE_racgen")).args(words).current_dir(folder).output().unwrap();
    if ran.status.success() {
        return Ok(());
    }
    let said = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    let end: Vec<&str> = said.lines().rev().take(8).collect();
    Err(format!("{}\n  {}", ran.status, end.into_iter().rev().collect::<Vec<_>>().join("\n  ")))
}

fn succeed(command: &str, folder: &Path) {
    racgen(command, folder).unwrap_or_else(|fault| panic!("`{command}`: {fault}"));
}

/// The answers of a data set's test split, as predictions.
fn predictions(data: &Path) -> String {
    let rows = racgen::data::read::rows::rows(data).unwrap().map(Result::unwrap);
    let tests = rows.filter(|row| &*row.split == "test");
    let lines =
        tests.map(|row| serde_json::json!({ "id": row.id, "prediction": row.answer }).to_string() + "\n");
    lines.collect()
}

/// A CSV file of other people: questions and answers under names of their own.
fn others(data: &Path) -> String {
    let rows = racgen::data::read::rows::rows(data).unwrap().map(Result::unwrap);
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let line = |cells: [&str; 3]| cells.map(quoted).join(",") + "\n";
    let lines = rows.map(|row| line([&row.context, &row.question, &row.answer]));
    line(["their story", "their column", "their answer"]) + &lines.collect::<String>()
}

/// Puts a text where the reader would have one, unless a command put it there.
fn supply(folder: &Path, name: &str, text: impl FnOnce() -> String) {
    let path = folder.join(name);
    if !path.exists() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text()).unwrap();
    }
}

/// Lays out what a command names and a reader would bring along: data made before, predictions, a game, learned rules.
fn bring(command: &str, folder: &Path) {
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let words: BTreeSet<&str> = command.split([' ', '=']).collect();
    let made = !words.contains("--domain");
    if made && words.iter().any(|word| word.starts_with("data/dwr")) && !folder.join("data/dwr").exists() {
        succeed("racgen --domain dwr --depth 5", folder);
    }
    for word in words {
        match word {
            "data/old" => succeed("racgen --domain dwr --level 2 --depth 5 --out data/old", folder),
            "predictions.jsonl" => supply(folder, word, || predictions(&folder.join("data/dwr"))),
            "theirs.csv" => supply(folder, word, || others(&folder.join("data/dwr"))),
            "map.toml" => supply(folder, word, || {
                "context = \"their story\"\nquestion = \"their column\"\nanswer = \"their answer\"\n".into()
            }),
            "my_game.kif" => {
                supply(folder, word, || fs::read_to_string(root().join("games/tic_tac_toe.kif")).unwrap())
            }
            "learned.pl" => supply(folder, word, || read("tasks/my_game.reference.pl")),
            "mine.txt" | "foil.pl" => supply(folder, word, || read("rdg/rules.txt")),
            "foil" | "amie" => learner(folder, word),
            _ => {}
        }
    }
}

/// A folder with what a learner made of each data set in `v0`: the rules themselves.
fn learner(folder: &Path, name: &str) {
    for entry in fs::read_dir(folder.join("v0")).unwrap().map(Result::unwrap) {
        let set = entry.file_name().to_string_lossy().into_owned();
        if let Ok(rules) = fs::read_to_string(entry.path().join("rules.txt")) {
            supply(folder, &format!("{name}/{set}.txt"), || rules);
        }
    }
}

/// What is wrong with the commands of a paper, run one after the other.
fn faults(paper: &Paper, in_full: bool) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files_shown(&paper.text) {
        supply(folder.path(), path, || text);
    }
    let mut faults = Vec::new();
    for shown in paper.shown() {
        if NOT_RUN.iter().any(|(start, _)| shown.starts_with(start)) {
            continue;
        }
        let long = LONG.iter().find(|(long, ..)| *long == shown && !in_full);
        let command = long.map_or(shown.as_str(), |(_, _, instead)| instead);
        if !command.starts_with("racgen ") {
            faults.push(format!("{}: `{command}` is no command of racgen; list it in NOT_RUN", paper.name));
            continue;
        }
        bring(command, folder.path());
        let start = std::time::Instant::now();
        // The second shard completed the folder, for both were made in one.
        let ended = if command == SHARDS { joined(folder.path()) } else { racgen(command, folder.path()) };
        println!("{:6.1} s: {}: {command}", start.elapsed().as_secs_f64(), paper.name);
        faults.extend(ended.err().map(|fault| format!("{}: `{command}`: {fault}", paper.name)));
    }
    faults
}

/// Makes the shards of `big` anew, each in a folder of its own, copies one into the other, and joins them.
fn joined(folder: &Path) -> Result<(), String> {
    let shard = |place: &str| {
        let make = LONG.iter().find(|(long, ..)| long.ends_with(place)).expect("a shard").2;
        let apart = folder.join("machines").join(place.replace('/', "_"));
        fs::create_dir_all(&apart).unwrap();
        racgen(make, &apart).map(|()| apart.join("big"))
    };
    let (first, second) = (shard("1/2")?, shard("2/2")?);
    for (name, path) in crate::common::files::paths(&second) {
        let to = first.join(name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(path, to).unwrap();
    }
    racgen(SHARDS, first.parent().unwrap())
}

fn run_all(in_full: bool) {
    let faults: Vec<String> = papers().par_iter().flat_map_iter(|paper| faults(paper, in_full)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_command_shown_does_its_work() {
    run_all(false);
}

#[test]
#[ignore = "takes many minutes: two million items and more"]
fn every_command_in_full() {
    run_all(true);
}

#[test]
fn the_exceptions_are_commands_that_are_shown() {
    let shown: Vec<String> = papers().iter().flat_map(Paper::shown).collect();
    for (start, reason) in NOT_RUN {
        assert!(shown.iter().any(|command| command.starts_with(start)), "no paper shows `{start}`");
        assert!(!reason.is_empty());
    }
    for (long, reason, instead) in LONG {
        assert!(shown.iter().any(|command| command == long), "no paper shows `{long}`");
        // Only numbers are others.
        let (long, instead): (Vec<&str>, Vec<&str>) =
            (long.split(' ').collect(), instead.split(' ').collect());
        let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit() || ",.-/".contains(c));
        let mut others = long.iter().zip(&instead).filter(|(a, b)| a != b).peekable();
        assert!(long.len() == instead.len() && others.peek().is_some() && !reason.is_empty(), "{instead:?}");
        assert!(others.all(|(a, b)| is_number(a) && is_number(b)), "{instead:?}");
    }
    for paper in papers() {
        let fences = paper.text.lines().filter_map(|line| line.strip_prefix("```"));
        let other = fences.filter(|language| ["console", "bash", "shell"].contains(language)).count();
        assert_eq!(other, 0, "{}: commands stand in blocks of `sh`", paper.name);
    }
}
