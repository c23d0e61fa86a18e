//! Promise: items about goals and plans are read back and answered anew by `racgen audit`, which finds a wrong one; `racgen
//! score` carries out predicted plans, told in any way, and says what is wrong with them.

use std::time::Duration;

use racgen::audit::reread::judge::Reread;
use racgen::data::row::{ExtraValue, ObjectName, Row};
use racgen::domain::catalogue::Catalogue;
use racgen::score::plans_said::{PlanReader, PlanVerdict};
use racgen::score::run::answers_in;

use crate::common::further::rows_of_command;

const LIMIT: Duration = Duration::from_secs(60);

const SETS: [&str; 4] = [
    "--domain blocks --depth 3 --items 120 --ask goals,plans --splits train=1",
    "--domain logistics --depth 2,4 --items 100 --ask goals,plans --splits train=1",
    "--domain generic --depth 3 --items 100 --ask goals,plans --splits train=1",
    "--domain dwr --depth 3 --items 100 --ask goals,plans --as generic --splits train=1",
];

/// The row with another label or number, or the answer of another row of its type.
fn altered(row: &Row, all: &[Row]) -> Row {
    let mut changed = row.clone();
    let other = match &*row.answer {
        "yes" => Some("no".to_owned()),
        "no" => Some("yes".to_owned()),
        answer => answer.parse::<i64>().ok().map(|number| (number + 1).to_string()),
    };
    let differs = |other: &&Row| {
        let kind = if row.answer == "none" { "action" } else { &row.answer_type };
        other.answer_type == kind && other.gold != row.gold
    };
    match (other, all.iter().find(differs)) {
        (Some(answer), _) => {
            changed.gold = vec![answer.clone()];
            changed.answer = answer;
        }
        (None, Some(other)) => {
            changed.answer.clone_from(&other.answer);
            changed.gold.clone_from(&other.gold);
            changed.answer_type = other.answer_type.clone();
        }
        (None, None) => panic!("all rows of {} have one answer", row.answer_type),
    }
    changed
}

#[test]
fn every_item_about_goals_and_plans_is_read_back_and_answered_anew() {
    let catalogue = Catalogue::find(&[]).unwrap();
    for command in SETS {
        let rows = rows_of_command(command);
        let reread = Reread::new(&catalogue, LIMIT);
        for (row, verdict) in rows.iter().zip(reread.judge(&rows, &|_| ())) {
            assert!(verdict.is_ok(), "{command}: {}\n{}\n{verdict:?}", row.question, row.query);
        }
        let wrong: Vec<Row> = rows.iter().map(|row| altered(row, &rows)).collect();
        let mut passed = 0;
        for ((row, other), verdict) in rows.iter().zip(&wrong).zip(reread.judge(&wrong, &|_| ())) {
            // The plan of another item may be one for this item, too.
            match &*row.answer_type {
                "plan" => passed += usize::from(verdict.is_ok()),
                _ => assert!(verdict.is_err(), "{command}: {} passes as {}", row.query, other.answer),
            }
        }
        assert!(passed < 4, "{command}: {passed} plans of other items pass");
        for column in ["plan_length", "judge", "searched"] {
            let with = rows.iter().filter(|row| row.extra.contains_key(column));
            let moved: Vec<Row> = with
                .map(|row| {
                    let mut row = row.clone();
                    let value = match &row.extra[column] {
                        ExtraValue::Number(number) => ExtraValue::Number(number + 1),
                        _ => ExtraValue::Text("nobody".into()),
                    };
                    row.extra.insert(column.into(), value);
                    row
                })
                .collect();
            assert!(!moved.is_empty());
            assert!(
                reread.judge(&moved, &|_| ()).iter().all(Result::is_err),
                "{command}: {column} is not read"
            );
        }
    }
}

