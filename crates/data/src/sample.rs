//! Rows for tests: stories of twelve questions with texts of the usual length.

use std::sync::Arc;

use crate::row::{ObjectName, Row};

const NAMES: [&str; 12] = [
    "anvil", "beacon", "candle", "drum", "easel", "flask", "goblet", "hammer", "inkwell", "jar", "kettle",
    "NA",
];

/// The first rows of a made-up data set, always the same.
pub(crate) fn rows(count: usize) -> Vec<Row> {
    (0..count.div_ceil(12)).flat_map(story).take(count).collect()
}

fn story(number: usize) -> Vec<Row> {
    let mut state = number as u64 + 1;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut paragraph = |sentences: usize| {
        let mut text = String::new();
        for _ in 0..sentences {
            let (a, b) = (NAMES[draw(NAMES.len())], NAMES[draw(NAMES.len())]);
            text += &format!("The \"{a}\" no. {} stands on the {b}, and nothing is on it. ", draw(30));
        }
        text
    };
    let depth = number % 5 + 1;
    let (initial_state, actions) = (paragraph(14), paragraph(depth));
    let rules =
        "A block can be moved if nothing is on it.\nIt is moved onto a clear block, or onto the table. "
            .repeat(8);
    let context = format!("{initial_state}\n\n{rules}\n\n{actions}");
    let (initial_state, rules, actions): (Arc<str>, Arc<str>, Arc<str>) =
        (initial_state.into(), rules.into(), actions.into());
    let context: Arc<str> = context.into();
    let world: Arc<str> = format!("{:032x}", number / 2).into();
    let objects: Arc<[ObjectName]> = (0..number % 9)
        .map(|i| ObjectName { id: format!("b{i}").into(), kind: "block".into(), name: NAMES[i].into() })
        .collect();
    let facts: Arc<[String]> = (0..20).map(|i| format!("on(b{i},b{})", draw(20))).collect();
    let plan: Arc<[String]> = (0..depth).map(|i| format!("move(b{i},b{})", draw(20))).collect();
    (0..12)
        .map(|question| {
            let (question_type, answer_type, gold) = match question % 3 {
                0 => ("verify", "bool", vec![if draw(2) == 0 { "yes" } else { "no" }.to_string()]),
                1 => ("count", "number", vec![draw(7).to_string()]),
                _ => ("other", "names", (0..draw(3)).map(|i| format!("b{i}")).collect()),
            };
            Row {
                id: format!("{:032x}", number * 12 + question),
                domain: "blocks".into(),
                split: ["train", "dev"][number % 2].into(),
                world: world.clone(),
                level: (number % 3) as i32 + 1,
                depth: depth as i32,
                question_type: question_type.into(),
                family: ["on", "clear", "above"][question % 3].into(),
                template: format!("on/{}", draw(4)),
                context: context.clone(),
                initial_state: initial_state.clone(),
                rules: rules.clone(),
                actions: actions.clone(),
                question: format!("Is the {} on the ä{}, or not?", NAMES[draw(12)], draw(40)),
                answer: if gold.is_empty() { "None".into() } else { gold.join(", ") },
                answer_type: answer_type.into(),
                objects: objects.clone(),
                facts: facts.clone(),
                plan: plan.clone(),
                query: format!("on(b{},b{})", draw(20), draw(20)),
                gold,
                seed: 42,
                index: (number * 12 + question) as i64,
                ..Row::default()
            }
        })
        .collect()
}
