//! Promise: the command in a manifest repeats the run, to the byte.

use std::fs;
use std::path::Path;
use std::process::Command;

use racgen::data::papers::manifest::Manifest;

use crate::common::files::files;

/// Runs, each with options beyond the usual ones.
const RUNS: [&str; 12] = [
    "games coins.kif minimal_decay.kif --traces 10 --steps 10 --seed 3 --judge 2 --format dat,parquet,jsonl,popper \
     --balance --explicit-negatives --max-negatives 5 --noise 0.1 --drop 0.1 --derived --types types",
    "games rock_paper_scissors.kif --traces 4 --steps 6 --play goal-seeking --split-by trace",
    "games all --traces 2 --steps 3 --judge 0",
    "games items coins tic_tac_toe.kif --items 60 --traces 10 --steps 10 --play goal-seeking --generic",
    "rules --category rdg --depth 3 --seed 5 --questions 40 --extras asp,questions --format csv,jsonl --style qa",
    "rules --category chain --open-world 0.1-0.2 --extras none",
    "rules items --category chain --recursive --items 60",
    "--config campaign.toml --seed 8 --mix verify=1,count=1",
    "iq sample --games 4 --choice duel --tau0 500 --seed 3",
    "iq run --agent random,tabular --iterations 3 --budget 20000 --pace 900 --choice solo",
    "iq run --agent random --command true --name gone --steps 20 --iterations 2 --budget 20000 --pace-time 90",
    "iq ladder --agent random,greedy --games 3 --budget 20000 --episodes 2 --seed 4",
];

const CAMPAIGN: &str =
    "[defaults]\nitems = 60\n[config.small]\ndomain = \"blocks\"\n[config.two]\ndomain = \"dwr\"\n";

fn racgen(arguments: &str, at: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_racgen"));
    let ran = command.args(arguments.split_whitespace()).current_dir(at).output().unwrap();
    assert!(ran.status.success(), "racgen {arguments}\n{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn the_command_of_a_manifest_repeats_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    for name in ["coins", "minimal_decay", "rock_paper_scissors", "tic_tac_toe"] {
        fs::copy(games.join(format!("{name}.kif")), at.join(format!("{name}.kif"))).unwrap();
    }
    fs::create_dir(at.join("types")).unwrap();
    fs::write(at.join("campaign.toml"), CAMPAIGN).unwrap();
    for (number, run) in RUNS.into_iter().enumerate() {
        let (first, again) = (format!("first{number}"), format!("again{number}"));
        racgen(&format!("{run} --quiet --out {first}"), at);
        let manifest = Manifest::read(&at.join(&first)).expect("a manifest");
        let command = manifest.command.strip_prefix("racgen ").expect("a command of racgen");
        racgen(&format!("{command} --quiet --out {again}"), at);
        let (first, again) = (files(&at.join(first)), files(&at.join(again)));
        assert_eq!(first.keys().collect::<Vec<_>>(), again.keys().collect::<Vec<_>>(), "{command}");
        let differing: Vec<&String> = first.keys().filter(|name| first[*name] != again[*name]).collect();
        assert!(differing.is_empty(), "{command}: {differing:?} differ");
    }
}

/// A run may be about files of a user whose names a shell would take apart.
#[test]
fn names_of_games_are_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    fs::copy(games.join("coins.kif"), at.join("my coins.kif")).unwrap();
    let arguments = ["games", "my coins.kif", "--traces", "2", "--steps", "3", "--out", "g", "--quiet"];
    let ran = Command::new(env!("CARGO_BIN_EXE_racgen")).args(arguments).current_dir(at).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let command = Manifest::read(&at.join("g")).expect("a manifest").command;
    assert_eq!(command, "racgen games 'my coins.kif' --traces 2 --steps 3 --seed 0");
}