#[test]
fn predicted_plans_are_carried_out() {
    let catalogue = Catalogue::find(&[]).unwrap();
    for command in SETS {
        let rows = rows_of_command(command);
        let plans: Vec<&Row> = rows.iter().filter(|row| row.answer_type == "plan").collect();
        assert!(plans.len() > 5, "{command}: {} plans", plans.len());
        let mut reader = PlanReader::new(&catalogue);
        for row in plans {
            assert!(answers_in(&catalogue, &row.answer, row), "{}: {}", row.query, row.answer);
            let parts: Vec<&str> = row.answer.split("; ").collect();
            let lines: Vec<String> =
                parts.iter().enumerate().map(|(n, part)| format!("{}. {part}.", n + 1)).collect();
            let told = [
                lines.join("\n"),
                format!("Here is a plan:\n{}", parts.join("\n")),
                format!("First, {}.", parts.join(". Then ")),
                format!("{}.", parts.join(", and then ")),
                row.gold.join("; "),
                row.gold.join(", "),
            ];
            for text in told {
                let verdict = reader.verdict(&text, row);
                assert!(verdict.is_right() && verdict.is_optimal(), "{}: {text}: {verdict}", row.query);
            }
            // A shortest plan without its last action is none.
            let shorter = row.gold[..row.gold.len() - 1].join("; ");
            assert!(!reader.verdict(&shorter, row).succeeds(), "{}: {shorter}", row.query);
            assert!(matches!(reader.verdict("Whatever you like.", row), PlanVerdict::Unreadable(_)));
        }
    }
}

#[test]
fn it_is_said_what_is_wrong_with_a_plan() {
    let catalogue = Catalogue::find(&[]).unwrap();
    let object = |id: &str, name: &str| ObjectName { id: id.into(), kind: "block".into(), name: name.into() };
    let facts = ["block(b1)", "block(b2)", "block(b3)", "on(b3,b1)", "ontable(b1)", "ontable(b2)"];
    let row = Row {
        domain: "blocks".into(),
        level: 1,
        answer_type: "plan".into(),
        facts: facts.map(str::to_owned).to_vec().into(),
        plan: vec!["move(b3,table)".to_owned()].into(),
        query: "plan(goal(on(b1,b2),neg(on(b3,b1))))".into(),
        answer: "Agnes moves the red block onto the blue block".into(),
        gold: vec!["move(b1,b2)".to_owned()],
        objects: vec![object("b1", "red"), object("b2", "blue"), object("b3", "green")].into(),
        template: "plan.1".into(),
        ..Row::default()
    };
    let mut reader = PlanReader::new(&catalogue);
    let mut said = |text: &str| reader.verdict(text, &row).to_string();
    assert_eq!(
        said("Hugo moves the red block onto the blue block."),
        "the plan reaches the goal with 1 actions; the fewest are 1"
    );
    assert_eq!(
        said("move(b1,b3), move(b1,b2)"),
        "the plan reaches the goal with 2 actions, and 1 are allowed"
    );
    assert_eq!(
        said(
            "1. Hugo moves the blue block onto the red block.\n2. The red block is moved onto the green block."
        ),
        "action 2, `move(b1,b3)`, cannot be carried out when its turn comes"
    );
    assert_eq!(said("move(b2,b1)"), "the goal is missed: `on(b1,b2)` is not so at the end");
    assert_eq!(said("move(b3,b2)\nmove(b1,b4)"), "\"move(b1,b4)\" is no action of the story's world");
    assert!(!answers_in(&catalogue, "move(b1,b3), move(b1,b2)", &row));
    let within = Row { query: "plan_within(goal(on(b1,b2)),2)".into(), ..row.clone() };
    assert!(answers_in(&catalogue, "move(b1,b3), move(b1,b2)", &within));
    // The green block has come back to where it was.
    let changed = Row {
        query: "new_plan(goal(on(b3,b1),neg(ontable(b3)),neg(clear(b1))),goal(on(b1,b2)))".into(),
        gold: ["move(b3,table)", "move(b1,b2)"].map(str::to_owned).to_vec(),
        ..row
    };
    let mut said = |text: &str| reader.verdict(text, &changed).to_string();
    assert_eq!(said("move(b1,b2)"), "action 1, `move(b1,b2)`, cannot be carried out when its turn comes");
    assert_eq!(
        said("move(b3,table); move(b1,b2)"),
        "the plan reaches the goal with 2 actions; the fewest are 2"
    );
    assert!(!answers_in(&catalogue, "move(b1,b2)", &changed));
}
