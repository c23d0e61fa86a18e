//! Every question that is made of others has the answer that follows from theirs, and none of these tells it; labels and
//! families are level.

use std::collections::BTreeMap;

use racgen::data::row::Row;
use racgen::factory::settings::Settings;
use racgen::items::source::Item;
use rayon::prelude::*;

use crate::common::further::{look_as_in_the_snapshots, settings};
use crate::naive::words;

/// Items of each domain that are held against the naive simulator.
const ITEMS: u64 = 2_000;
const SEED: u64 = 23;
/// No part agrees with the whole in more than this share of the items of a family.
const MOST_AGREEING: f64 = 0.8;
/// Nor does the initial situation give more of the answers, or the story without its edit where there is one, which may yet tell
/// what the other parts are.
const MOST_OVERLOOKED: f64 = 0.8;

/// A row, and the answers to the parts of its question.
type JudgedRow<'r> = (&'r Row, Vec<bool>);

/// The families that change the story.
const EDITS: [&str; 3] = ["without", "instead", "swapped"];

/// The answer to a question that may be part of another; with `edited` unset, that of a story without its edit.
fn part(row: &Row, question: &str, edited: bool) -> Result<bool, String> {
    let (domain, facts, plan) = (&row.domain, &row.facts, &row.plan);
    let words = words(question)?;
    let found = match words[0].as_str() {
        "reachable_in" | "valid_plan" => {
            let given = ["yes".to_owned()];
            let all = crate::naive::search::searched(domain, facts, plan, &[(question, &given)])?;
            let only = all.into_iter().next().ok_or("no answer")??;
            only.answer.ok_or("no only answer")?
        }
        "without" | "instead" | "swapped" if !edited => {
            crate::naive::answer(domain, facts, plan, words.last().ok_or("no question within")?)?
        }
        "always" | "at_some_time" | "before" | "without" | "instead" | "swapped" => {
            crate::naive::narrative::further(domain, facts, plan, question)?.0
        }
        _ => crate::naive::answer(domain, facts, plan, question)?,
    };
    match found.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["yes"] => Ok(true),
        ["no"] => Ok(false),
        other => Err(format!("{question} is answered {other:?}")),
    }
}

/// Whether the whole is answered yes where its parts are answered so.
fn whole(family: &str, parts: &[bool]) -> bool {
    match family {
        "both" | "all_of_three" => parts.iter().all(|part| *part),
        _ => parts.iter().any(|part| *part),
    }
}

/// What each part of a row's question is answered with; what is wrong with the row, otherwise.
fn parts(row: &Row, edited: bool) -> Result<Vec<bool>, String> {
    let query = words(&row.query)?;
    query[1..].iter().map(|question| part(row, question, edited)).collect()
}

/// Is a statement asked about twice in the story as it is told? What is always true is true now as well.
fn repeats(row: &Row) -> bool {
    let query = words(&row.query).unwrap();
    let mut about: Vec<String> = Vec::new();
    for question in &query[1..] {
        let words = words(question).unwrap();
        match words[0].as_str() {
            "always" | "at_some_time" | "before" => about.extend_from_slice(&words[1..]),
            name if EDITS.contains(&name) => {}
            _ => about.push(question.clone()),
        }
    }
    let count = about.len();
    about.sort_unstable();
    about.dedup();
    about.len() < count
}

fn judged(items: &[Item]) -> Vec<JudgedRow<'_>> {
    items
        .par_iter()
        .map(|Item { row, .. }| {
            let parts = parts(row, true).unwrap_or_else(|cause| panic!("{}: {cause}", row.query));
            let answer = if whole(&row.family, &parts) { "yes" } else { "no" };
            let (facts, plan) = (row.facts.join(" "), row.plan.join(" "));
            assert_eq!(row.gold.to_vec(), [answer], "{}\n  facts {facts}\n  plan {plan}", row.query);
            (row, parts)
        })
        .collect()
}

#[test]
fn composite_questions_have_the_answers_of_the_naive_simulator() {
    let looked_at = if crate::common::further::is_thorough() { 5 } else { 3 };
    for domain in ["blocks_hand", "dwr", "logistics", "blocks", "generic"].into_iter().take(looked_at) {
        let wanted = crate::common::further::naive_items(ITEMS);
        let items = crate::common::made(domain, &settings("composite", wanted, SEED));
        assert_eq!(items.len() as u64, wanted);
        let repeated = items.iter().find(|item| repeats(&item.row));
        assert!(repeated.is_none(), "{domain}: {}", repeated.unwrap().row.query);
        let judged = judged(&items);
        let mut families: BTreeMap<&str, Vec<&JudgedRow>> = BTreeMap::new();
        judged.iter().for_each(|item| families.entry(&item.0.family).or_default().push(item));
        assert_eq!(families.len(), 4, "{domain}");
        for (family, rows) in families {
            let share = |right: &dyn Fn(&JudgedRow) -> bool| {
                rows.iter().filter(|item| right(item)).count() as f64 / rows.len() as f64
            };
            let yes = share(&|(row, _)| row.answer == "yes");
            assert!((yes - 0.5).abs() < 0.03, "{domain} {family}: {yes} are answered yes");
            for place in 0..rows[0].1.len() {
                let agreeing = share(&|(row, parts)| parts[place] == (row.answer == "yes"));
                println!("{domain} {family}: part {place} agrees in {agreeing:.3}");
                assert!(agreeing <= MOST_AGREEING, "{domain} {family}: part {place} agrees in {agreeing}");
            }
            let edited = |row: &Row| EDITS.iter().any(|edit| row.query.contains(&format!("{edit}(")));
            let with_edits: Vec<&Row> = rows.iter().map(|item| item.0).filter(|row| edited(row)).collect();
            let right = with_edits.iter().filter(|row| {
                parts(row, false).is_ok_and(|parts| whole(family, &parts) == (row.answer == "yes"))
            });
            let overlooked = right.count() as f64 / with_edits.len() as f64;
            println!("{domain} {family}: {} rows, without edits {overlooked:.3}", with_edits.len());
            assert!(overlooked <= MOST_OVERLOOKED, "{domain} {family}: without edits {overlooked}");
        }
        let trivial = items.iter().filter(|item| item.trivial).count() as f64 / items.len() as f64;
        println!("{domain}: initially {trivial:.3}");
        assert!(trivial <= MOST_OVERLOOKED, "{domain}: {trivial} are answered by the initial situation");
    }
}

