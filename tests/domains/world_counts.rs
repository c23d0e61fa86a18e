//! Promise: a check says how many distinct worlds each level has, exactly where all can be listed, and what to do about
//! levels with few.

use std::collections::BTreeMap;

use racgen::check::report::CheckReport;
use racgen::check::survey::check;
use racgen::check::worlds::WorldCount;
use racgen::domain::package::Package;
use racgen::logic::fault::Faults;

use crate::common::{LIMIT, package};

/// Blocks world with these numbers of blocks at N1, in two towers, and as it comes at N2.
fn blocks(low: i64, high: i64) -> Package {
    let mut package = package("blocks");
    let level = [("blocks".to_owned(), (low, high)), ("towers".to_owned(), (2, 2))];
    package.levels.insert(1, BTreeMap::from(level));
    package.levels.retain(|level, _| *level <= 2);
    package
}

fn checked(low: i64, high: i64) -> Result<CheckReport, Faults> {
    check(&blocks(low, high), LIMIT)
}

#[test]
fn worlds_that_can_be_listed_are_counted_exactly() {
    // Two towers of 3, of 4 and of 5 blocks: 1 + 2 + 2 ways.
    let report = checked(3, 5).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(report.levels[0].worlds, WorldCount { met: 5, all: true });
    let text = report.to_string();
    let (head, line) = (text.lines().nth(1).unwrap_or_default(), text.lines().nth(2).unwrap_or_default());
    assert!(head.starts_with("level   worlds"), "{text}");
    assert_eq!(line.split_whitespace().take(2).collect::<Vec<_>>(), ["N1", "5"], "{text}");
    let note = report.notes.iter().find(|note| note.starts_with("level N1 has 5 distinct worlds"));
    assert!(note.is_some_and(|note| note.contains("--split-by instance")), "{text}");
    assert!(!report.notes.iter().any(|note| note.contains("N2")), "{text}");
}

#[test]
fn other_worlds_are_counted_as_they_are_met() {
    let report = checked(3, 12).unwrap_or_else(|faults| panic!("{faults}"));
    // There are 35, and in the largest layouts more situations than are listed.
    let WorldCount { met, all } = report.levels[0].worlds;
    assert!(!all && (20..=35).contains(&met), "{met}");
    assert_eq!(report.levels[0].worlds.to_string(), format!("{met}+"));
    assert!(report.notes.is_empty(), "{report}");
}

#[test]
fn fewer_worlds_than_splits_are_a_fault() {
    let faults = checked(4, 4).expect_err("two worlds");
    let fault = faults.iter().find(|fault| fault.cause.starts_with("level N1 has 2 distinct worlds"));
    let fault = fault.unwrap_or_else(|| panic!("{faults}"));
    assert!(fault.place.contains("domain.toml:"), "{fault}");
    assert!(fault.cause.contains("fewer than the 3 usual splits"), "{fault}");
    assert!(fault.remedy.contains("widen the level's ranges"), "{fault}");
}
