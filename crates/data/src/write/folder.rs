//! Parts to a folder that can be left and taken up again: what is finished stays, what is not leaves nothing behind.
//!
//! While a run lasts, `OUT/.racgen` holds its plan and a record of each finished part. A run with the same plan goes on
//! where another one ended; the last one writes the manifest and removes the records.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::DataError;
use crate::papers::card::CARD;
use crate::papers::manifest::{FileEntry, MANIFEST};
use crate::write::partial::SUFFIX as PARTIAL;
use crate::write::text::replace;

/// Folder of a run's records, below the output folder.
const RECORDS: &str = ".racgen";
/// The run's plan, among the records.
const PLAN: &str = "plan.json";
/// Locks of those who write, among the records.
const LOCK: &str = "lock";

/// What may be done with a folder that holds something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taking {
    /// Replace what an earlier run wrote.
    pub force: bool,
    /// Continue an earlier run.
    pub resume: bool,
    /// Which one of several shards this is, which fill the folder together; none where there is one only.
    pub shard: Option<usize>,
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
    /// The folders above it that the run made, the innermost first.
    above: Vec<PathBuf>,
    /// Nobody else writes the same while these live.
    _locks: Locks,
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
        let busy = || {
            occupied("is being written by another racgen; wait until that has ended, or choose another --out")
        };
        let earlier: Option<P> = read_json(&records.join(PLAN));
        if taking.force {
            // Whoever replaces what is there must be alone.
            let alone = Locks::take(&records, None).ok_or_else(busy)?;
            let ours = Ours::find(out, records.join(PLAN).is_file());
            let names = writes.into_iter().chain([CARD.into(), MANIFEST.into()]);
            if let Some(name) = names.into_iter().find(|name| out.join(name).exists() && !ours.wrote(name)) {
                return Err(occupied(&format!(
                    "holds `{}`, which racgen did not write; move it away, or choose another --out",
                    name.display()
                )));
            }
            ours.remove(out);
            drop(alone);
        } else if let Some(earlier) = earlier {
            let same = earlier == *plan;
            let locks = Locks::take(&records, taking.shard).ok_or_else(busy)?;
            if (taking.resume || taking.shard.is_some()) && same {
                return Ok(Folder { out: out.to_owned(), fresh: false, above: Vec::new(), _locks: locks });
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
        } else if holds_more_than_beginnings(out) {
            return Err(occupied(
                "is not empty; choose another --out (--force replaces only what racgen wrote)",
            ));
        }
        let refused = |cause| DataError::Write { action: "create", path: records.clone(), cause };
        let above = out.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        let above: Vec<PathBuf> = above.take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
        std::fs::create_dir_all(&records).map_err(refused)?;
        let locks = Locks::take(&records, taking.shard).ok_or_else(busy)?;
        write_json(&records.join(PLAN), plan)?;
        Ok(Folder { out: out.to_owned(), fresh: true, above, _locks: locks })
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
        let locks = Locks::take(&out.join(RECORDS), None).ok_or_else(|| {
            occupied("is being written by another racgen; wait until that has ended".into())
        })?;
        Ok((Folder { out: out.to_owned(), fresh: false, above: Vec::new(), _locks: locks }, plan))
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

    /// An empty folder, below this one, in which the files of a part are made that are complete only together.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn stage(&self, part: &str) -> Result<StagedPart, DataError> {
        let path = self.out.join(RECORDS).join(format!("{part}.stage"));
        // What a killed run left.
        let _ = std::fs::remove_dir_all(&path);
        let refused = |cause| DataError::Write { action: "create the folder", path: path.clone(), cause };
        std::fs::create_dir_all(&path).map_err(refused)?;
        Ok(StagedPart { path, out: self.out.clone() })
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
            // What others have put there in the meantime stays, and the folder with it.
            let _ = std::fs::remove_dir(&self.out);
            self.above.iter().for_each(|folder| drop(std::fs::remove_dir(folder)));
        }
    }

    /// The run is complete, its manifest written: the records go.
    pub fn complete(self) {
        let _ = std::fs::remove_dir_all(self.out.join(RECORDS));
    }
}

/// Where the files of one part wait until all are complete. Dropping it removes them.
#[derive(Debug)]
pub struct StagedPart {
    path: PathBuf,
    out: PathBuf,
}

impl StagedPart {
    /// The folder that they are made in.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the files their places in the folder, the same below it as they have below the stage.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn publish(self, files: &[FileEntry]) -> Result<(), DataError> {
        // A file that two forms share may be listed by both.
        let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        for path in paths {
            let place = self.out.join(path);
            let refused =
                |cause| DataError::Write { action: "move the finished file to", path: place.clone(), cause };
            if let Some(folder) = place.parent() {
                std::fs::create_dir_all(folder).map_err(refused)?;
            }
            std::fs::rename(self.path.join(path), &place).map_err(refused)?;
        }
        Ok(())
    }
}

