//! Promises about the domains of the library, and about any package that was just dropped in: its answers
//! are those of its naive simulator, its labels are level, its texts well formed.
//!
//! The domains of the papers are tested at greater length by the other files.

use std::collections::BTreeSet;

use racgen::factory::settings::Settings;
use racgen::items::source::Item;
use rayon::prelude::*;

use crate::common::further::in_turn;

/// Rows of all levels and three lengths of stories, in one split.
fn made(domain: &str) -> Vec<Item> {
    let settings = Settings {
        levels: (1..=5).collect(),
        depths: vec![1, 3, 5],
        items: 180,
        splits: crate::common::splits(&[("train", 1.0)]),
        seed: 17,
        ..Settings::default()
    };
    crate::common::made(domain, &settings)
}

/// Does the naive simulator know the domain?
fn simulated(domain: &str) -> bool {
    let error = crate::naive::answer(domain, &[], &[], "").err();
    let known = !error.is_some_and(|error| error.contains("unknown domain"));
    if !known {
        eprintln!("{domain}: the naive simulator does not know it; its answers are not checked");
    }
    known
}

#[test]
fn the_library_answers_as_its_naive_simulators() {
    for domain in crate::common::library() {
        let items = made(&domain);
        assert_eq!(items.len(), 180);
        if simulated(&domain) {
            let package = crate::common::package(&domain);
            let statics: BTreeSet<(String, usize)> = package.statics.into_iter().collect();
            let wrong: Vec<String> = items
                .par_iter()
                .filter_map(|Item { row, .. }| {
                    let fault = crate::gold::fault(row, &statics)?;
                    let (facts, plan) = (row.facts.join(" "), row.plan.join(" "));
                    Some(format!("{domain} {}: {fault}\n  facts {facts}\n  plan {plan}\n", row.query))
                })
                .collect();
            let first = wrong.iter().take(3).map(String::as_str).collect::<String>();
            assert!(wrong.is_empty(), "{} wrong rows of {domain}, such as\n{first}", wrong.len());
        }
        let families = crate::common::count(items.iter().map(|item| item.row.family.to_string()));
        println!("{domain}: {families:?}");
        assert!(families.len() >= 10, "{domain} has few families: {families:?}");
        let malformed = crate::items::malformed(&domain, &items);
        let first: Vec<&String> = malformed.iter().take(8).collect();
        assert!(malformed.is_empty(), "{domain}: {} faults, such as {first:#?}", malformed.len());
        let verify = items.iter().filter(|item| item.row.question_type == "verify");
        let answers = crate::common::count(verify.map(|item| item.row.answer.clone()));
        let of = |label: &str| answers.get(label).copied().unwrap_or(0);
        assert!(of("yes").abs_diff(of("no")) <= 4, "{domain}: {answers:?}");
    }
}

#[test]
fn the_library_plans_as_its_naive_simulators() {
    let all = crate::common::library().into_iter().filter(|domain| simulated(domain));
    for (place, domain) in all.enumerate() {
        for group in in_turn(&["goals", "plans"], place) {
            // The smallest world of some domains offers no question of a group that depends on the story.
            let of_level = |level: i32| {
                let own = crate::common::further::settings(group, 10, 5);
                let settings = Settings { levels: vec![level], depths: vec![2], ..own };
                crate::common::items(&crate::common::factory(&domain, &settings))
            };
            let items = of_level(1).or_else(|_| of_level(2)).unwrap_or_else(|e| panic!("{domain}: {e}"));
            let wrong: Vec<String> =
                items.par_iter().flat_map_iter(|item| crate::searches::faults(&[&item.row])).collect();
            let (open, wrong): (Vec<&String>, Vec<&String>) =
                wrong.iter().partition(|fault| fault.contains(crate::naive::search::TOO_MANY));
            let first = wrong.iter().take(3).map(|fault| fault.as_str()).collect::<String>();
            assert!(wrong.is_empty(), "{} wrong rows of {domain}, {group}, such as\n{first}", wrong.len());
            assert!(2 * open.len() <= items.len(), "{} rows of {domain}, {group} are open", open.len());
        }
    }
}
