//! Promise: items beyond prediction are read back and answered anew by `racgen audit`, whatever they are told as, which
//! finds a wrong one; `racgen score` takes their answers in any order and phrasing.

use std::process::Command;
use std::time::Duration;

use racgen::audit::reread::judge::Reread;
use racgen::data::row::{ExtraValue, Row};
use racgen::domain::catalogue::Catalogue;
use racgen::score::run::answers_in;

const LIMIT: Duration = Duration::from_secs(60);

/// Rows of a command; each option is a word.
fn rows(command: &str) -> Vec<Row> {
    let folder = tempfile::tempdir().unwrap();
    let words = command.split(' ').chain(["--quiet", "--out", "made"]);
    let ran =
        Command::new(env!("CARGO_BIN_EXE_racgen")).args(words).current_dir(folder.path()).output().unwrap();
    assert!(ran.status.success(), "{command}: {}", String::from_utf8_lossy(&ran.stderr));
    racgen::data::read::rows::rows(&folder.path().join("made")).unwrap().collect::<Result<_, _>>().unwrap()
}

const SETS: [&str; 4] = [
    "--domain blocks --depth 3 --items 150 --ask prediction,time,whatif --splits train=1",
    "--domain logistics --depth 2,4 --items 150 --ask time,whatif --splits train=1",
    "--domain generic --depth 3 --items 100 --ask time,whatif --splits train=1",
    "--domain blocks_hand --depth 4 --items 100 --ask time,whatif --as generic --splits train=1",
];

#[test]
fn every_item_beyond_prediction_is_read_back_and_answered_anew() {
    let catalogue = Catalogue::find(&[]).unwrap();
    for command in SETS {
        let rows = rows(command);
        let reread = Reread::new(&catalogue, LIMIT);
        for (row, verdict) in rows.iter().zip(reread.judge(&rows, &|_| ())) {
            assert!(verdict.is_ok(), "{command}: {}\n{}\n{verdict:?}", row.question, row.query);
        }
        // Whatever is changed in a row is noticed.
        let wrong: Vec<Row> = rows.iter().map(|row| altered(row, &rows)).collect();
        for ((row, other), verdict) in rows.iter().zip(&wrong).zip(reread.judge(&wrong, &|_| ())) {
            assert!(verdict.is_err(), "{command}: {} passes as {}", row.query, other.answer);
        }
        let since = rows.iter().filter(|row| row.extra.contains_key("since"));
        let moved: Vec<Row> = since
            .map(|row| {
                let mut row = row.clone();
                row.extra.insert("since".into(), ExtraValue::Number(77));
                row
            })
            .collect();
        assert!(!moved.is_empty());
        assert!(reread.judge(&moved, &|_| ()).iter().all(Result::is_err), "{command}: since is not read");
    }
}

/// The row with the answer of another one of its family and type, or with another number or label.
fn altered(row: &Row, all: &[Row]) -> Row {
    let mut changed = row.clone();
    let other = match &*row.answer {
        "yes" => Some("no".to_owned()),
        "no" => Some("yes".to_owned()),
        answer => answer.parse::<i64>().ok().map(|number| (number + 1).to_string()),
    };
    match other {
        Some(answer) => {
            changed.gold = vec![answer.clone()];
            changed.answer = answer;
        }
        None => {
            let kind = if row.answer == "none" { "facts" } else { &row.answer_type };
            let differs = |other: &&Row| other.answer_type == kind && other.answer != row.answer;
            let none = Row { answer: "none".into(), gold: vec!["none".into()], ..row.clone() };
            let other = all.iter().find(differs).cloned().unwrap_or(none);
            changed.answer = other.answer;
            changed.gold = other.gold;
        }
    }
    changed
}

#[test]
fn lists_are_judged_as_sets() {
    let catalogue = Catalogue::find(&[]).unwrap();
    for command in [SETS[0], SETS[3]] {
        let rows = rows(command);
        let mut lists = 0;
        for row in &rows {
            assert!(answers_in(&catalogue, &row.answer, row), "{}: {}", row.query, row.answer);
            assert!(
                !answers_in(&catalogue, &altered(row, &rows).answer, row),
                "{}: {}",
                row.query,
                row.answer
            );
            if ["facts", "actions"].contains(&&*row.answer_type) && row.gold.len() > 1 {
                lists += 1;
                let mut parts: Vec<&str> = row.answer.split("; ").collect();
                parts.reverse();
                let lines: Vec<String> =
                    parts.iter().enumerate().map(|(n, part)| format!("{}. {part}.", n + 1)).collect();
                assert!(answers_in(&catalogue, &lines.join("\n"), row), "{lines:?}");
                assert!(!answers_in(&catalogue, parts[0], row), "{}", parts[0]);
                let terms: Vec<String> = row.gold.iter().rev().cloned().collect();
                assert!(answers_in(&catalogue, &terms.join("; "), row), "{terms:?}");
            }
        }
        assert!(lists > 2, "{command}: {lists} lists");
    }
}
