//! Every answer about a story that is told in part is right by all that may have been so, the three answers come equally
//! often, and the same rows come again.

use std::collections::BTreeMap;

use racgen::data::row::{ExtraValue, Row};
use racgen::factory::settings::Settings;
use rayon::prelude::*;

/// Items of each domain and group that are held against the naive simulator.
const ITEMS: u64 = 400;

fn settings(group: &str) -> Settings {
    Settings {
        levels: vec![1, 2],
        depths: vec![2, 4],
        items: ITEMS,
        ask: vec![group.to_owned()],
        splits: crate::common::splits(&[("train", 1.0)]),
        seed: 17,
        ..Settings::default()
    }
}

fn completions(row: &Row) -> Option<i64> {
    match row.extra.get("completions") {
        Some(ExtraValue::Number(number)) => Some(*number),
        _ => None,
    }
}

/// What is wrong with a row, if anything.
fn fault(row: &Row) -> Option<String> {
    match crate::naive::partly::partly(&row.domain, &row.facts, &row.plan, &row.query) {
        Err(error) => Some(error),
        Ok((answer, _)) if *row.gold != [answer.clone()] => {
            Some(format!("the answer is {answer}, and not {:?}", row.gold))
        }
        Ok((_, count)) if completions(row) != Some(count as i64) => {
            Some(format!("there are {count} completions, and not {:?}", completions(row)))
        }
        Ok((_, count)) => (count < 2).then(|| format!("there are {count} completions")),
    }
}

#[test]
fn answers_about_stories_told_in_part_are_those_of_the_naive_simulator() {
    for domain in ["dwr", "logistics", "blocks", "blocks_hand"] {
        for group in ["unknown", "hidden"] {
            let items = crate::common::made(domain, &settings(group));
            assert_eq!(items.len() as u64, ITEMS);
            let wrong: Vec<String> = items
                .par_iter()
                .filter_map(|item| {
                    let row = &item.row;
                    let fault = fault(row)?;
                    let (facts, plan) = (row.facts.join(" "), row.plan.join(" "));
                    Some(format!("{domain} {}: {fault}\n  facts {facts}\n  plan {plan}\n", row.query))
                })
                .collect();
            let first = wrong.iter().take(3).map(String::as_str).collect::<String>();
            assert!(wrong.is_empty(), "{} wrong rows of {domain}, {group}, such as\n{first}", wrong.len());
            let mut families: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
            items.iter().for_each(|item| families.entry(&item.row.family).or_default().push(&item.row));
            for (family, rows) in families {
                let answers = crate::common::count(rows.iter().map(|row| row.answer.as_str()));
                println!("{domain}, {group}, {family}: {} rows, {} answers", rows.len(), answers.len());
                if group == "unknown" && family != "settles" {
                    let (most, least) = (answers.values().max(), answers.values().min());
                    assert_eq!(answers.len(), 3, "{domain}, {family}: {answers:?}");
                    // Where three begin in one group of rows and end in another, each finds its own.
                    let room = 4 + rows.len() / 20;
                    assert!(most.unwrap() - least.unwrap() <= room, "{domain}, {family}: {answers:?}");
                }
            }
        }
    }
}

#[test]
fn the_effort_of_stories_told_in_part_is_their_number_of_completions() {
    let settings = Settings {
        levels: vec![2],
        depths: vec![3],
        items: 200,
        effort: [("completions".to_owned(), (2, 4))].into(),
        ..settings("unknown")
    };
    for item in crate::common::made("blocks", &settings) {
        let count = completions(&item.row);
        assert!(matches!(count, Some(2..=4)), "{}: {count:?}", item.row.query);
    }
}

/// What is left out of the text stands in none of the columns that it is read with.
#[test]
fn what_is_not_told_stands_nowhere() {
    for domain in ["blocks", "logistics", "dwr"] {
        for group in ["unknown", "hidden"] {
            let settings = Settings { levels: vec![2], depths: vec![3], items: 200, ..settings(group) };
            for item in crate::common::made(domain, &settings) {
                let row = &item.row;
                let told = |fact: &&String| !fact.starts_with("left_out(");
                let out: Vec<&str> = row
                    .facts
                    .iter()
                    .filter_map(|fact| fact.strip_prefix("left_out(")?.strip_suffix(')'))
                    .collect();
                for id in &out {
                    let naming = |fact: &&String| {
                        let inner = fact.split(['(', ')', ',']).skip(1);
                        inner.into_iter().any(|word| word == *id)
                    };
                    // The fact that there is such an object.
                    assert_eq!(row.facts.iter().filter(told).filter(naming).count(), 1, "{:?}", row.facts);
                }
                if row.family.as_ref() == "hidden_action" {
                    assert_eq!(row.plan.iter().filter(|action| *action == "untold").count(), 1);
                    assert!(!row.context.contains(&row.answer), "{}", row.answer);
                }
            }
        }
    }
}

/// A question of each family, with the story that it is about.
#[test]
fn items_about_stories_told_in_part_look_as_in_the_snapshots() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let mut differing = Vec::new();
    for domain in ["blocks", "blocks_hand", "dwr", "logistics"] {
        for group in ["unknown", "hidden"] {
            let settings = Settings { levels: vec![1], depths: vec![3], items: 100, ..settings(group) };
            let items = crate::common::made(domain, &settings);
            let mut families: BTreeMap<(&str, &str), &Row> = BTreeMap::new();
            for item in &items {
                let sort = if *item.row.answer_type == *"certainty" { item.row.answer.as_str() } else { "" };
                families.entry((&item.row.family, sort)).or_insert(&item.row);
            }
            let page = |row: &Row| {
                let Row { template, initial_state, actions, question, answer, .. } = row;
                format!("({template})\n\n{initial_state}\n\n{actions}\n\n{question}\n\n{answer}\n\n\n")
            };
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

#[test]
fn types_of_questions_that_no_group_has_take_no_part() {
    let unknown = settings("unknown");
    assert_eq!(unknown.weights(), [0, 0, 3]);
    assert_eq!(settings("hidden").weights(), [0, 0, 3]);
    assert_eq!(settings("time").weights(), [4, 3, 3]);
    let cause = Settings { mix: [1, 0, 0], ..unknown }.check().expect_err("no question");
    assert!(cause.contains("--mix"), "{cause}");
}
