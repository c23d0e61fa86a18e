//! Scores as the paper has them: predictors down, called after what they were trained on; levels, depths or domains and
//! the three types of questions across (Banerjee et al., tables 1, 2 and 16 to 21).

use std::collections::BTreeSet;

use racgen_data::table::{Cell, Table};

use crate::score::run::{Score, ScoreTally};
use crate::simulate::transitions::compiled_layout::Kind;

/// An accuracy in percent, with half the width of its interval.
pub(crate) fn narrow(tally: Option<ScoreTally>) -> Cell {
    tally.map_or(Cell::None, |t| {
        let (low, high) = t.interval();
        Cell::PlusMinus(100.0 * t.accuracy(), 50.0 * (high - low))
    })
}

/// A row: the predictor, and its cells; none where it was not tested.
fn row(score: &Score, cells: impl Iterator<Item = Option<ScoreTally>>) -> Vec<Cell> {
    std::iter::once(Cell::Text(score.name.clone())).chain(cells.map(narrow)).collect()
}

/// The head, behind the name of the first column.
fn head<T: ToString>(names: impl Iterator<Item = T>) -> Vec<String> {
    std::iter::once("train / test".to_owned()).chain(names.map(|name| name.to_string())).collect()
}

/// A type of question, as the paper's tables call it.
fn short(kind: Kind) -> &'static str {
    match kind {
        Kind::Verify => "T/F",
        Kind::Count => "Num",
        Kind::Other => "Other",
    }
}

/// The grouping by domain, type and level or depth, and its letter.
const BY: [(&str, char); 2] = [("domain, type and level", 'N'), ("domain, type and depth", 'A')];

/// A group of one of them: `dwr verify N5`.
fn parse(group: &str) -> Option<(&str, &str, u32)> {
    let (rest, number) = group.rsplit_once(' ')?;
    let (domain, kind) = rest.rsplit_once(' ')?;
    Some((domain, kind, number[1..].parse().ok()?))
}

/// The paper's tables, as far as the scores fill them.
pub fn tables(scores: &[Score]) -> Vec<Table> {
    let groups = |grouping: &str| -> BTreeSet<(String, u32)> {
        let all = scores.iter().filter_map(|score| score.groups.get(grouping)).flat_map(|g| g.keys());
        all.filter_map(|group| parse(group)).map(|(domain, _, number)| (domain.to_owned(), number)).collect()
    };
    let cell = |score: &Score, grouping: &str, group: String| {
        score.groups.get(grouping).and_then(|groups| groups.get(&group)).copied()
    };
    let [levels, depths] = BY.map(|(grouping, _)| groups(grouping));
    let domains: BTreeSet<&String> = levels.iter().map(|(domain, _)| domain).collect();
    let mut tables = Vec::new();
    let greatest = |all: &BTreeSet<(String, u32)>| all.iter().map(|(_, number)| *number).max();
    if let Some(level) = greatest(&levels) {
        let of = |score, domain: &String| cell(score, BY[0].0, format!("{domain} verify N{level}"));
        tables.push(Table {
            title: format!("Yes/no questions at N{level}, by domain (as table 1)"),
            head: head(domains.iter()),
            rows: scores.iter().map(|s| row(s, domains.iter().map(|domain| of(s, domain)))).collect(),
            ..Table::default()
        });
    }
    if let Some(depth) = greatest(&depths) {
        let columns = domains.iter().flat_map(|domain| Kind::ALL.map(|kind| (domain, kind)));
        let of_score = |score: &Score| {
            let of = |(domain, kind): (&&String, Kind)| {
                cell(score, BY[1].0, format!("{domain} {} A{depth}", kind.name()))
            };
            row(score, columns.clone().map(of))
        };
        tables.push(Table {
            title: format!("The three types of questions at A{depth}, by domain (as table 2)"),
            spans: domains.iter().map(|domain| ((*domain).clone(), Kind::ALL.len())).collect(),
            head: head(columns.clone().map(|(_, kind)| short(kind))),
            rows: scores.iter().map(of_score).collect(),
            ..Table::default()
        });
    }
    for domain in domains {
        for ((grouping, letter), known) in BY.into_iter().zip([&levels, &depths]) {
            let numbers: Vec<u32> = known.iter().filter(|(d, _)| d == domain).map(|(_, n)| *n).collect();
            if numbers.len() < 2 {
                continue;
            }
            let columns = numbers.iter().flat_map(|number| Kind::ALL.map(|kind| (*number, kind)));
            let of_score = |score: &Score| {
                let of = |(number, kind): (u32, Kind)| {
                    cell(score, grouping, format!("{domain} {} {letter}{number}", kind.name()))
                };
                row(score, columns.clone().map(of))
            };
            let (what, after) = match letter {
                'A' => ("depth", " (as tables 16 to 21)"),
                _ => ("level", ""),
            };
            tables.push(Table {
                title: format!("{domain}: training against the {what} of the test{after}"),
                spans: numbers.iter().map(|number| (format!("{letter}{number}"), Kind::ALL.len())).collect(),
                head: head(columns.clone().map(|(_, kind)| short(kind))),
                rows: scores.iter().map(of_score).collect(),
                ..Table::default()
            });
        }
    }
    tables
}
