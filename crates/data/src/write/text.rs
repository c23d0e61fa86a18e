//! Texts to files: at once, piece by piece, or line by line.

use std::io::{self, Write as _};
use std::path::Path;

use crate::error::DataError;
use crate::write::partial::{PartialFile, Written};

/// Writes a small file at once, in place of one that may stand under the name.
///
/// # Errors
/// [`DataError::Write`]; an older file is then untouched.
pub fn replace(path: &Path, text: &str) -> Result<Written, DataError> {
    let mut file = PartialFile::create(path)?;
    file.write_all(text.as_bytes()).map_err(|cause| file.error("write", cause))?;
    file.persist(0)
}

/// Writes a file piece by piece; it gets its name once it is complete, in place of one that may stand there.
///
/// # Errors
/// [`DataError::Write`]; an older file is then untouched.
pub fn stream(
    path: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<Written, DataError> {
    let mut file = PartialFile::create(path)?;
    write(&mut file).map_err(|cause| file.error("write", cause))?;
    file.persist(0)
}

/// A file of lines that gets its name only when it is finished.
pub struct LineFile {
    file: PartialFile,
    lines: u64,
}

impl LineFile {
    /// Starts a file; missing folders are made.
    ///
    /// # Errors
    /// [`DataError::Exists`] if the final name is taken, [`DataError::Write`] if the folder cannot be written.
    pub fn create(path: &Path) -> Result<LineFile, DataError> {
        if path.symlink_metadata().is_ok() {
            return Err(DataError::Exists { path: path.to_owned() });
        }
        PartialFile::create(path).map(|file| LineFile { file, lines: 0 })
    }

    /// Appends a line.
    ///
    /// # Errors
    /// [`DataError::Write`].
    pub fn line(&mut self, text: &str) -> Result<(), DataError> {
        self.lines += 1;
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.write_all(b"\n"));
        written.map_err(|cause| self.file.error("write", cause))
    }

    /// Completes the file and gives it its final name.
    ///
    /// # Errors
    /// [`DataError::Write`]; the final name then does not exist.
    pub fn finish(self) -> Result<Written, DataError> {
        self.file.persist(self.lines)
    }
}
