//! Promise: a rationale states what is so, step by step, all that its answer needs, static facts as well, and ends with the
//! answer; the audit sees to it.

use racgen::audit::reread::judge::Reread;
use racgen::audit::reread::verdict::{Trouble, Verdict};
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::factory::settings::Settings;

use crate::common::{LIMIT, domains, made, splits};

fn rows(domain: &str, as_generic: bool) -> Vec<Row> {
    some_rows(domain, as_generic, if as_generic { 60 } else { 150 })
}

fn some_rows(domain: &str, as_generic: bool, items: u64) -> Vec<Row> {
    let settings = Settings {
        levels: vec![2],
        depths: vec![3],
        items,
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
        if phrasings("start_not").iter().any(|text| first.contains(text)) {
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

/// The sentences of a list of the common phrase book, without their slots.
fn phrasings(list: &str) -> Vec<String> {
    let book = include_str!("../../templates/common.toml");
    let list = book.split(&format!("\n{list} = [")).nth(1).unwrap().split("\n]").next().unwrap();
    list.split('"').skip(1).step_by(2).map(|text| text.replace("{{ list }}.", "")).collect()
}

/// Where the sentence about static facts begins in the first line, and the facts.
fn cited(rationale: &str) -> Option<(usize, Vec<&str>)> {
    let first = rationale.lines().next()?;
    let start =
        phrasings("facts").iter().find_map(|text| first.find(text).map(|at| (at, at + text.len())))?;
    Some((start.0, first[start.1..].trim_end_matches('.').split("; ").collect()))
}

#[test]
fn all_that_is_cited_is_needed() {
    let all = ["dwr", "logistics"].into_iter().flat_map(|domain| some_rows(domain, false, 500));
    let right: Vec<Row> = all.collect();
    // Of what an action requires, each static fact is needed.
    let uncited: Change = |row| {
        let (at, facts) = cited(&row.rationale).filter(|_| row.query.contains("executable("))?;
        let (first, rest) = row.rationale.split_once('\n')?;
        let begin = first[at..].find(facts[0])? + at;
        let left = facts[1..].join("; ");
        let kept = if left.is_empty() { first[..at].trim() } else { &format!("{}{left}.", &first[..begin]) };
        (!kept.is_empty()).then(|| format!("{kept}\n{rest}"))
    };
    // A pile or a crane is at one location.
    let another: Change = |row| {
        let (_, facts) = cited(&row.rationale)?;
        let fact = facts.iter().find(|fact| fact.contains("pile-") || fact.contains("crane-"))?;
        let mut places = row.objects.iter().filter(|o| &*o.kind == "location").map(|o| &*o.name);
        let old = places.clone().find(|name| fact.contains(name))?;
        let other = places.find(|name| *name != old)?;
        Some(row.rationale.replacen(fact, &fact.replace(old, other), 1))
    };
    let open: Change = |row| {
        let mut lines: Vec<String> = row.rationale.lines().map(str::to_owned).collect();
        let end = lines.len() - 2;
        // What is denied one by one at the start needs no closing, where nothing makes it true.
        if phrasings("start_not").iter().any(|text| lines[0].contains(text)) {
            return None;
        }
        let closing = phrasings("rest").into_iter().find(|text| lines[end].contains(text))?;
        lines[end] = lines[end].replace(&format!(" {closing}"), "");
        Some(lines.join("\n"))
    };
    for (name, change, fewest) in [
        ("a static fact left out", uncited, 8),
        ("a static fact that is none", another, 8),
        ("all else left open", open, 20),
    ] {
        let wrong = |row: &Row| Some(Row { rationale: change(row)?, ..row.clone() });
        let changed: Vec<Row> = right.iter().filter_map(wrong).collect();
        assert!(changed.len() >= fewest, "{name}: {}", changed.len());
        for (row, verdict) in changed.iter().zip(judge(&changed)) {
            match verdict {
                Ok(_) => panic!("{name} not caught: {}\n{}", row.question, row.rationale),
                Err(found) => assert_eq!(found.trouble, Trouble::Rationale, "{name}: {found:?}"),
            }
        }
    }
}

/// Where a condition of an action does not hold, the rationale names it.
#[test]
fn what_keeps_an_action_from_being_executable_is_named() {
    let denied = phrasings("not");
    let mut seen = 0;
    for domain in ["dwr", "logistics", "blocks"] {
        for row in rows(domain, false).iter().filter(|r| &*r.family == "executable" && r.answer == "no") {
            seen += 1;
            let end = row.rationale.lines().rev().nth(1).unwrap();
            assert!(denied.iter().any(|text| end.contains(text)), "{}\n{}", row.question, row.rationale);
        }
    }
    assert!(seen >= 5, "{seen}");
}
