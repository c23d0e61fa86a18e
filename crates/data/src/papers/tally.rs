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
    /// Items of which nobody knows that.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown: u64,
    /// The distinct answers, as ground terms joined by blanks.
    pub answers: BTreeSet<String>,
    /// How often each answer is given, in its words. Records of older versions lack it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub given: BTreeMap<String, u64>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl CellCount {
    /// Adds the items that another count is of.
    pub fn merge(&mut self, other: &CellCount) {
        self.items += other.items;
        self.yes += other.yes;
        self.no += other.no;
        self.trivial += other.trivial;
        self.unknown += other.unknown;
        self.answers.extend(other.answers.iter().cloned());
        for (answer, count) in &other.given {
            *self.given.entry(answer.clone()).or_default() += count;
        }
    }

    /// Items whose answer the initial situation gives already; none where that is not known of all.
    pub fn initially(&self) -> Option<u64> {
        (self.unknown == 0).then_some(self.trivial)
    }

    /// Items with the most frequent answer; none where answers were not counted.
    pub fn majority(&self) -> Option<u64> {
        let counted = self.given.values().sum::<u64>() == self.items;
        self.given.values().max().copied().filter(|_| counted)
    }
}

/// A domain and a split of it.
pub type DomainSplit = (Arc<str>, Arc<str>);

/// The items of each world, by its key.
pub type WorldCounts = BTreeMap<Arc<str>, u64>;

/// What a set of rows adds up to. Tallies of parts merge into the tally of the whole, in any order; one can be
/// kept beside a finished part as JSON, so that a resumed run need not read its rows again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The counts.
    #[serde(with = "pairs")]
    pub cells: BTreeMap<CellKey, CellCount>,
    /// The distinct worlds of each domain and split.
    #[serde(with = "worlds")]
    pub worlds: BTreeMap<DomainSplit, WorldCounts>,
}

impl Tally {
    /// Counts one row. `trivial` says whether its answer is the same without the actions, if that is known.
    pub fn add(&mut self, row: &Row, trivial: Option<bool>) {
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
        cell.trivial += u64::from(trivial == Some(true));
        cell.unknown += u64::from(trivial.is_none());
        if row.question_type == "verify" {
            cell.yes += u64::from(row.gold == ["yes"]);
            cell.no += u64::from(row.gold == ["no"]);
        }
        cell.answers.insert(row.gold.join(" "));
        *cell.given.entry(row.answer.clone()).or_default() += 1;
        let worlds = self.worlds.entry((row.domain.clone(), row.split.clone())).or_default();
        match worlds.get_mut(&row.world) {
            Some(items) => *items += 1,
            None => drop(worlds.insert(row.world.clone(), 1)),
        }
    }

    /// Adds the rows another tally counted.
    pub fn merge(&mut self, other: Tally) {
        for (key, part) in other.cells {
            self.cells.entry(key).or_default().merge(&part);
        }
        for (place, keys) in other.worlds {
            let all = self.worlds.entry(place).or_default();
            keys.into_iter().for_each(|(key, items)| *all.entry(key).or_default() += items);
        }
    }

    /// Keys of the distinct worlds of each split, whatever their domain.
    pub fn worlds_of_splits(&self) -> BTreeMap<Arc<str>, BTreeSet<Arc<str>>> {
        let mut all: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for ((_, split), keys) in &self.worlds {
            all.entry(split.clone()).or_default().extend(keys.keys().cloned());
        }
        all
    }

    /// The counts as flat records, in order.
    pub fn counts(&self) -> Vec<Count> {
        let count = |(key, cell): (&CellKey, &CellCount)| Count {
            cell: key.clone(),
            items: cell.items,
            yes: cell.yes,
            no: cell.no,
            trivial: cell.initially(),
            answers: cell.answers.len() as u64,
            majority: cell.majority(),
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

/// The worlds as a list of domain, split, and the items of each world. Records of older versions have keys by split.
mod worlds {
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serializer};

    use super::{DomainSplit, WorldCounts};

    type Worlds = BTreeMap<DomainSplit, WorldCounts>;

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Kept {
        Counted(Vec<(DomainSplit, WorldCounts)>),
        Keys(BTreeMap<Arc<str>, BTreeSet<Arc<str>>>),
    }

    pub fn serialize<S: Serializer>(worlds: &Worlds, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(worlds)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Worlds, D::Error> {
        Ok(match Kept::deserialize(d)? {
            Kept::Counted(all) => all.into_iter().collect(),
            Kept::Keys(all) => {
                let uncounted = |keys: BTreeSet<Arc<str>>| keys.into_iter().map(|key| (key, 0)).collect();
                all.into_iter().map(|(split, keys)| (("".into(), split), uncounted(keys))).collect()
            }
        })
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
    /// Items with the same answer without the actions, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trivial: Option<u64>,
    /// Number of distinct answers.
    pub answers: u64,
    /// Items with the most frequent answer; manifests of older versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub majority: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn records_of_older_versions_are_read() -> serde_json::Result<()> {
        let older = r#"{"cells": [[{"domain": "blocks", "split": "dev", "question_type": "verify", "family": "on",
            "level": 1, "depth": 2}, {"items": 2, "yes": 1, "no": 1, "trivial": 1, "answers": ["no", "yes"]}]],
            "worlds": {"dev": ["a", "b"]}}"#;
        let older: Tally = serde_json::from_str(older)?;
        let count = &older.counts()[0];
        assert_eq!((count.items, count.trivial, count.majority), (2, Some(1), None));
        assert_eq!(older.worlds_of_splits()["dev"].len(), 2);
        Ok(())
    }

    #[test]
    fn the_most_frequent_answer_and_what_is_not_known_are_counted() {
        let mut tally = Tally::default();
        let rows = sample::rows(120);
        rows.iter().for_each(|row| tally.add(row, (row.question_type == "verify").then_some(false)));
        for (key, cell) in &tally.cells {
            let verify = &*key.question_type == "verify";
            assert_eq!(cell.initially(), verify.then_some(0), "{key:?}");
            let most = cell.majority().unwrap_or_default();
            assert!(most >= cell.yes.max(cell.no) && most <= cell.items, "{key:?}: {most}");
        }
        assert_eq!(tally.worlds.values().flat_map(BTreeMap::values).sum::<u64>(), 120);
    }
}
