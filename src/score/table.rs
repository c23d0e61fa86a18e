//! Scores to tables.

use std::collections::BTreeSet;

use racgen_data::table::{Cell, Table, TableStyle, print};

use crate::score::paper::{narrow, tables};
use crate::score::run::{FOR_PAPER, GROUPINGS, Score, ScoreTally};

/// The groups of a way of grouping, over all scores.
fn groups(scores: &[Score], grouping: &str) -> Vec<String> {
    let all: BTreeSet<&String> =
        scores.iter().filter_map(|s| s.groups.get(grouping)).flat_map(|g| g.keys()).collect();
    let mut all: Vec<String> = all.into_iter().cloned().collect();
    // A10 comes after A9.
    all.sort_by_key(|name| {
        let start = name.trim_end_matches(|c: char| c.is_ascii_digit());
        (start.to_owned(), name[start.len()..].parse::<u64>().unwrap_or(0))
    });
    all
}

fn tally(score: &Score, grouping: &str, group: &str) -> Option<ScoreTally> {
    score.groups.get(grouping)?.get(group).copied()
}

/// Writes the scores: text and LaTeX as people read them; JSON as one object a predictor; CSV with one line a predictor
/// and group.
pub fn write(scores: &[Score], style: TableStyle) -> String {
    // What no item has, such as pairs, has no table.
    let told = |grouping: &&str| !FOR_PAPER.contains(grouping) && !groups(scores, grouping).is_empty();
    let groupings = || GROUPINGS.into_iter().filter(told);
    match style {
        TableStyle::Json => serde_json::to_string_pretty(scores).unwrap_or_default() + "\n",
        TableStyle::Csv => print(&[long(scores)], style),
        TableStyle::Text => {
            let all: Vec<Table> =
                groupings().map(|grouping| down(scores, grouping)).chain(tables(scores)).collect();
            format!("{}\n{}", lead(scores), print(&all, style))
        }
        TableStyle::Latex => {
            let across = groupings().map(|grouping| across(scores, grouping));
            let all: Vec<Table> = tables(scores).into_iter().chain(across).collect();
            let lead = "% Exact match in percent, with the half-widths of 95 % intervals.\n";
            format!("{lead}\n{}", print(&all, style))
        }
    }
}

/// What is said before the tables.
fn lead(scores: &[Score]) -> String {
    let missing = scores
        .iter()
        .filter(|s| s.missing > 0)
        .map(|s| format!("{}: {} items have no prediction and count as wrong.\n", s.name, s.missing));
    let unknown = scores.iter().filter(|s| s.unknown > 0).map(|s| {
        let why = "it has no answer to them, and they do not count";
        format!("{}: {} items are left out; {why}.\n", s.name, s.unknown)
    });
    let first = "Exact match in percent, with 95 % intervals.\n".to_owned();
    std::iter::once(first).chain(missing).chain(unknown).collect()
}

/// Groups down, predictors across.
fn down(scores: &[Score], grouping: &str) -> Table {
    let cell = |tally: ScoreTally| {
        let (low, high) = tally.interval();
        Cell::Interval(100.0 * tally.accuracy(), 100.0 * low, 100.0 * high)
    };
    let row = |group: String| {
        let all: Vec<Option<ScoreTally>> = scores.iter().map(|s| tally(s, grouping, &group)).collect();
        let items = all.iter().flatten().map(|t| t.items).max().unwrap_or(0);
        let cells = all.into_iter().map(|t| t.map_or(Cell::None, cell));
        [Cell::Text(group), Cell::Count(items)].into_iter().chain(cells).collect()
    };
    let names = scores.iter().map(|s| s.name.as_str());
    Table {
        head: [grouping, "items"].into_iter().chain(names).map(str::to_owned).collect(),
        rows: groups(scores, grouping).into_iter().map(row).collect(),
        ..Table::default()
    }
}

/// Predictors down, groups across, as the paper has training levels and test levels.
fn across(scores: &[Score], grouping: &str) -> Table {
    let groups = groups(scores, grouping);
    let row = |score: &Score| {
        let cells = groups.iter().map(|group| narrow(tally(score, grouping, group)));
        std::iter::once(Cell::Text(score.name.clone())).chain(cells).collect()
    };
    Table {
        title: format!("by {grouping}"),
        rows: scores.iter().map(row).collect(),
        head: std::iter::once(String::new()).chain(groups.iter().cloned()).collect(),
        ..Table::default()
    }
}

/// One line a predictor and group.
fn long(scores: &[Score]) -> Table {
    let head = ["predictor", "grouping", "group", "items", "right", "accuracy", "low", "high"];
    let mut rows = Vec::new();
    for score in scores {
        for grouping in GROUPINGS {
            for group in groups(scores, grouping) {
                let Some(t) = tally(score, grouping, &group) else { continue };
                let (low, high) = t.interval();
                let names = [score.name.clone(), grouping.to_owned(), group].map(Cell::Text);
                // Four decimals are enough for shares.
                let shares = [t.accuracy(), low, high].map(|share| Cell::Text(format!("{share:.4}")));
                let counts = [Cell::Count(t.items), Cell::Count(t.right)];
                rows.push(names.into_iter().chain(counts).chain(shares).collect());
            }
        }
    }
    Table { head: head.map(str::to_owned).into(), rows, ..Table::default() }
}
