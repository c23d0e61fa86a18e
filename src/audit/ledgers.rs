//! The manifests of a data set to where its files and rows differ from what they say.
//!
//! A manifest governs the files that it lists. It says which there are, their bytes, how many rows of which split each
//! holds, and what all rows add up to; its settings say the seed. Whoever changes, drops or adds rows changes one of
//! these.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use racgen_data::papers::manifest::{FileEntry, MANIFEST, Manifest};
use racgen_data::papers::tally::{Count, Tally};
use racgen_data::row::Row;
use rayon::prelude::*;
use serde::Serialize;

/// Folders above the data that are searched for a manifest.
const ABOVE: usize = 4;

/// Something that files or rows have otherwise than a manifest says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Discrepancy {
    /// `files` or `counts`.
    pub kind: &'static str,
    /// In words, with the file or the cell.
    pub detail: String,
}

/// What is compared with manifests, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LedgerReport {
    /// How many manifests speak of the data.
    pub manifests: usize,
    /// Where the data differ.
    pub discrepancies: Vec<Discrepancy>,
}

/// Items that are numbered together: those of a folder, a domain, a seed, and a split, level and depth.
type StreamKey = (PathBuf, Arc<str>, i64, Option<(Arc<str>, i32, i32)>);

/// A manifest and what was met of the files it lists.
struct Ledger {
    root: PathBuf,
    manifest: Manifest,
    /// Its entries, those of the data's folder only.
    listed: BTreeMap<PathBuf, FileEntry>,
    /// Are these all?
    whole: bool,
    rows: BTreeMap<PathBuf, u64>,
    /// By file, a row with another split than its entry has.
    strays: BTreeMap<PathBuf, String>,
    seeds: BTreeSet<i64>,
    tally: Tally,
    numbers: BTreeMap<StreamKey, Vec<i64>>,
}

impl Ledger {
    fn read(manifest: &Path, data: &Path) -> Option<Result<Ledger, Discrepancy>> {
        let text = std::fs::read_to_string(manifest).ok()?;
        let root = manifest.parent()?.to_owned();
        // Without a list of files it is none of racgen's, or speaks of no data.
        let list = |value: serde_json::Value| match value.get("files") {
            None => Ok(None),
            Some(_) => serde_json::from_value::<Manifest>(value).map(Some),
        };
        let read = match serde_json::from_str(&text).and_then(list) {
            Ok(read) => read?,
            Err(error) if root.starts_with(data) || data.parent() == Some(&root) => {
                let name = manifest.strip_prefix(data).unwrap_or(Path::new(MANIFEST)).display();
                let detail = format!("`{name}` is no manifest: {error}");
                return Some(Err(Discrepancy { kind: "files", detail }));
            }
            Err(_) => return None,
        };
        let entries = || read.files.iter().chain(&read.forms);
        let in_place = |entry: &FileEntry| entry.place(&root).is_none_or(|path| path.starts_with(data));
        let path = |entry: &FileEntry| entry.place(&root).unwrap_or_else(|| root.join(&entry.path));
        let listed: BTreeMap<PathBuf, FileEntry> =
            entries().filter(|e| in_place(e)).map(|e| (path(e), e.clone())).collect();
        if listed.is_empty() && !root.starts_with(data) {
            return None;
        }
        let whole = entries().filter(|entry| entry.rows.is_some()).all(in_place);
        let mut seeds = BTreeSet::from([read.seed]);
        let jobs = read.settings.as_array().cloned().unwrap_or_default();
        seeds.extend(jobs.iter().filter_map(|job| job["settings"]["seed"].as_i64()));
        Some(Ok(Ledger {
            root,
            manifest: read,
            listed,
            whole,
            rows: BTreeMap::new(),
            strays: BTreeMap::new(),
            seeds,
            tally: Tally::default(),
            numbers: BTreeMap::new(),
        }))
    }

    /// The name of a file in its folder.
    fn name(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }

