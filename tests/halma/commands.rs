//! Promise: the commands do what their help says, and what is no log, no maze or no digit gets a sentence and exit code 2.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

fn racgen(at: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_racgen"));
    command.arg("halma").args(arguments).current_dir(at).output().expect("racgen starts")
}

fn succeed(at: &Path, arguments: &[&str]) -> String {
    let ended = racgen(at, arguments);
    assert!(ended.status.success(), "{arguments:?}\n{}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).unwrap()
}

fn refused(at: &Path, arguments: &[&str], word: &str) {
    let ended = racgen(at, arguments);
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(2), "{arguments:?}: {told}");
    assert!(told.contains(word) && !told.contains("panicked"), "{arguments:?}: {told}");
}

fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    succeed(at, &["gen", "--train", "6", "--random", "4", "--test", "2", "--out", "mazes", "--quiet"]);
    succeed(at, &["play", "mazes", "--agent", "oracle", "--log", "oracle.jsonl"]);
    folder
}

#[test]
fn scores_have_the_papers_figures_beside_them() {
    let folder = prepared();
    let at = folder.path();
    succeed(at, &["test", "--memory", "oracle.jsonl", "-n", "3", "--out", "tests", "--quiet"]);
    succeed(at, &["play", "tests", "--agent", "explorer", "--memory", "oracle.jsonl", "--log", "t.jsonl"]);
    let score = |format: &str| {
        succeed(at, &["score", "mazes", "oracle.jsonl", "t.jsonl", "--with", "tests", "--format", format])
    };
    let text = score("text");
    let order: Vec<usize> = ["train ", "random ", "ST-1 "].map(|split| text.find(split).unwrap()).to_vec();
    assert!(order.is_sorted(), "{text}");
    for figure in ["94.8 \u{b1}4.1", "58.1 \u{b1}1.0", "table 1", "not strictly comparable"] {
        assert!(text.contains(figure), "{figure}: {text}");
    }
    assert!(score("csv").lines().count() > 20);
    assert!(score("latex").contains("\\begin{tabular}"));
    let both: Json = serde_json::from_str(&score("json")).unwrap();
    assert_eq!(both.as_array().unwrap().len(), 2);
    refused(at, &["score", "mazes", "t.jsonl"], "not in the set");
    refused(at, &["score", "mazes", "oracle.jsonl", "--with", "mazes"], "another set");
    refused(at, &["play", "mazes", "--agent", "oracle", "--memory", "oracle.jsonl"], "--agent explorer");
}

