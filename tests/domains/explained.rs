//! Promise: answers beyond prediction are explained: the story, what comes after it in thought, why something is impossible,
//! and how other ways compare; the audit holds all of it against clingo.

use racgen::audit::reread::judge::Reread;
use racgen::audit::reread::verdict::{Trouble, Verdict};
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::domain::question_groups::EXPLAINED;
use racgen::factory::settings::Settings;
use regex::Regex;

use crate::common::{LIMIT, further};
use crate::corpus::kept;

/// Domains of which all groups are looked at, and changed.
const WHOLE: [&str; 2] = ["blocks_hand", "logistics"];

/// Explained rows of a group.
fn rows(domain: &str, group: &str) -> Vec<Row> {
    // The smallest worlds offer no even questions of what is told in part, but for those of blocks.
    let level = if group == "unknown" && !domain.starts_with("blocks") { 2 } else { 1 };
    let settings = Settings {
        levels: vec![level],
        // Of two told actions it is not asked which one failed.
        depths: vec![if group == "hidden" { 3 } else { 2 }],
        rationale: true,
        ..further::settings(group, if WHOLE.contains(&domain) { 32 } else { 12 }, 31)
    };
    kept(&format!("explained {group}"), domain, &settings).iter().map(|item| item.row.clone()).collect()
}

fn judge(rows: &[Row]) -> Vec<Verdict> {
    Reread::new(&Catalogue::find(&[]).unwrap(), LIMIT).judge(rows, &|_| ())
}

#[test]
fn answers_beyond_prediction_are_explained_and_hold() {
    for (number, domain) in ["blocks_hand", "logistics", "blocks", "dwr", "generic"].into_iter().enumerate() {
        // Theories tell no invariants, and the smallest offer little of what can ever be so.
        let untold: &[&str] = match domain {
            "generic" => &["hidden", "unknown", "ever"],
            // There the initial situation would tell what is unknown.
            "dwr" => &["unknown"],
            _ => &[],
        };
        let groups = EXPLAINED.into_iter().enumerate().filter(|(_, group)| !untold.contains(group));
        // Every second group of those whose rows no other test has.
        for (_, group) in groups.filter(|(place, _)| WHOLE.contains(&domain) || (place + number) % 2 == 0) {
            let rows = rows(domain, group);
            for (row, verdict) in rows.iter().zip(judge(&rows)) {
                verdict.unwrap_or_else(|f| panic!("{domain}: {f:?}\n{}\n{}", row.question, row.rationale));
                let last = row.rationale.lines().last().unwrap();
                assert!(last.contains(&format!("{}.", row.answer)), "{last}");
                // Of a story that is told in part there are cases, and of what is not in the text nothing but that.
                let is_followed =
                    !["hidden", "unknown"].contains(&group) && row.answer != "cannot be answered";
                let lines = row.rationale.lines().count();
                assert!(lines >= if is_followed { row.plan.len() + 2 } else { 2 }, "{}", row.rationale);
            }
        }
    }
}

/// A change of a rationale, for those that admit it.
type Change = fn(&Row) -> Option<String>;

