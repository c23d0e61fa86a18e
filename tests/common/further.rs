//! What the tests of questions beyond prediction share: settings, cells of further columns, rows of commands, and snapshots.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use racgen::data::row::{ExtraValue, Row};
use racgen::factory::settings::Settings;
use racgen::items::source::Item;
use rayon::prelude::*;

/// Settings of one split that ask a group only.
pub fn settings(group: &str, items: u64, seed: u64) -> Settings {
    Settings {
        levels: vec![1, 2],
        depths: vec![2, 4],
        items,
        ask: vec![group.to_owned()],
        splits: super::splits(&[("train", 1.0)]),
        seed,
        ..Settings::default()
    }
}

/// How many items of a domain and group a naive oracle answers: as many as usual, or as `RACGEN_ITEMS` says.
pub fn naive_items(usual: u64) -> u64 {
    wanted().unwrap_or(usual)
}

fn wanted() -> Option<u64> {
    std::env::var("RACGEN_ITEMS").ok().and_then(|items| items.parse().ok())
}

/// Are all combinations looked at, and not some in turn? They are where `RACGEN_ITEMS` is set, as by `make cross-check`.
pub fn is_thorough() -> bool {
    wanted().is_some()
}

/// What the one at this place of a list is looked at with: one thing in turn, or all where the look is thorough.
pub fn in_turn<T>(all: &[T], place: usize) -> &[T] {
    if is_thorough() { all } else { &all[place % all.len()..][..1] }
}

/// The number in a further column, if there is one.
pub fn number(row: &Row, column: &str) -> Option<i64> {
    match row.extra.get(column) {
        Some(ExtraValue::Number(number)) => Some(*number),
        _ => None,
    }
}

/// Holds each item against an oracle, which says what is wrong with a row, if anything.
pub fn none_is_wrong(items: &[Item], of: &str, fault: impl Fn(&Row) -> Option<String> + Sync) {
    let said = |item: &Item| {
        let row = &item.row;
        let fault = fault(row)?;
        let (facts, plan) = (row.facts.join(" "), row.plan.join(" "));
        Some(format!("{} {}: {fault}\n  facts {facts}\n  plan {plan}\n", row.domain, row.query))
    };
    let wrong: Vec<String> = items.par_iter().filter_map(said).collect();
    let first = wrong.iter().take(3).map(String::as_str).collect::<String>();
    assert!(wrong.is_empty(), "{} wrong rows of {of}, such as\n{first}", wrong.len());
}

/// Rows that a command writes; each option is a word.
pub fn rows_of_command(command: &str) -> Vec<Row> {
    let folder = tempfile::tempdir().unwrap();
    let words = command.split(' ').chain(["--quiet", "--out", "made"]);
    let ran =
        Command::new(env!("CARGO_BIN_EXE_racgen")).args(words).current_dir(folder.path()).output().unwrap();
    assert!(ran.status.success(), "{command}: {}", String::from_utf8_lossy(&ran.stderr));
    racgen::data::read::rows::rows(&folder.path().join("made")).unwrap().collect::<Result<_, _>>().unwrap()
}

/// Holds a question of each family and type, with the story that it is about, against the snapshot of its domain and group.
pub fn look_as_in_the_snapshots(domains: &[&str], groups: &[&str], settings: impl Fn(&str) -> Settings) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let mut differing = Vec::new();
    for domain in domains {
        for group in groups {
            let items = super::made(domain, &settings(group));
            let mut families: BTreeMap<(&str, &str, &str), &Row> = BTreeMap::new();
            for item in &items {
                let row = &item.row;
                let sort = if *row.answer_type == *"certainty" { row.answer.as_str() } else { "" };
                families.entry((&row.family, &row.question_type, sort)).or_insert(row);
            }
            let page: String = families.values().map(|row| page(row)).collect();
            let path = folder.join(format!("{domain}.{group}.txt"));
            if std::env::var("UPDATE").is_ok() {
                std::fs::write(&path, &page).unwrap();
            }
            if std::fs::read_to_string(&path).ok().as_ref() != Some(&page) {
                differing.push(format!("{} differs; UPDATE=1 writes it anew\n{page}", path.display()));
            }
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// An item as a reader sees it, without the rules.
fn page(row: &Row) -> String {
    let Row { template, initial_state, actions, question, answer, .. } = row;
    format!("({template})\n\n{initial_state}\n\n{actions}\n\n{question}\n\n{answer}\n\n\n")
}