    fn add(&mut self, file: &Path, row: &Row, across: bool) {
        match self.rows.get_mut(file) {
            Some(rows) => *rows += 1,
            None => drop(self.rows.insert(file.to_owned(), 1)),
        }
        let split = self.listed.get(file).map(|entry| entry.split.as_str());
        if split.is_some_and(|split| split != &*row.split) && !self.strays.contains_key(file) {
            self.strays.insert(file.to_owned(), row.id.clone());
        }
        self.tally.add(row, None);
        let folder = file.parent().unwrap_or(file).to_owned();
        let place = (!across).then(|| (row.split.clone(), row.level, row.depth));
        let key = (folder, row.domain.clone(), row.seed, place);
        self.numbers.entry(key).or_default().push(row.index);
    }

    /// Where the files and the rows differ.
    fn compare(&self) -> Vec<Discrepancy> {
        let listed: Vec<(&PathBuf, &FileEntry)> = self.listed.iter().collect();
        let differs = |(path, entry): (&PathBuf, &FileEntry)| {
            entry.differs(&self.root).map(|how| format!("`{}` {how}", self.name(path)))
        };
        let mut files: Vec<String> = listed.into_par_iter().filter_map(differs).collect();
        for (path, rows) in &self.rows {
            let promised = self.listed.get(path).and_then(|entry| entry.rows);
            if let Some(promised) = promised.filter(|promised| promised != rows) {
                let name = self.name(path);
                files.push(format!("`{name}` has {rows} rows, where the manifest says {promised}"));
            }
        }
        for (path, id) in &self.strays {
            let (name, split) = (self.name(path), &self.listed[path].split);
            files.push(format!("`{name}` is of the split {split}, its item {id} of another"));
        }
        let mut counts = Vec::new();
        if self.whole {
            self.compare_counts(&mut counts);
        }
        let of = |kind: &'static str, all: Vec<String>| {
            all.into_iter().map(move |detail| Discrepancy { kind, detail })
        };
        of("files", files).chain(of("counts", counts)).collect()
    }

    fn compare_counts(&self, found: &mut Vec<String>) {
        // Manifests of rule sets count no items.
        if !self.manifest.counts.is_empty() {
            // Which answers the initial situation gives is measured elsewhere; older manifests lack the majority.
            let bare = |count: &Count, majority: bool| {
                let kept = count.majority.filter(|_| majority);
                Count { trivial: None, majority: kept, ..count.clone() }
            };
            let met: BTreeMap<_, _> = self.tally.counts().into_iter().map(|c| (c.cell.clone(), c)).collect();
            let told: BTreeMap<_, _> = self.manifest.counts.iter().map(|c| (c.cell.clone(), c)).collect();
            for cell in met.keys().chain(told.keys()).collect::<BTreeSet<_>>() {
                let majority = told.get(cell).is_some_and(|count| count.majority.is_some());
                let (met, told) = (
                    met.get(cell).map(|count| bare(count, majority)),
                    told.get(cell).map(|count| bare(count, true)),
                );
                if met != told {
                    let items = |count: &Option<Count>| count.as_ref().map_or(0, |count| count.items);
                    let what = match (items(&met), items(&told)) {
                        (met, told) if met != told => {
                            format!("{met} items, where the manifest says {told}")
                        }
                        (met, _) => format!("{met} items with other answers than the manifest counts"),
                    };
                    found.push(format!(
                        "{} {} N{} A{} {} {}: {what}",
                        cell.domain, cell.split, cell.level, cell.depth, cell.question_type, cell.family
                    ));
                }
            }
            let met = self.tally.worlds_of_splits();
            for (split, worlds) in &self.manifest.worlds {
                let keys: BTreeSet<Arc<str>> = worlds.keys.iter().cloned().collect();
                let other = met.get(split).map_or(keys.len(), |met| met.symmetric_difference(&keys).count());
                if other > 0 {
                    found
                        .push(format!("the split {split} has other worlds than the manifest lists: {other}"));
                }
                if worlds.distinct != worlds.keys.len() as u64 {
                    found.push(format!(
                        "the manifest lists {} worlds of {split} and says {}",
                        keys.len(),
                        worlds.distinct
                    ));
                }
            }
        }
        for ((_, domain, seed, place), numbers) in &self.numbers {
            let of =
                place.as_ref().map_or(String::new(), |(s, level, depth)| format!(" {s} N{level} A{depth}"));
            if !self.seeds.contains(seed) {
                found.push(format!("{domain}{of}: the seed {seed} is none of the manifest's"));
            }
            let mut numbers = numbers.clone();
            numbers.sort_unstable();
            if let Some((place, index)) = numbers.iter().enumerate().find(|(place, n)| **n != *place as i64) {
                found.push(format!("{domain}{of}: the index {index} stands where {place} is due"));
            }
        }
    }
}

