//! Rows to counts: how many items of each kind there are, how they are answered, and which worlds they are of.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::row::Row;

/// One cell of the counts: items that are compared with each other only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CellKey {
    /// Name of the domain.
    pub domain: Arc<str>,
    /// Name of the split.
    pub split: Arc<str>,
    /// `verify`, `count` or `other`.
    pub question_type: Arc<str>,
    /// The question's functor.
    pub family: Arc<str>,
    /// World complexity.
    pub level: i32,
    /// Number of actions.
    pub depth: i32,
}

/// What the items of a cell add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellCount {
    /// Number of items.
    pub items: u64,
    /// Verify items answered yes.
    pub yes: u64,
    /// Verify items answered no.
    pub no: u64,
    /// Items with the same answer without the actions.
    pub trivial: u64,
    /// The distinct answers, as ground terms joined by blanks.
    pub answers: BTreeSet<String>,
}

/// What a set of rows adds up to. Tallies of parts merge into the tally of the whole, in any order; one can be
/// kept beside a finished part as JSON, so that a resumed run need not read its rows again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The counts.
    #[serde(with = "pairs")]
    pub cells: BTreeMap<CellKey, CellCount>,
    /// Keys of the distinct worlds of each split.
    pub worlds: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
}

impl Tally {
    /// Counts one row. `trivial` says that its answer is the same without the actions.
    pub fn add(&mut self, row: &Row, trivial: bool) {
        let key = CellKey {
            domain: row.domain.clone(),
            split: row.split.clone(),
            question_type: row.question_type.as_ref().into(),
            family: row.family.clone(),
            level: row.level,
            depth: row.depth,
        };
        let cell = self.cells.entry(key).or_default();
        cell.items += 1;
        cell.trivial += u64::from(trivial);
        if row.question_type == "verify" {
            cell.yes += u64::from(row.gold == ["yes"]);
            cell.no += u64::from(row.gold == ["no"]);
        }
        cell.answers.insert(row.gold.join(" "));
        let worlds = self.worlds.entry(row.split.clone()).or_default();
        if !worlds.contains(&row.world) {
            worlds.insert(row.world.clone());
        }
    }

    /// Adds the rows another tally counted.
    pub fn merge(&mut self, other: Tally) {
        for (key, part) in other.cells {
            let cell = self.cells.entry(key).or_default();
            cell.items += part.items;
            cell.yes += part.yes;
            cell.no += part.no;
            cell.trivial += part.trivial;
            cell.answers.extend(part.answers);
        }
        for (split, keys) in other.worlds {
            self.worlds.entry(split).or_default().extend(keys);
        }
    }

    /// The counts as flat records, in order.
    pub fn counts(&self) -> Vec<Count> {
        let count = |(key, cell): (&CellKey, &CellCount)| Count {
            cell: key.clone(),
            items: cell.items,
            yes: cell.yes,
            no: cell.no,
            trivial: cell.trivial,
            answers: cell.answers.len() as u64,
        };
        self.cells.iter().map(count).collect()
    }
}

/// A map whose keys JSON cannot take as names, as a list of pairs.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    use super::CellCount;
    use super::CellKey;

    pub fn serialize<S: Serializer>(
        map: &BTreeMap<CellKey, CellCount>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<BTreeMap<CellKey, CellCount>, D::Error> {
        Ok(Vec::deserialize(d)?.into_iter().collect())
    }
}

/// The items of one cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Which cell; its fields stand beside the numbers.
    #[serde(flatten)]
    pub cell: CellKey,
    /// Number of items.
    pub items: u64,
    /// Verify items answered yes.
    pub yes: u64,
    /// Verify items answered no.
    pub no: u64,
    /// Items with the same answer without the actions.
    pub trivial: u64,
    /// Number of distinct answers.
    pub answers: u64,
}