#[test]
fn false_explanations_are_caught() {
    // The last line before the answer says how other ways compare, or what is so at the end.
    let no_end: Change = |row| {
        let lines: Vec<&str> = row.rationale.lines().collect();
        let kept = [&lines[..lines.len() - 2], &lines[lines.len() - 1..]].concat();
        (!["time", "first_failure", "why_failure"].contains(&&*row.family)).then(|| kept.join("\n"))
    };
    // Two steps change places.
    let swapped: Change = |row| {
        let mut lines: Vec<&str> = row.rationale.lines().collect();
        (lines.len() > 2 && lines[1] != lines[2]).then(|| {
            lines.swap(1, 2);
            lines.join("\n")
        })
    };
    // Where the told actions end is not said any more, which is the last sentence of a line.
    let unmarked: Change = |row| {
        let cut = |line: &str| {
            let (rest, mark) = line.rsplit_once(". ")?;
            mark.contains("told actions").then(|| (line.to_owned(), format!("{rest}.")))
        };
        let (line, rest) = row.rationale.lines().find_map(cut)?;
        Some(row.rationale.replacen(&line, &rest, 1))
    };
    let renumbered: Change =
        |row| row.rationale.contains("part 1").then(|| row.rationale.replacen("part 1", "part 2", 1));
    let right: Vec<Row> = WHOLE
        .into_iter()
        .flat_map(|domain| {
            let groups = ["goals", "plans", "ever", "hidden", "unknown", "composite", "undefined"];
            groups.into_iter().flat_map(move |group| rows(domain, group))
        })
        .collect();
    let changes = [
        ("no end", no_end, 250),
        ("steps swapped", swapped, 200),
        ("end of the told actions unsaid", unmarked, 80),
        ("part renumbered", renumbered, 40),
    ];
    for (name, change, least) in changes {
        let wrong = |row: &Row| Some(Row { rationale: change(row)?, ..row.clone() });
        let changed: Vec<Row> = right.iter().filter_map(wrong).collect();
        assert!(changed.len() >= least, "{name}: {}", changed.len());
        for (row, verdict) in changed.iter().zip(judge(&changed)) {
            match verdict {
                Ok(_) => panic!("{name} not caught: {}\n{}", row.question, row.rationale),
                Err(found) => assert_eq!(found.trouble, Trouble::Rationale, "{name}: {found:?}"),
            }
        }
    }
}

/// Explained rows of one family that is no yes/no question.
fn of_family(domain: &str, group: &str, family: &str) -> Vec<Row> {
    let mix = if family == "cost" { [0, 1, 0] } else { [0, 0, 1] };
    let of = further::settings(group, 24, 31);
    let families = vec![family.to_owned()];
    let settings = Settings { levels: vec![3], depths: vec![4], rationale: true, families, mix, ..of };
    kept(&format!("explained {family}"), domain, &settings).iter().map(|item| item.row.clone()).collect()
}

/// The rationale without its first line that has one of these words.
fn without_line(row: &Row, words: &[&str]) -> Option<String> {
    let lines: Vec<&str> = row.rationale.lines().collect();
    let place = lines.iter().position(|line| words.iter().any(|word| line.contains(word)))?;
    Some([&lines[..place], &lines[place + 1..]].concat().join("\n"))
}

#[test]
fn sums_and_what_speaks_against_other_answers_are_looked_at() {
    let sum = Regex::new(r" = (\d+)").unwrap();
    let added_wrong = |row: &Row| {
        let total: usize = sum.captures(&row.rationale)?[1].parse().unwrap();
        Some(sum.replace(&row.rationale, format!(" = {}", total + 1)).into_owned())
    };
    let never_met = ["is ever true:", "Nowhere on this way", "This way avoids", "All the way this"];
    let avoiding =
        ["It can be avoided that", "lead there as well", "Another way there", "reached without its ever"];
    let impossible =
        ["not possible when its turn", "could not be carried out then", "could not have", "was impossible:"];
    let of_landmark = [never_met, avoiding].concat();
    let unavoided = |row: &Row| without_line(row, &of_landmark);
    let unruled = |row: &Row| without_line(row, &impossible);
    for ([domain, group, family], change) in [
        (["logistics", "plans", "cost"], &added_wrong as &dyn Fn(&Row) -> Option<String>),
        (["blocks", "ever", "which_landmark"], &unavoided),
        (["logistics", "hidden", "failed_action"], &unruled),
    ] {
        let right = of_family(domain, group, family);
        for (row, verdict) in right.iter().zip(judge(&right)) {
            verdict.unwrap_or_else(|f| panic!("{family}: {f:?}\n{}\n{}", row.question, row.rationale));
        }
        let wrong = |row: &Row| Some(Row { rationale: change(row)?, ..row.clone() });
        let changed: Vec<Row> = right.iter().filter_map(wrong).collect();
        assert!(changed.len() >= 5, "{family}: {} of {}", changed.len(), right.len());
        for (row, verdict) in changed.iter().zip(judge(&changed)) {
            match verdict {
                Ok(_) => panic!("{family}, not caught: {}\n{}", row.question, row.rationale),
                Err(found) => assert_eq!(found.trouble, Trouble::Rationale, "{family}: {found:?}"),
            }
        }
    }
}
