//! Labels are balanced: yes and no are equally frequent wherever items are compared with each other, answers vary, the
//! share of questions that can be answered without the actions is bounded, and so it is in every prefix and small split.

use std::collections::BTreeMap;

use racgen::data::row::Row;
use racgen::factory::settings::Settings;
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
                if yes.abs_diff(no) as f64 > f64::max(3.0, 0.08 * items.len() as f64) {
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
        // A pair may lie across two streams, and where none is found two forms have one label each.
        if percent(exact, all) < 75 {
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
    // What the initial situation answers tells nothing about the label.
    for initially in ["yes", "no"] {
        let gives = |item: &&Item| (item.row.gold == [initially]) == item.trivial;
        let here: Vec<&Item> = verify.iter().filter(|item| gives(item)).copied().collect();
        let right = here.iter().filter(|item| item.trivial).count();
        println!(
            "{domain}: where the initial situation says {initially}, it is right in {right} of {}",
            here.len()
        );
        // A tenth from the half, and what chance does to so few.
        let from_half = (right as f64 - here.len() as f64 / 2.0).abs();
        assert!(
            from_half <= 0.1 * here.len() as f64 + 0.75 * (here.len() as f64).sqrt(),
            "{domain}: where the initial situation says {initially}, it is right in {right} of {}",
            here.len()
        );
    }
}

/// Many small streams: five levels with three depths share a few hundred items.
fn small(domain: &str, items: u64) -> Vec<Item> {
    let settings =
        Settings { levels: (1..=5).collect(), depths: vec![1, 3, 5], items, seed: 3, ..Settings::default() };
    crate::common::made(domain, &settings)
}

#[test]
fn every_prefix_of_every_split_is_even() {
    for domain in ["blocks_hand", "dwr", "generic"] {
        let items = small(domain, 600);
        let mut lead: BTreeMap<String, (i64, i64)> = BTreeMap::new();
        let mut trivial: BTreeMap<String, [usize; 2]> = BTreeMap::new();
        for item in items.iter().filter(|item| item.row.question_type == "verify") {
            let (now, most) = lead.entry(item.row.split.to_string()).or_default();
            *now += if item.row.gold == ["yes"] { 1 } else { -1 };
            *most = (*most).max(now.abs());
            trivial.entry(item.row.split.to_string()).or_default()[usize::from(item.trivial)] += 1;
        }
        for (split, (_, most)) in &lead {
            assert!(*most <= 1, "{domain} {split}: one label leads by {most} somewhere");
        }
        for (split, [changed, same]) in &trivial {
            let share = percent(*same, changed + same);
            println!("{domain} {split}: the initial situation answers {share} % of {} items", changed + same);
            assert!((30..=70).contains(&share), "{domain} {split}: the initial situation answers {share} %");
        }
    }
}