/// All manifests that speak of a data set.
pub(crate) struct Ledgers {
    data: PathBuf,
    all: Vec<Ledger>,
    broken: Vec<Discrepancy>,
    /// Files that were read and that no manifest lists, though one governs their folder.
    unlisted: BTreeSet<PathBuf>,
}

impl Ledgers {
    /// The manifests above and below the data files at or below a path.
    pub(crate) fn of(path: &Path) -> Ledgers {
        let data = place(path);
        let mut places: BTreeSet<PathBuf> = data.ancestors().take(ABOVE).map(|f| f.join(MANIFEST)).collect();
        places.extend(manifests_below(&data));
        let (mut all, mut broken) = (Vec::new(), Vec::new());
        for ledger in places.iter().filter_map(|place| Ledger::read(place, &data)) {
            match ledger {
                Ok(ledger) => all.push(ledger),
                Err(discrepancy) => broken.push(discrepancy),
            }
        }
        Ledgers { data, all, broken, unlisted: BTreeSet::new() }
    }

    /// Notes a file, though it may have no rows.
    pub(crate) fn file(&mut self, place: &Path) {
        let mut known = false;
        for ledger in self.all.iter_mut().filter(|ledger| ledger.listed.contains_key(place)) {
            ledger.rows.entry(place.to_owned()).or_default();
            known = true;
        }
        if !known && self.all.iter().any(|ledger| place.starts_with(&ledger.root)) {
            self.unlisted.insert(place.to_owned());
        }
    }

    /// Notes a row of a file. `across`: are items numbered across splits and depths?
    pub(crate) fn add(&mut self, place: &Path, row: &Row, across: bool) {
        let of_file = |ledger: &&mut Ledger| ledger.listed.contains_key(place);
        self.all.iter_mut().filter(of_file).for_each(|ledger| ledger.add(place, row, across));
    }

    /// Where the data differ from the manifests.
    pub(crate) fn report(self) -> LedgerReport {
        let mut discrepancies = self.broken;
        for ledger in &self.all {
            discrepancies.extend(ledger.compare());
        }
        for place in &self.unlisted {
            let name = place.strip_prefix(&self.data).unwrap_or(place).display();
            let detail = format!("`{name}` is listed by no manifest");
            discrepancies.push(Discrepancy { kind: "files", detail });
        }
        LedgerReport { manifests: self.all.len(), discrepancies }
    }
}

/// Where a folder or a file stands. A file that is a link stays where the link is, for there a manifest lists it.
pub(crate) fn place(path: &Path) -> PathBuf {
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match (path.is_dir(), path.parent(), path.file_name()) {
        (false, Some(folder), Some(name)) if folder.as_os_str().is_empty() => {
            whole(Path::new(".")).join(name)
        }
        (false, Some(folder), Some(name)) => whole(folder).join(name),
        _ => whole(path),
    }
}

/// The manifests in the folders below a folder; folders behind links and hidden ones are left alone.
fn manifests_below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten().flatten() {
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !hidden {
                open.push(entry.path());
            } else if entry.file_name() == MANIFEST {
                found.push(entry.path());
            }
        }
    }
    found
}
