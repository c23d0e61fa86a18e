//! Rare answers are sought: questions that random plans hardly ever answer with yes come with both answers all the same,
//! and the plan does not tell which.

use std::collections::BTreeMap;

use racgen::factory::settings::Settings;

use crate::common;

/// Verify items of a family: by answer, the number of actions of each kind in their plans.
fn asked(domain: &str, depth: i32, family: &str) -> BTreeMap<String, Vec<BTreeMap<String, usize>>> {
    let settings =
        Settings { items: 2400, levels: vec![1], depths: vec![depth], mix: [1, 0, 0], ..Settings::default() };
    let mut found: BTreeMap<String, Vec<BTreeMap<String, usize>>> = BTreeMap::new();
    for item in common::made(domain, &settings).into_iter().filter(|item| *item.row.family == *family) {
        // A move to the table is another kind of action than one onto a block.
        let kind = |action: &String| {
            let name = action.split('(').next().unwrap_or_default().to_owned();
            if action.contains("table") { name + " to the table" } else { name }
        };
        found
            .entry(item.row.answer.to_string())
            .or_default()
            .push(common::count(item.row.plan.iter().map(kind)));
    }
    found
}

#[test]
fn all_blocks_come_to_stand_on_the_table() {
    for depth in [3, 5] {
        let asked = asked("blocks", depth, "all_on_table");
        println!("blocks, {depth} actions: {asked:?}");
        let [yes, no] = ["yes", "no"].map(|answer| asked.get(answer).cloned().unwrap_or_default());
        assert!(!yes.is_empty() && yes.len() == no.len(), "{asked:?}");
        let mut sorted = [yes, no];
        sorted.iter_mut().for_each(|plans| plans.sort());
        assert_eq!(sorted[0], sorted[1], "the actions tell the answer");
    }
}

#[test]
fn all_fluents_of_a_theory_come_to_be_true() {
    let asked = asked("generic", 2, "all_true");
    let count = |answer: &str| asked.get(answer).map_or(0, Vec::len);
    println!("generic: {} yes, {} no", count("yes"), count("no"));
    assert!(count("yes") >= 10 && count("yes") == count("no"));
}