/// Where goals and plans are asked about, they are parts as well.
#[test]
fn composite_questions_are_about_goals_and_plans_where_these_are_asked() {
    let settings = Settings {
        ask: ["goals", "plans", "composite"].map(str::to_owned).into(),
        mix: [1, 0, 0],
        ..settings("composite", 300, SEED)
    };
    for domain in ["blocks", "logistics"] {
        let mut items = crate::common::made(domain, &settings);
        items.retain(|item| ["both", "either", "all_of_three", "any_of_three"].contains(&&*item.row.family));
        assert_eq!(items.len(), 100);
        let searching = judged(&items).iter().filter(|(row, _)| row.query.contains("goal(")).count();
        assert!(searching > 20, "{domain}: {searching}");
    }
}

/// What a row of the group undefined asks is one of the domain's questions, and is answered so where it names objects of the
/// text only.
fn undefined_fault(row: &Row) -> Option<String> {
    let query = words(&row.query).ok()?;
    let question = &query[1];
    let wanted = match names_a_stranger(row) {
        true => vec!["unanswerable".to_owned()],
        false => match crate::naive::answer(&row.domain, &row.facts, &row.plan, question) {
            Ok(answer) => answer,
            Err(cause) => return Some(cause),
        },
    };
    (*row.gold != *wanted).then(|| format!("the answer is {wanted:?}, and not {:?}", row.gold))
}

#[test]
fn questions_about_what_the_text_does_not_have_cannot_be_answered_and_others_can() {
    for domain in ["blocks", "blocks_hand", "dwr", "logistics"] {
        let wanted = crate::common::further::naive_items(ITEMS);
        let items = crate::common::made(domain, &settings("undefined", wanted, SEED));
        assert_eq!(items.len() as u64, wanted);
        let wrong: Vec<String> = items
            .par_iter()
            .filter_map(|item| {
                let (row, facts) = (&item.row, item.row.facts.join(" "));
                let fault = undefined_fault(row)?;
                Some(format!(
                    "{domain} {}: {fault}\n  facts {facts}\n  plan {}\n",
                    row.query,
                    row.plan.join(" ")
                ))
            })
            .collect();
        assert!(wrong.is_empty(), "{} wrong rows, such as {}", wrong.len(), wrong[0]);
        let answers = crate::common::count(items.iter().map(|item| item.row.answer.as_str()));
        println!("{domain}: {answers:?}");
        assert_eq!(answers.len(), 3, "{domain}: {answers:?}");
        let (most, least) = (answers.values().max().unwrap(), answers.values().min().unwrap());
        assert!(most - least <= items.len() / 30, "{domain}: {answers:?}");
        let trivial = items.iter().filter(|item| item.trivial).count() as f64 / items.len() as f64;
        println!("{domain}: initially {trivial:.3}");
        // The name that the text lacks stands in none of its paragraphs, and all names in other questions do.
        for Item { row, .. } in &items {
            let missing = row
                .question
                .split(|c: char| !c.is_alphanumeric() && c != '-')
                .filter(|word| word.contains('-') && !row.context.contains(word));
            let found: Vec<&str> = missing.collect();
            let expected = usize::from(row.answer == "cannot be answered");
            if domain == "dwr" && !row.query.contains("c0") {
                assert!(found.len() >= expected && (expected == 1 || found.is_empty()), "{}", row.question);
            }
        }
    }
}

/// Does the question name an object that is none of the text's? Objects are numbered from 1.
fn names_a_stranger(row: &Row) -> bool {
    let is_one = |word: &str| word.len() == 2 && word.ends_with('0');
    let known = |word: &str| row.objects.iter().any(|object| *object.id == *word);
    row.query.split(['(', ')', ',']).any(|word| is_one(word) && !known(word))
}

/// A question of each family, with the story that it is about.
#[test]
fn questions_about_questions_look_as_in_the_snapshots() {
    let of = |group: &str| Settings {
        levels: vec![1],
        depths: vec![3],
        ..settings(group, if group == "composite" { 60 } else { 40 }, SEED)
    };
    look_as_in_the_snapshots(&["blocks", "blocks_hand", "dwr", "logistics", "generic"], &["composite"], of);
    look_as_in_the_snapshots(&["blocks", "blocks_hand", "dwr", "logistics"], &["undefined"], of);
}
