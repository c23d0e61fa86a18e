//! A folder of forms or tasks to one that may be written anew: it lists its files, and only these are replaced.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::DataError;
use crate::papers::manifest::{FileEntry, MANIFEST};
use crate::write::text::replace;

/// What an export wrote, as `manifest.json` of its folder.
#[derive(Debug, Serialize, Deserialize)]
struct Exported {
    /// Version of racgen.
    racgen: String,
    /// What the folder holds: `forms` or `tasks`.
    exported: String,
    /// The files, by path.
    files: Vec<FileEntry>,
}

/// The files of an earlier export, and its record; none where the folder holds something else.
fn earlier(out: &Path) -> Option<BTreeSet<PathBuf>> {
    let text = std::fs::read_to_string(out.join(MANIFEST)).ok()?;
    let exported: Exported = serde_json::from_str(&text).ok()?;
    let paths = exported.files.iter().map(|file| PathBuf::from(&file.path));
    // Nothing outside the folder is ours.
    let inside = paths.filter(|path| path.components().all(|part| matches!(part, Component::Normal(_))));
    Some(inside.map(|path| out.join(path)).chain([out.join(MANIFEST)]).collect())
}

/// The files below a folder; what Python compiles of a module beside its source is not counted.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            true if entry.file_name() == "__pycache__" => {}
            true => found.extend(files_below(&entry.path())),
            false => found.push(entry.path()),
        }
    }
    found
}

/// Refuses a folder that holds something; with `force`, one that holds anything but an earlier export.
///
/// # Errors
/// [`DataError::Taken`].
pub fn check(out: &Path, force: bool) -> Result<(), DataError> {
    let held = files_below(out);
    let ours = if force { earlier(out) } else { None };
    let taken = match ours {
        Some(ours) => held.iter().any(|file| !ours.contains(file)),
        None => {
            out.exists()
                && (!out.is_dir() || std::fs::read_dir(out).is_ok_and(|mut all| all.next().is_some()))
        }
    };
    if taken { Err(DataError::Taken(out.to_owned())) } else { Ok(()) }
}

/// Takes a folder: an earlier export in it goes.
///
/// # Errors
/// Those of [`check`].
pub fn take(out: &Path, force: bool) -> Result<(), DataError> {
    check(out, force)?;
    for file in earlier(out).into_iter().flatten() {
        let _ = std::fs::remove_file(file);
    }
    prune(out);
    Ok(())
}

/// Removes the folders below a folder, and itself, as far as there is nothing in them.
pub(crate) fn prune(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            prune(&entry.path());
        }
    }
    let _ = std::fs::remove_dir(folder);
}

/// Records what was written, so that another export can replace it.
///
/// # Errors
/// Those of the operating system.
pub fn record(out: &Path, what: &str, mut files: Vec<FileEntry>) -> Result<(), DataError> {
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let path = out.join(MANIFEST);
    let exported = Exported { racgen: env!("CARGO_PKG_VERSION").into(), exported: what.into(), files };
    let text = serde_json::to_string_pretty(&exported)
        .map_err(|error| DataError::Encode { path: path.clone(), message: error.to_string() })?;
    replace(&path, &(text + "\n")).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_an_export_wrote_is_replaced() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let out = folder.path().join("t");
        assert!(check(&out, false).is_ok());
        let written = replace(&out.join("data/a.jsonl"), "{}\n")?;
        record(&out, "tasks", vec![FileEntry::new(&out, &written)])?;
        assert!(check(&out, false).is_err());
        assert!(check(&out, true).is_ok());
        std::fs::write(out.join("data/mine.txt"), "mine")?;
        assert!(take(&out, true).is_err() && out.join("data/a.jsonl").exists());
        std::fs::remove_file(out.join("data/mine.txt"))?;
        take(&out, true)?;
        assert!(!out.exists());
        // A data set is no export, whoever wrote it.
        replace(&out.join("manifest.json"), "{\"racgen\": \"0.1.0\", \"files\": []}")?;
        assert!(check(&out, true).is_err());
        Ok(())
    }
}
