//! Files of any kind below a folder, and the list of them for its manifest.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::DataError;
use crate::papers::manifest::FileEntry;
use crate::write::partial::Written;
use crate::write::text::{replace, stream};

/// Files that are written below a folder, by any thread.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    written: Mutex<Vec<FileEntry>>,
}

impl Files {
    /// No files yet.
    pub fn below(folder: &Path) -> Files {
        Files { folder: folder.to_owned(), written: Mutex::default() }
    }

    /// Where a file stands.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a text, in place of one that may stand there.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn text(&self, name: impl AsRef<Path>, text: &str) -> Result<(), DataError> {
        replace(&self.path(name), text).map(|written| self.add(&written))
    }

    /// Writes a file piece by piece.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn stream(
        &self,
        name: impl AsRef<Path>,
        write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), DataError> {
        stream(&self.path(name), write).map(|written| self.add(&written))
    }

    /// Lists a file that was written otherwise.
    pub fn add(&self, written: &Written) {
        let entry = FileEntry::new(&self.folder, written);
        self.written.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    }

    /// The list so far, by path.
    pub fn list(&self) -> Vec<FileEntry> {
        let mut all = self.written.lock().unwrap_or_else(PoisonError::into_inner).clone();
        all.sort_by(|a, b| a.path.cmp(&b.path));
        all
    }

    /// The list, by path.
    pub fn finish(self) -> Vec<FileEntry> {
        let mut all = self.written.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.sort_by(|a, b| a.path.cmp(&b.path));
        all
    }
}