#[test]
fn pictures_are_drawn_and_played_by() {
    let folder = prepared();
    let at = folder.path();
    succeed(at, &["render", "mazes", "--out", "maze.svg"]);
    succeed(at, &["render", "mazes", "--log", "oracle.jsonl", "--trial", "2", "--out", "trial.png"]);
    assert!(fs::read_to_string(at.join("maze.svg")).unwrap().contains("</svg>"));
    assert!(fs::read(at.join("trial.png")).unwrap().starts_with(b"\x89PNG"));
    let rows: Json = serde_json::from_str(
        fs::read_to_string(at.join("mazes/mazes.jsonl")).unwrap().lines().next().unwrap(),
    )
    .unwrap();
    let rows: Vec<&str> = rows["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
    let find = |c: char| {
        let y = rows.iter().position(|row| row.contains(c)).unwrap();
        format!("{},{}", rows[y].find(c).unwrap() + 1, y + 1)
    };
    succeed(at, &["render", "mazes", "--panel", &find('S'), "--out", "panel.png"]);
    for (arguments, word) in [
        (vec!["render", "mazes", "--out", "maze.svg"], "--force"),
        (vec!["render", "mazes", "--out", "maze.gif"], ".svg or .png"),
        (vec!["render", "mazes", "--out", "x.svg", "--maze", "nope"], "no maze `nope`"),
        (vec!["render", "mazes", "--out", "x.svg", "--panel", "11,1"], "COLUMN,ROW"),
        (vec!["render", "mazes", "--out", "x.svg", "--panel", "here"], "COLUMN,ROW"),
        (vec!["render", "mazes", "--out", "x.svg", "--log", "oracle.jsonl", "--trial", "99"], "--trial"),
        (vec!["render", "mazes", "--out", "x.svg", "--log", "mazes/mazes.jsonl"], "no head of a log"),
        (vec!["render", "mazes", "--out", "x.svg", "--panel", "1,1", "--digits", "mazes"], ""),
    ] {
        refused(at, &arguments, word);
    }
    // The visual observation space: 128 x 128 pixels of three bytes.
    let mut command = Command::new(env!("CARGO_BIN_EXE_racgen"));
    let command = command.args(["halma", "play", "mazes", "--pictures"]).current_dir(at);
    let mut playing = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let talk = "{\"reset\": true}\n{\"act\": {\"direction\": \"up\", \"option\": [0]}}\n";
    playing.stdin.take().unwrap().write_all(talk.as_bytes()).unwrap();
    let answers = String::from_utf8(playing.wait_with_output().unwrap().stdout).unwrap();
    let pictures: Vec<String> = answers
        .lines()
        .map(|line| {
            let answer: Json = serde_json::from_str(line).unwrap();
            assert_eq!(answer["panel"].as_object().unwrap().len(), 1, "nothing but the picture");
            answer["panel"]["rgb"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(pictures.len(), 2);
    assert!(pictures.iter().all(|rgb| rgb.len() == 128 * 128 * 3 / 3 * 4));
    assert_ne!(pictures[0], pictures[1], "drawn anew at each step");
}

#[test]
fn hostile_logs_mazes_and_options_get_sentences() {
    let folder = prepared();
    let at = folder.path();
    let log = fs::read_to_string(at.join("oracle.jsonl")).unwrap();
    let (head, moves) = log.split_once('\n').unwrap();
    let first = moves.lines().next().unwrap();
    let move_with = |was: &str, is: &str| {
        assert!(first.contains(was), "{was}: {first}");
        format!("{head}\n{}\n", first.replacen(was, is, 1))
    };
    let cases = [
        (String::new(), "no head"),
        ("\u{0}\u{1}".into(), "no head"),
        (head.replacen("\"max_option\":5", "\"max_option\":4", 1), "1, 3 or 5"),
        (head.replacen("\"trials\":10", "\"trials\":0", 1), "no trials"),
        (format!("{head}\nhello\n"), "oracle2.jsonl:2"),
        (move_with("\"option\":[", "\"option\":[9,"), "0 to 3 units"),
        (move_with("\"seen\":[", "\"seen\":[99,0,"), "no move"),
        (move_with("\"trial\":1", "\"trial\":0"), "counted from 1"),
        (move_with("\"trial\":1", "\"trial\":-1"), "no move"),
        (move_with("\"direction\":\"", "\"direction\":\"north"), "no move"),
    ];
    for (text, word) in cases {
        fs::write(at.join("oracle2.jsonl"), text).unwrap();
        refused(at, &["score", "mazes", "oracle2.jsonl"], word);
        refused(at, &["test", "--memory", "oracle2.jsonl", "--out", "t"], word);
    }
    // Names that are not UTF-8, and a torn last line, do no harm.
    fs::write(at.join("torn.jsonl"), &log.as_bytes()[..log.len() - 9]).unwrap();
    succeed(at, &["score", "mazes", "torn.jsonl"]);
    for (arguments, word) in [
        (vec!["gen", "--train", "0", "--random", "0", "--test", "0", "--out", "z"], "no maze is asked for"),
        (vec!["gen", "--train", "99999999999", "--out", "z"], "--train"),
        (vec!["play", "mazes", "--max-option", "2"], "1, 3 or 5"),
        (vec!["play", "nowhere"], "check the path"),
        (vec!["play", "mazes", "--digits", "mazes"], "--pictures"),
        (vec!["play", "mazes", "--pictures", "--digits", "mazes"], "images"),
        (vec!["items", "--level", "4", "--out", "z"], "--level"),
        (vec!["items", "--depth", "99", "--out", "z"], "--depth"),
        (vec!["items", "--items", "0", "--out", "z"], "--items"),
        (vec!["items", "--pictures", "--level", "3", "--out", "z"], "--pictures"),
    ] {
        refused(at, &arguments, word);
    }
    assert!(!at.join("z").exists(), "nothing was written");
}