impl Drop for StagedPart {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Does a folder hold anything but what a run leaves that was killed before it had a plan?
fn holds_more_than_beginnings(out: &Path) -> bool {
    let names = |folder: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    let begun = |name: &String| name.starts_with(LOCK) || (name.starts_with('.') && name.ends_with(PARTIAL));
    names(out).iter().any(|name| name != RECORDS) || !names(&out.join(RECORDS)).iter().all(begun)
}

/// Locks of a folder that is being written: its shards share one, and each has another for itself. The operating system
/// takes them away where a process ends, however it does.
#[derive(Debug)]
struct Locks {
    _held: Vec<File>,
}

impl Locks {
    /// Locks for a shard, or for the whole folder; none if somebody else has them. Where there are no records yet, and where
    /// the file system knows no locks, there is nothing to wait for.
    fn take(records: &Path, shard: Option<usize>) -> Option<Locks> {
        let names = std::iter::once((LOCK.to_owned(), shard.is_some()))
            .chain(shard.map(|shard| (format!("{LOCK}.{shard}"), false)));
        let mut held = Vec::new();
        for (name, shared) in names {
            let Ok(file) = File::options().create(true).append(true).open(records.join(name)) else {
                continue;
            };
            let locked = if shared { file.try_lock_shared() } else { file.try_lock() };
            match locked {
                Ok(()) => held.push(file),
                Err(TryLockError::WouldBlock) => return None,
                Err(TryLockError::Error(_)) => {}
            }
        }
        Some(Locks { _held: held })
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

#[cfg(test)]
mod tests {
    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn open(out: &Path, taking: Taking) -> Result<Folder, String> {
        Folder::open(out, &"plan".to_owned(), taking, ["data".into()]).map_err(|error| error.to_string())
    }

    const RESUME: Taking = Taking { force: false, resume: true, shard: None };
    const FORCE: Taking = Taking { force: true, resume: false, shard: None };

    #[test]
    fn a_run_killed_before_it_had_a_plan_is_in_nobodys_way() -> Outcome {
        for taking in [Taking::default(), RESUME, FORCE] {
            let folder = tempfile::tempdir()?;
            let records = folder.path().join(RECORDS);
            std::fs::create_dir(&records)?;
            std::fs::write(records.join(".plan.json.x1.partial"), "")?;
            std::fs::write(records.join(LOCK), "")?;
            open(folder.path(), taking)?;
        }
        let folder = tempfile::tempdir()?;
        std::fs::create_dir(folder.path().join(RECORDS))?;
        std::fs::write(folder.path().join("thesis.txt"), "")?;
        assert!(open(folder.path(), RESUME).is_err_and(|told| told.contains("is not empty")));
        Ok(())
    }

    #[test]
    fn two_do_not_write_the_same() -> Outcome {
        let folder = tempfile::tempdir()?;
        let busy = |taking| open(folder.path(), taking).is_err_and(|told| told.contains("another racgen"));
        let whole = open(folder.path(), Taking::default())?;
        assert!(busy(RESUME) && busy(FORCE) && busy(Taking::default()));
        drop(whole);
        let shard = |shard| Taking { shard: Some(shard), ..Taking::default() };
        let one = open(folder.path(), shard(1))?;
        let two = open(folder.path(), shard(2))?;
        assert!(busy(shard(1)) && busy(shard(2)) && busy(RESUME) && busy(FORCE));
        drop(one);
        open(folder.path(), shard(1))?;
        drop(two);
        open(folder.path(), FORCE)?;
        Ok(())
    }

    #[test]
    fn staged_files_come_together_or_not_at_all() -> Outcome {
        let out = tempfile::tempdir()?;
        let folder = open(out.path(), Taking::default())?;
        let stage = folder.stage("chess")?;
        let written = replace(&stage.path().join("deep/chess.txt"), "text")?;
        let entry = FileEntry::new(stage.path(), &written);
        drop(stage);
        assert!(!out.path().join(RECORDS).join("chess.stage").exists());
        let stage = folder.stage("chess")?;
        replace(&stage.path().join("deep/chess.txt"), "text")?;
        assert!(!out.path().join("deep").exists());
        stage.publish(&[entry.clone(), entry])?;
        assert_eq!(std::fs::read_to_string(out.path().join("deep/chess.txt"))?, "text");
        Ok(())
    }
}
