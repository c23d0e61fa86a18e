//! Parts to a folder that can be left and taken up again: what is finished stays, what is not leaves nothing behind.
//!
//! While a run lasts, `OUT/.racgen` holds its plan and a record of each finished part. A run with the same plan goes on
//! where another one ended; the last one writes the manifest and removes the records.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::DataError;
use crate::papers::manifest::{FileEntry, MANIFEST};
use crate::write::text::replace;

/// Folder of a run's records, below the output folder.
const RECORDS: &str = ".racgen";
/// The run's plan, among the records.
const PLAN: &str = "plan.json";
/// The data card.
const CARD: &str = "README.md";

/// What may be done with a folder that holds something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taking {
    /// Replace what an earlier run wrote.
    pub force: bool,
    /// Continue an earlier run.
    pub resume: bool,
    /// Is this one shard of several, which fill the folder together?
    pub shared: bool,
}

/// A finished part of a folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part<T> {
    /// Its files.
    pub files: Vec<FileEntry>,
    /// What else is known of it.
    pub told: T,
}

/// A folder that is being filled.
#[derive(Debug)]
pub struct Folder {
    out: PathBuf,
    /// Did the run begin here, rather than go on with another one?
    fresh: bool,
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), DataError> {
    let text = serde_json::to_string(value)
        .map_err(|error| DataError::Encode { path: path.to_owned(), message: error.to_string() })?;
    replace(path, &text).map(drop)
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

impl Folder {
    /// Takes a folder for a run with this plan, or says why it cannot be had. `writes` are the files and folders that
    /// the run will write, below the folder.
    ///
    /// # Errors
    /// [`DataError::Occupied`]; those of the operating system.
    pub fn open<P: Serialize + DeserializeOwned + PartialEq>(
        out: &Path,
        plan: &P,
        taking: Taking,
        writes: impl IntoIterator<Item = PathBuf>,
    ) -> Result<Folder, DataError> {
        let occupied = |what: &str| DataError::Occupied { path: out.to_owned(), what: what.to_owned() };
        let records = out.join(RECORDS);
        let earlier: Option<P> = read_json(&records.join(PLAN));
        if taking.force {
            let ours = Ours::find(out, records.join(PLAN).is_file());
            let names = writes.into_iter().chain([CARD.into(), MANIFEST.into()]);
            if let Some(name) = names.into_iter().find(|name| out.join(name).exists() && !ours.wrote(name)) {
                return Err(occupied(&format!(
                    "holds `{}`, which racgen did not write; move it away, or choose another --out",
                    name.display()
                )));
            }
            ours.remove(out);
        } else if let Some(earlier) = earlier {
            let same = earlier == *plan;
            if (taking.resume || taking.shared) && same {
                return Ok(Folder { out: out.to_owned(), fresh: false });
            }
            return Err(occupied(if same {
                "holds an unfinished run of the same settings; continue it with --resume or replace it with --force"
            } else if taking.resume {
                "holds an unfinished run of other settings; repeat its command with --resume, or replace it with --force"
            } else {
                "holds an unfinished run; continue it with its own command and --resume, or replace it with --force"
            }));
        } else if out.join(MANIFEST).is_file() {
            return Err(occupied(
                "holds a finished data set; choose another --out, or replace it with --force",
            ));
        } else if std::fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(occupied(
                "is not empty; choose another --out (--force replaces only what racgen wrote)",
            ));
        }
        let refused = |cause| DataError::Write { action: "create", path: records.clone(), cause };
        std::fs::create_dir_all(&records).map_err(refused)?;
        write_json(&records.join(PLAN), plan)?;
        Ok(Folder { out: out.to_owned(), fresh: true })
    }

    /// Takes up a folder that holds parts of a run, with the run's plan.
    ///
    /// # Errors
    /// [`DataError::Occupied`] where there are none.
    pub fn reopen<P: DeserializeOwned>(out: &Path) -> Result<(Folder, P), DataError> {
        let occupied = |what: String| DataError::Occupied { path: out.to_owned(), what };
        let plan = read_json(&out.join(RECORDS).join(PLAN)).ok_or_else(|| {
            if out.join(MANIFEST).is_file() {
                return occupied("holds no shards, but is complete: there is nothing to join".into());
            }
            occupied(format!("holds no shards; copy their folders into it, {RECORDS} included"))
        })?;
        Ok((Folder { out: out.to_owned(), fresh: false }, plan))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.out
    }

    fn record(&self, part: &str) -> PathBuf {
        self.out.join(RECORDS).join(format!("{part}.json"))
    }

    /// Is a part finished?
    pub fn has(&self, part: &str) -> bool {
        self.record(part).is_file()
    }

    /// A finished part.
    pub fn part<T: DeserializeOwned>(&self, part: &str) -> Option<Part<T>> {
        read_json(&self.record(part))
    }

    /// Records that a part is finished. Its files must stand under their names by now.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn keep<T: Serialize>(&self, part: &str, record: &Part<T>) -> Result<(), DataError> {
        write_json(&self.record(part), record)
    }

    /// The run fails, and what it wrote goes. Of a run that goes on, or has other shards, what is finished stays.
    pub fn abandon(self, files: &[FileEntry]) {
        if self.fresh {
            let files = files.iter().map(|file| PathBuf::from(&file.path)).collect();
            Ours { files, unfinished: false }.remove(&self.out);
            let _ = std::fs::remove_dir(&self.out);
        }
    }

    /// The run is complete, its manifest written: the records go.
    pub fn complete(self) {
        let _ = std::fs::remove_dir_all(self.out.join(RECORDS));
    }
}

/// What racgen wrote into a folder.
struct Ours {
    files: Vec<PathBuf>,
    /// Does the folder have an unfinished run? Its last files may have no record yet.
    unfinished: bool,
}

/// Of a manifest or a record, what tells the files.
#[derive(Deserialize)]
struct Listed {
    #[serde(default)]
    files: Vec<ListedFile>,
    #[serde(default)]
    forms: Vec<ListedFile>,
}

#[derive(Deserialize)]
struct ListedFile {
    path: PathBuf,
}

impl Ours {
    fn find(out: &Path, unfinished: bool) -> Ours {
        let manifest: Option<Listed> = read_json(&out.join(MANIFEST));
        let mut files: Vec<PathBuf> = Vec::new();
        if unfinished || manifest.is_some() {
            files.extend([CARD.into(), MANIFEST.into()]);
        }
        let records = std::fs::read_dir(out.join(RECORDS)).into_iter().flatten().flatten();
        let records = records.filter_map(|entry| read_json::<Listed>(&entry.path()));
        for listed in manifest.into_iter().chain(records) {
            files.extend(listed.files.into_iter().chain(listed.forms).map(|file| file.path));
        }
        // Nothing outside the folder is ours.
        let inside = |file: &PathBuf| {
            file.is_relative() && !file.components().any(|part| part == std::path::Component::ParentDir)
        };
        files.retain(inside);
        Ours { files, unfinished }
    }

    fn wrote(&self, name: &Path) -> bool {
        self.unfinished || self.files.iter().any(|file| file.starts_with(name))
    }

    fn remove(self, out: &Path) {
        for file in self.files {
            let _ = std::fs::remove_file(out.join(&file));
            // Folders that are empty now go, too; others are left alone.
            for folder in file.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
                let _ = std::fs::remove_dir(out.join(folder));
            }
        }
        let _ = std::fs::remove_dir_all(out.join(RECORDS));
    }
}
