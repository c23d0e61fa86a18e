//! What a run wrote, as `manifest.json`: counts, worlds and hashes. Same settings and seed, same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::DataError;
use crate::format::Format;
use crate::papers::tally::{Count, Tally};
use crate::write::partial::Written;
use crate::write::text::replace;

/// The name of the manifest in its folder.
pub const MANIFEST: &str = "manifest.json";

/// One file of the data set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Where it stands below the output folder, with slashes.
    pub path: String,
    /// Of a file of items, its split.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub split: String,
    /// Of a file of items, how they are stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// Of a file of items, how many there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// Its length in bytes.
    pub bytes: u64,
    /// SHA-256 of its content.
    pub sha256: String,
}

impl FileEntry {
    /// The entry of a finished file of items below the output folder `out`.
    pub fn of_items(out: &Path, split: &str, format: Format, written: &Written) -> FileEntry {
        FileEntry {
            split: split.into(),
            format: Some(format),
            rows: Some(written.rows),
            ..FileEntry::new(out, written)
        }
    }

    /// The entry of any finished file below the output folder `out`.
    pub fn new(out: &Path, written: &Written) -> FileEntry {
        let path = written.path.strip_prefix(out).unwrap_or(&written.path);
        let parts: Vec<_> = path.components().map(|c| c.as_os_str().to_string_lossy()).collect();
        let (bytes, sha256) = (written.bytes, written.sha256.clone());
        FileEntry { path: parts.join("/"), split: String::new(), format: None, rows: None, bytes, sha256 }
    }

    /// The same file, seen from a folder above: its path with another part in front.
    pub fn below(mut self, folder: &str) -> FileEntry {
        self.path = format!("{folder}/{}", self.path);
        self
    }
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

/// The record of a run, whatever was made. It holds no time, host or path outside the output folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// The counts of items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<Count>,
    /// The worlds of each split.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub worlds: BTreeMap<Arc<str>, Worlds>,
    /// Families that could not be balanced or were left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<Exception>,
    /// What only one kind of data tells of itself, such as the rules of a rule set.
    #[serde(flatten)]
    pub details: BTreeMap<String, serde_json::Value>,
}

impl Manifest {
    /// The record of a run of this version of racgen. Files may come in any order.
    pub fn new(
        command: String,
        seed: i64,
        settings: serde_json::Value,
        mut files: Vec<FileEntry>,
    ) -> Manifest {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let racgen = env!("CARGO_PKG_VERSION").into();
        Manifest { racgen, command, seed, settings, files, ..Manifest::default() }
    }

    /// Adds what the items add up to, and what could not be asked.
    pub fn with_items(self, tally: &Tally, mut exceptions: Vec<Exception>) -> Manifest {
        exceptions.sort();
        exceptions.dedup();
        let worlds = |(split, keys): (Arc<str>, BTreeSet<Arc<str>>)| {
            (split, Worlds { distinct: keys.len() as u64, keys: keys.into_iter().collect() })
        };
        let (counts, worlds) = (tally.counts(), tally.worlds_of_splits().into_iter().map(worlds).collect());
        Manifest { counts, worlds, exceptions, ..self }
    }

    /// Adds what only one kind of data tells of itself.
    pub fn with_details(self, details: impl Serialize) -> Manifest {
        match serde_json::to_value(details) {
            Ok(serde_json::Value::Object(all)) => Manifest { details: all.into_iter().collect(), ..self },
            _ => self,
        }
    }

    /// The manifest of a folder, if there is one that can be read.
    pub fn read(folder: &Path) -> Option<Manifest> {
        serde_json::from_str(&std::fs::read_to_string(folder.join(MANIFEST)).ok()?).ok()
    }

    /// Writes `manifest.json` into the output folder, in place of an older one.
    ///
    /// # Errors
    /// [`DataError`] with the path, the cause and a remedy.
    pub fn write(&self, out: &Path) -> Result<(), DataError> {
        let path = out.join(MANIFEST);
        let text = serde_json::to_string_pretty(self)
            .map_err(|e| DataError::Encode { path: path.clone(), message: e.to_string() })?;
        replace(&path, &(text + "\n")).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Row;
    use crate::sample;

    #[test]
    fn tallies_of_parts_merge_into_that_of_the_whole() -> serde_json::Result<()> {
        let rows = sample::rows(500);
        let tally = |rows: &[Row]| {
            let mut tally = Tally::default();
            rows.iter().for_each(|row| tally.add(row, Some(row.index % 5 == 0)));
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
        sample::rows(40).iter().for_each(|row| tally.add(row, None));
        let written = Written {
            path: folder.path().join("data/train-00000-of-00001.csv"),
            rows: 40,
            bytes: 9,
            sha256: "00".into(),
        };
        let files = vec![FileEntry::of_items(folder.path(), "train", Format::Csv, &written)];
        let exception = Exception {
            domain: "blocks".into(),
            level: 1,
            depth: 2,
            question_type: "verify".into(),
            family: "clear".into(),
            reason: "no situation where the answer is no".into(),
        };
        let settings = serde_json::json!({"depths": [1, 2]});
        let manifest = Manifest::new("racgen".into(), 7, settings, files).with_items(&tally, vec![exception]);
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
