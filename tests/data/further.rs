//! Promise: items beyond prediction are read back and answered anew by `racgen audit`, whatever they are told as, which
//! finds a wrong one; `racgen score` takes their answers in any order and phrasing.

use std::time::Duration;

use racgen::audit::reread::judge::Reread;
use racgen::data::row::{ExtraValue, Row};
use racgen::domain::catalogue::Catalogue;
use racgen::score::run::answers_in;

use crate::common::further::rows_of_command;

/// A change of a row.
type RowChange = fn(&mut Row);

const LIMIT: Duration = Duration::from_secs(60);

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
        let rows = rows_of_command(command);
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
        // Statements of an answer stand in the order of the alphabet.
        let lists = rows.iter().filter(|row| row.answer.contains("; "));
        let turned: Vec<Row> = lists
            .map(|row| {
                let mut statements: Vec<&str> = row.answer.split("; ").collect();
                statements.reverse();
                Row { answer: statements.join("; "), ..row.clone() }
            })
            .collect();
        assert!(!turned.is_empty(), "{command} has no lists");
        for (row, verdict) in turned.iter().zip(reread.judge(&turned, &|_| ())) {
            let told = format!("{verdict:?}");
            assert!(told.contains("order of the alphabet"), "{}: {told}", row.query);
        }
    }
}

#[test]
fn stories_told_in_part_are_read_back_and_all_their_completions_found_anew() {
    let catalogue = Catalogue::find(&[]).unwrap();
    for command in [
        "--domain blocks_hand --depth 2 --items 80 --ask unknown --splits train=1 --shuffle-state --irrelevant 2",
        "--domain logistics --level 2 --depth 4 --items 80 --ask hidden,unknown --splits train=1",
    ] {
        let rows = rows_of_command(command);
        let reread = Reread::new(&catalogue, LIMIT);
        for (row, verdict) in rows.iter().zip(reread.judge(&rows, &|_| ())) {
            assert!(verdict.is_ok(), "{command}: {}\n{}\n{verdict:?}", row.question, row.query);
            assert!(answers_in(&catalogue, &row.answer, row), "{}: {}", row.query, row.answer);
        }
        let changes: [(&str, RowChange); 4] = [
            ("completions", |row| {
                row.extra.insert("completions".into(), ExtraValue::Number(77));
            }),
            ("world", |row| row.world = "another".into()),
            ("facts", |row| {
                let mut facts = row.facts.to_vec();
                facts.pop();
                row.facts = facts.into_iter().collect();
            }),
            // A text that does not say that it leaves something out.
            ("initial_state", |row| {
                let kept: Vec<&str> = row
                    .initial_state
                    .split_inclusive(". ")
                    .filter(|said| !said.contains("left out"))
                    .collect();
                let state = kept.concat().trim().to_owned();
                row.context = row.context.replace(&*row.initial_state, &state).into();
                row.initial_state = state.into();
            }),
        ];
        for (what, change) in changes {
            let is_changed = |row: &&Row| what != "initial_state" || row.initial_state.contains("left out");
            let wrong: Vec<Row> = rows
                .iter()
                .filter(is_changed)
                .map(|row| {
                    let mut row = row.clone();
                    change(&mut row);
                    row
                })
                .collect();
            assert!(!wrong.is_empty());
            for (row, verdict) in wrong.iter().zip(reread.judge(&wrong, &|_| ())) {
                assert!(verdict.is_err(), "{command}: {} passes with another {what}", row.query);
            }
        }
    }
}

#[test]
fn questions_about_questions_are_read_back_part_by_part() {
    let catalogue = Catalogue::find(&[]).unwrap();
    for command in [
        "--domain blocks --depth 3 --items 90 --ask composite,undefined --splits train=1",
        "--domain dwr --level 2 --depth 2 --items 90 --ask goals,plans,composite,undefined --splits train=1",
        "--domain blocks_hand --depth 3 --items 60 --ask composite --as generic --splits train=1",
        "--domain logistics --depth 3 --items 60 --ask undefined --names random --splits train=1",
    ] {
        let rows = rows_of_command(command);
        let own = |row: &Row| {
            let families = ["both", "either", "all_of_three", "any_of_three", "undefined"];
            families.contains(&&*row.family)
        };
        let rows: Vec<Row> = rows.into_iter().filter(own).collect();
        assert!(rows.len() > 20, "{command}: {} rows", rows.len());
        let reread = Reread::new(&catalogue, LIMIT);
        for (row, verdict) in rows.iter().zip(reread.judge(&rows, &|_| ())) {
            assert!(verdict.is_ok(), "{command}: {}\n{}\n{verdict:?}", row.question, row.query);
            assert!(answers_in(&catalogue, &row.answer, row), "{}: {}", row.query, row.answer);
            assert!(!answers_in(&catalogue, &altered(row, &rows).answer, row), "{}", row.query);
        }
        let changes: [(&str, RowChange); 4] = [
            ("answer", |row| {
                let other = match &*row.answer {
                    "yes" => ["no", "no"],
                    "no" if *row.family == *"undefined" => ["unanswerable", "cannot be answered"],
                    _ => ["yes", "yes"],
                };
                row.gold = [other[0].to_owned()].into_iter().collect();
                row.answer = other[1].into();
            }),
            ("template", |row| row.template = row.template.replace('.', ".9")),
            ("query", |row| row.query = format!("{}_too({}", row.family, &row.query[row.family.len() + 1..])),
            ("family", |row| row.family = "always".into()),
        ];
        for (what, change) in changes {
            let wrong: Vec<Row> = rows
                .iter()
                .map(|row| {
                    let mut row = row.clone();
                    change(&mut row);
                    row
                })
                .collect();
            for (row, verdict) in wrong.iter().zip(reread.judge(&wrong, &|_| ())) {
                assert!(verdict.is_err(), "{command}: {} passes with another {what}", row.query);
            }
        }
    }
}

#[test]
fn how_sure_something_is_is_read_in_a_prediction() {
    let catalogue = Catalogue::find(&[]).unwrap();
    let row = |answer: &str| Row {
        answer: answer.into(),
        answer_type: "certainty".into(),
        gold: vec![answer.into()],
        ..Row::default()
    };
    let right = |text: &str, answer: &str| answers_in(&catalogue, text, &row(answer));
    for answer in ["yes", "no", "cannot be determined"] {
        assert!(right(answer, answer) && right(&format!("The answer is **{answer}**."), answer));
        assert!(right(&format!("It may be so, or not.\n\nTherefore the answer is: {answer}"), answer));
        assert!(!right("yes or no", answer) && !right("", answer) && !right("I do not know", answer));
    }
    assert!(right("This can't be determined.", "cannot be determined") && right("No, it is held.", "no"));
    assert!(
        !right("yes", "no") && !right("cannot be determined", "yes") && !right("no", "cannot be determined")
    );
    for answer in ["surely", "possibly", "surely not"] {
        assert!(right(answer, answer) && !right("surely or possibly", answer));
    }
    assert!(!right("surely not", "surely") && !right("surely", "surely not"));
    for text in ["cannot be answered", "It names a crane of which I know nothing: it can't be answered."] {
        assert!(right(text, "cannot be answered") && !right(text, "yes") && !right(text, "no"), "{text}");
    }
    assert!(!right("no", "cannot be answered") && !right("yes or cannot be answered", "cannot be answered"));
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
        let rows = rows_of_command(command);
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
