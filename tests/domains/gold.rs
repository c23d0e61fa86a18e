//! Every answer is right: for thousands of rows of every domain, levels N1-N5, up to 5 actions, the gold answer is that of
//! the naive simulator, the plan can be carried out, and the facts are all that is true at first.

use std::collections::BTreeSet;

use racgen::data::row::Row;
use racgen::items::source::Item;
use rayon::prelude::*;

/// What is wrong with a row, if anything.
pub fn fault(row: &Row, statics: &BTreeSet<(String, usize)>) -> Option<String> {
    let gold: BTreeSet<&String> = row.gold.iter().collect();
    if gold.len() != row.gold.len() {
        return Some(format!("the answer {:?} repeats itself", row.gold));
    }
    if row.plan.len() != row.depth as usize {
        return Some(format!("the plan has not {} actions", row.depth));
    }
    // Objects and static facts aside, the facts are the fluents that are true at first.
    let objects: BTreeSet<String> = row.objects.iter().map(|o| format!("{}({})", o.kind, o.id)).collect();
    let mut told: Vec<String> = row
        .facts
        .iter()
        .filter(|fact| {
            let term = crate::common::term(fact);
            !objects.contains(*fact) && !statics.contains(&(term.functor().to_owned(), term.args().len()))
        })
        .cloned()
        .collect();
    told.sort();
    match crate::naive::true_fluents(&row.domain, &row.facts, &[]) {
        Err(error) => return Some(error),
        Ok(fluents) if fluents != told => {
            return Some(format!("true at first is {fluents:?}, and not {told:?}"));
        }
        Ok(_) => {}
    }
    match crate::naive::answer(&row.domain, &row.facts, &row.plan, &row.query) {
        Err(error) => Some(error),
        Ok(answer) if answer.iter().collect::<BTreeSet<_>>() != gold => {
            Some(format!("the answer is {answer:?}, and not {:?}", row.gold))
        }
        Ok(_) => None,
    }
}

#[test]
fn answers_are_those_of_the_naive_simulator() {
    for domain in crate::common::domains() {
        let known = crate::naive::answer(&domain, &[], &[], "").err();
        if known.is_some_and(|error| error.contains("unknown domain")) {
            eprintln!("{domain}: the naive simulator does not know it; its rows are not checked");
            continue;
        }
        let statics: BTreeSet<(String, usize)> =
            crate::common::package(&domain).statics.into_iter().collect();
        let deep = crate::corpus::deep(&domain).iter().step_by(4);
        let items: Vec<&Item> = crate::corpus::broad(&domain).iter().chain(deep).collect();
        assert!(items.len() >= 2_000);
        let faults: Vec<String> = items
            .par_iter()
            .filter_map(|item| {
                let row = &item.row;
                let fault = fault(row, &statics)?;
                Some(format!(
                    "{domain} N{}, depth {}, row {}: {}: {fault}\n  facts {}\n  plan {}\n",
                    row.level,
                    row.depth,
                    row.index,
                    row.query,
                    row.facts.join(" "),
                    row.plan.join(" ")
                ))
            })
            .collect();
        let first = faults.iter().take(3).map(String::as_str).collect::<String>();
        assert!(faults.is_empty(), "{} wrong rows of {domain}, such as\n{first}", faults.len());

        // The check is worth something only if it saw many kinds of questions.
        let families = crate::common::count(items.iter().map(|item| item.row.family.to_string()));
        println!("{domain}: {} families, {families:?}", families.len());
        assert!(families.len() >= 10, "{domain} has few families: {families:?}");
        for scene in ["after", "changes", "executable"] {
            // What a supposed action changes, the actions settle in `blocks_hand`: no two such questions can be paired.
            // In `logistics` only packages that ride along, or do not, make pairs, and few stories have both.
            let settled = ["blocks_hand", "logistics"].contains(&&*domain) && scene == "changes";
            assert!(settled || families.contains_key(scene), "{domain} never asks `{scene}`");
        }
    }
}
