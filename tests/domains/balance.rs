//! Labels are balanced: yes and no are equally frequent wherever items are compared with each other, answers vary, the
//! share of questions that can be answered without the actions is bounded, and a wrong statement is nearly true.

use std::collections::{BTreeMap, BTreeSet};

use racgen::data::row::Row;
use racgen::items::source::Item;

/// Items that are compared with each other: of one split, type, family, level and depth.
type Cell = (String, String, String, i32, i32);

fn cell(row: &Row) -> Cell {
    (row.split.to_string(), row.question_type.to_string(), row.family.to_string(), row.level, row.depth)
}

fn percent(part: usize, whole: usize) -> usize {
    100 * part / whole.max(1)
}

#[test]
fn labels_are_balanced_and_answers_vary() {
    let mut all_faults = Vec::new();
    for domain in crate::common::domains() {
        let items = crate::corpus::deep(&domain);
        let mut cells: BTreeMap<Cell, Vec<&Item>> = BTreeMap::new();
        for item in items {
            cells.entry(cell(&item.row)).or_default().push(item);
        }
        let mut faults = Vec::new();
        let (mut exact, mut all) = (0, 0);
        for (cell, items) in &cells {
            let answers = crate::common::count(items.iter().map(|item| item.row.gold.join(" ")));
            if cell.1 == "verify" {
                let of = |label: &str| answers.get(label).copied().unwrap_or(0);
                let (yes, no) = (of("yes"), of("no"));
                exact += usize::from(yes.abs_diff(no) <= 1);
                all += 1;
                if yes.abs_diff(no) as f64 > f64::max(2.0, 0.05 * items.len() as f64) {
                    faults.push(format!("{cell:?}: {yes} yes, {no} no"));
                }
            } else if items.len() >= 30 {
                let most = answers.values().max().copied().unwrap_or(0);
                if answers.len() < 2 || percent(most, items.len()) > 90 {
                    faults.push(format!("{cell:?}: the answers are {answers:?}"));
                }
            }
        }
        println!("{domain}: yes = no within 1 in {exact} of {all} cells");
        if percent(exact, all) < 98 {
            faults.push(format!("yes = no within 1 in {exact} of {all} cells only"));
        }
        // Overall the balance is exact within each split, level and depth.
        let mut labels: BTreeMap<(String, i32, i32), [usize; 2]> = BTreeMap::new();
        for item in items.iter().filter(|item| item.row.question_type == "verify") {
            let key = (item.row.split.to_string(), item.row.level, item.row.depth);
            labels.entry(key).or_default()[usize::from(item.row.gold == ["yes"])] += 1;
        }
        for (key, [no, yes]) in &labels {
            if yes.abs_diff(*no) as f64 > f64::max(1.0, 0.01 * (yes + no) as f64) {
                faults.push(format!("{key:?}: {yes} yes, {no} no of all verify questions"));
            }
        }
        all_faults.extend(faults.into_iter().map(|fault| format!("{domain}: {fault}")));
        trivial_share(&domain, items);
        near_misses(&domain, items);
    }
    assert!(all_faults.is_empty(), "{} faults\n{}", all_faults.len(), all_faults.join("\n"));
}

/// Overall at most 65 % of the questions have the same answer without the actions.
fn trivial_share(domain: &str, items: &[Item]) {
    let share = |items: &[&Item]| percent(items.iter().filter(|item| item.trivial).count(), items.len());
    let overall = share(&items.iter().collect::<Vec<_>>());
    for kind in ["verify", "count", "other"] {
        let of: Vec<&Item> = items.iter().filter(|item| item.row.question_type == kind).collect();
        let mut families: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
        of.iter().for_each(|item| families.entry(&item.row.family).or_default().push(item));
        let each: Vec<String> =
            families.iter().map(|(family, items)| format!("{family} {} %", share(items))).collect();
        println!("{domain}: {} % of {kind} questions are trivial: {}", share(&of), each.join(", "));
    }
    println!("{domain}: {overall} % of all questions are trivial");
    assert!(overall <= 65, "{domain}: {overall} % of all questions are trivial");
    let verify: Vec<&Item> = items.iter().filter(|item| item.row.question_type == "verify").collect();
    // The label tells nothing about triviality.
    let of = |label: &str| -> Vec<&Item> {
        verify.iter().filter(|item| item.row.gold == [label]).copied().collect()
    };
    let (yes, no) = (share(&of("yes")), share(&of("no")));
    assert!(yes.abs_diff(no) <= 10, "{domain}: {yes} % of yes and {no} % of no are trivial");
}

/// Most relations that are asked for and false differ from a true one in one object.
fn near_misses(domain: &str, items: &[Item]) {
    let (mut near, mut all) = (0, 0);
    for row in items.iter().map(|item| &item.row).filter(|row| row.gold == ["no"]) {
        let query = crate::common::term(&row.query);
        let Ok(fluents) = crate::naive::true_fluents(domain, &row.facts, &row.plan) else { continue };
        let objects: BTreeSet<&str> = row.objects.iter().map(|o| o.id.as_ref()).collect();
        let binary = query.args().len() == 2
            && query.args().iter().all(|a| objects.contains(a.functor()))
            && fluents.iter().any(|f| f.starts_with(&format!("{}(", query.functor())));
        if !binary {
            continue;
        }
        all += 1;
        let differs = |fluent: &String| {
            let fluent = crate::common::term(fluent);
            fluent.is(query.functor(), 2)
                && fluent.args().iter().zip(query.args()).filter(|(a, b)| a != b).count() == 1
        };
        near += usize::from(fluents.iter().any(differs));
    }
    println!("{domain}: {near} of {all} false relations are near misses");
    assert!(
        all < 20 || percent(near, all) >= 80,
        "{domain}: {near} of {all} false relations are near misses"
    );
}
