//! What a run wrote, as `manifest.json`: counts, worlds and hashes. Same settings and seed, same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::row::Row;
use crate::write::{Format, OutputError, Written, replace};

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
    fn counts(&self) -> Vec<Count> {
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

    use super::{CellCount, CellKey};

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

/// One file of the data set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Where it stands below the output folder, with slashes.
    pub path: String,
    /// Its split.
    pub split: String,
    /// How it is stored.
    pub format: Format,
    /// Its rows.
    pub rows: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// SHA-256 of its content.
    pub sha256: String,
}

impl FileEntry {
    /// The entry of a finished file below the output folder `out`.
    pub fn new(out: &Path, split: &str, format: Format, written: &Written) -> FileEntry {
        let path = written.path.strip_prefix(out).unwrap_or(&written.path);
        let parts: Vec<_> = path.components().map(|c| c.as_os_str().to_string_lossy()).collect();
        FileEntry {
            path: parts.join("/"),
            split: split.into(),
            format,
            rows: written.rows,
            bytes: written.bytes,
            sha256: written.sha256.clone(),
        }
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

/// The worlds of a split.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worlds {
    /// How many there are.
    pub distinct: u64,
    /// Their keys, sorted.
    pub keys: Vec<Arc<str>>,
}

/// A question family that could not be balanced or was left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Exception {
    /// Name of the domain.
    pub domain: String,
    /// World complexity.
    pub level: i32,
    /// Number of actions.
    pub depth: i32,
    /// `verify`, `count` or `other`.
    pub question_type: String,
    /// The question's functor.
    pub family: String,
    /// Why.
    pub reason: String,
}

/// The record of a run. It holds no time, host or path outside the output folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of racgen.
    pub racgen: String,
    /// The command line, without what does not change the data.
    pub command: String,
    /// Root seed.
    pub seed: i64,
    /// The settings in force, defaults included.
    pub settings: serde_json::Value,
    /// The files, by path.
    pub files: Vec<FileEntry>,
    /// Files that hold the same items in other forms, by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<FileEntry>,
    /// The counts.
    pub counts: Vec<Count>,
    /// The worlds of each split.
    pub worlds: BTreeMap<Arc<str>, Worlds>,
    /// Families that could not be balanced or were left out.
    pub exceptions: Vec<Exception>,
}

impl Manifest {
    /// The record of a run of this version of racgen. Files and exceptions may come in any order.
    pub fn new(
        command: String,
        seed: i64,
        settings: serde_json::Value,
        mut files: Vec<FileEntry>,
        tally: &Tally,
        mut exceptions: Vec<Exception>,
    ) -> Manifest {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        exceptions.sort();
        let worlds = |(split, keys): (&Arc<str>, &BTreeSet<Arc<str>>)| {
            (split.clone(), Worlds { distinct: keys.len() as u64, keys: keys.iter().cloned().collect() })
        };
        Manifest {
            racgen: env!("CARGO_PKG_VERSION").into(),
            command,
            seed,
            settings,
            files,
            forms: Vec::new(),
            counts: tally.counts(),
            worlds: tally.worlds.iter().map(worlds).collect(),
            exceptions,
        }
    }

    /// Writes `manifest.json` into the output folder, in place of an older one.
    ///
    /// # Errors
    /// [`OutputError`] with the path, the cause and a remedy.
    pub fn write(&self, out: &Path) -> Result<(), OutputError> {
        let path = out.join("manifest.json");
        let text = serde_json::to_string_pretty(self)
            .map_err(|e| OutputError::Encode { path: path.clone(), message: e.to_string() })?;
        replace(&path, &(text + "\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn tallies_of_parts_merge_into_that_of_the_whole() -> serde_json::Result<()> {
        let rows = sample::rows(500);
        let tally = |rows: &[Row]| {
            let mut tally = Tally::default();
            rows.iter().for_each(|row| tally.add(row, row.index % 5 == 0));
            tally
        };
        let whole = tally(&rows);
        let (front, back) = rows.split_at(123);
        let mut merged = tally(back);
        merged.merge(serde_json::from_str(&serde_json::to_string(&tally(front))?)?);
        assert_eq!(merged, whole);
        assert_eq!(whole.cells.values().map(|c| c.items).sum::<u64>(), 500);
        assert_eq!(whole.cells.values().map(|c| c.trivial).sum::<u64>(), 100);
        for (key, cell) in &whole.cells {
            let labels = if &*key.question_type == "verify" { cell.items } else { 0 };
            assert_eq!(cell.yes + cell.no, labels, "{key:?}");
        }
        Ok(())
    }

    #[test]
    fn a_manifest_reads_back() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let mut tally = Tally::default();
        sample::rows(40).iter().for_each(|row| tally.add(row, false));
        let written = Written {
            path: folder.path().join("data/train-00000-of-00001.csv"),
            rows: 40,
            bytes: 9,
            sha256: "00".into(),
        };
        let files = vec![FileEntry::new(folder.path(), "train", Format::Csv, &written)];
        let exception = Exception {
            domain: "blocks".into(),
            level: 1,
            depth: 2,
            question_type: "verify".into(),
            family: "clear".into(),
            reason: "no situation where the answer is no".into(),
        };
        let settings = serde_json::json!({"depths": [1, 2]});
        let manifest = Manifest::new("racgen".into(), 7, settings, files, &tally, vec![exception]);
        manifest.write(folder.path())?;
        manifest.write(folder.path())?;
        let text = std::fs::read_to_string(folder.path().join("manifest.json"))?;
        assert_eq!(serde_json::from_str::<Manifest>(&text)?, manifest);
        assert!(text.contains(r#""path": "data/train-00000-of-00001.csv""#), "{text}");
        assert!(!text.contains(&folder.path().display().to_string()));
        assert_eq!(std::fs::read_dir(folder.path())?.count(), 1);
        Ok(())
    }
}
