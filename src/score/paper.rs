//! Scores as the paper has them: predictors down, called after what they were trained on; levels, depths or domains and
//! the three types of questions across (Banerjee et al., tables 1, 2 and 16 to 21).

use std::collections::BTreeSet;

use crate::score::run::{Score, ScoreTally};
use crate::simulate::transition_system::Kind;

/// A table of accuracies.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperTable {
    /// What it shows, and after which table of the paper.
    pub title: String,
    /// The upper line of the head, and how many columns stand below each part.
    pub heads: Vec<(String, usize)>,
    /// The lower line of the head; empty where one line is enough.
    pub types: Vec<&'static str>,
    /// The predictors and their cells; none where a predictor was not tested.
    pub rows: Vec<(String, Vec<Option<ScoreTally>>)>,
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
pub fn tables(scores: &[Score]) -> Vec<PaperTable> {
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
        let row = |score: &Score| {
            let of = |domain: &&String| cell(score, BY[0].0, format!("{domain} verify N{level}"));
            (score.name.clone(), domains.iter().map(of).collect())
        };
        tables.push(PaperTable {
            title: format!("Yes/no questions at N{level}, by domain (as table 1)"),
            heads: domains.iter().map(|domain| ((*domain).clone(), 1)).collect(),
            types: vec![],
            rows: scores.iter().map(row).collect(),
        });
    }
    if let Some(depth) = greatest(&depths) {
        let columns = domains.iter().flat_map(|domain| Kind::ALL.map(|kind| (domain, kind)));
        let row = |score: &Score| {
            let of = |(domain, kind): (&&String, Kind)| {
                cell(score, BY[1].0, format!("{domain} {} A{depth}", kind.name()))
            };
            (score.name.clone(), columns.clone().map(of).collect())
        };
        tables.push(PaperTable {
            title: format!("The three types of questions at A{depth}, by domain (as table 2)"),
            heads: domains.iter().map(|domain| ((*domain).clone(), Kind::ALL.len())).collect(),
            types: columns.clone().map(|(_, kind)| short(kind)).collect(),
            rows: scores.iter().map(row).collect(),
        });
    }
    for domain in domains {
        for ((grouping, letter), known) in BY.into_iter().zip([&levels, &depths]) {
            let numbers: Vec<u32> = known.iter().filter(|(d, _)| d == domain).map(|(_, n)| *n).collect();
            if numbers.len() < 2 {
                continue;
            }
            let columns = numbers.iter().flat_map(|number| Kind::ALL.map(|kind| (*number, kind)));
            let row = |score: &Score| {
                let of = |(number, kind): (u32, Kind)| {
                    cell(score, grouping, format!("{domain} {} {letter}{number}", kind.name()))
                };
                (score.name.clone(), columns.clone().map(of).collect())
            };
            let (what, after) = match letter {
                'A' => ("depth", " (as tables 16 to 21)"),
                _ => ("level", ""),
            };
            tables.push(PaperTable {
                title: format!("{domain}: training against the {what} of the test{after}"),
                heads: numbers.iter().map(|number| (format!("{letter}{number}"), Kind::ALL.len())).collect(),
                types: columns.clone().map(|(_, kind)| short(kind)).collect(),
                rows: scores.iter().map(row).collect(),
            });
        }
    }
    tables
}
