//! Promise: a rationale states what is so, step by step, and ends with the answer; the audit sees to it.

use racgen::audit::reread::judge::Reread;
use racgen::audit::reread::verdict::{Trouble, Verdict};
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::factory::settings::Settings;

use crate::common::{LIMIT, domains, made, splits};

fn rows(domain: &str, as_generic: bool) -> Vec<Row> {
    let settings = Settings {
        levels: vec![2],
        depths: vec![3],
        items: if as_generic { 60 } else { 150 },
        rationale: true,
        splits: splits(&[("train", 1.0)]),
        as_generic,
        ..Settings::default()
    };
    made(domain, &settings).into_iter().map(|item| item.row).collect()
}

fn judge(rows: &[Row]) -> Vec<Verdict> {
    Reread::new(&Catalogue::find(&[]).unwrap(), LIMIT).judge(rows, &|_| ())
}

#[test]
fn rationales_are_read_back_and_hold() {
    for domain in domains() {
        for as_generic in [false, true] {
            let rows = rows(&domain, as_generic);
            for (row, verdict) in rows.iter().zip(judge(&rows)) {
                verdict.unwrap_or_else(|f| panic!("{domain}: {f:?}\n{}\n{}", row.question, row.rationale));
                let last = row.rationale.lines().last().unwrap();
                assert!(last.contains(&format!("{}.", row.answer)), "{last}");
                // The start, the actions and the answer at least, unless the question is about the start.
                let steps = if row.query.starts_with("initially") { 0 } else { row.plan.len() };
                assert!(row.rationale.lines().count() >= steps + 2, "{}", row.rationale);
            }
        }
    }
}

/// A change of a rationale, for those that admit it.
type Change = fn(&Row) -> Option<String>;

#[test]
fn false_steps_are_caught() {
    let other_answer: Change = |row| {
        let (rest, last) = row.rationale.rsplit_once('\n')?;
        let answer = if row.answer == "none" { "7" } else { "none" };
        Some(format!("{rest}\n{}", last.replacen(&format!("{}.", row.answer), &format!("{answer}."), 1)))
    };
    let denied_start: Change = |row| {
        let (first, rest) = row.rationale.split_once('\n')?;
        let (_, list) = first.split_once(": ")?;
        let denied = [
            "What is not true",
            "The following is false",
            "Of what matters, this does not hold",
            "It is not the case",
        ];
        if denied.iter().any(|d| first.contains(d)) {
            return None;
        }
        Some(format!("The following is false: {list}\n{rest}"))
    };
    let lost_step: Change = |row| {
        let lines: Vec<&str> = row.rationale.lines().collect();
        if lines.len() < 4 || row.query.starts_with("initially") {
            return None;
        }
        Some([&lines[..1], &lines[2..]].concat().join("\n"))
    };
    let cut_short: Change = |row| Some(row.rationale.rsplit_once('\n')?.0.to_owned());
    let right: Vec<Row> =
        ["blocks", "dwr", "logistics"].into_iter().flat_map(|domain| rows(domain, false)).collect();
    for (name, change) in [
        ("another answer", other_answer),
        ("a denied start", denied_start),
        ("a step left out", lost_step),
        ("no answer", cut_short),
    ] {
        let wrong = |row: &Row| Some(Row { rationale: change(row)?, ..row.clone() });
        let changed: Vec<Row> = right.iter().filter_map(wrong).collect();
        assert!(changed.len() >= 100, "{name}: {}", changed.len());
        for (row, verdict) in changed.iter().zip(judge(&changed)) {
            match verdict {
                Ok(_) => panic!("{name} not caught: {}\n{}", row.question, row.rationale),
                Err(found) => assert_eq!(found.trouble, Trouble::Rationale, "{name}: {found:?}"),
            }
        }
    }
}
