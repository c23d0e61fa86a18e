//! A file under a temporary name that gets its final name only when it is complete.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempPath;

use crate::error::DataError;

/// What the names of files end with that are being written.
pub(super) const SUFFIX: &str = ".partial";
const BUFFER: usize = 256 * 1024;

/// A file that is being written as `.NAME.RANDOM.partial` beside its final name. Dropping it removes it.
pub(super) struct PartialFile {
    out: BufWriter<Hashed>,
    temporary: TempPath,
    path: PathBuf,
}

impl PartialFile {
    /// Creates the temporary file and the folders above it. Temporary files of the same name that a killed
    /// run left behind are removed.
    pub(super) fn create(path: &Path) -> Result<PartialFile, DataError> {
        let folder = folder_of(path);
        let error = |action, path: &Path, cause| DataError::Write { action, path: path.to_owned(), cause };
        fs::create_dir_all(folder).map_err(|cause| error("create the folder", folder, cause))?;
        let Some(name) = path.file_name() else {
            return Err(error("create", path, io::ErrorKind::IsADirectory.into()));
        };
        let mut prefix = OsString::from(".");
        prefix.push(name);
        prefix.push(".");
        remove_leftovers(folder, &prefix);
        let (file, temporary) = tempfile::Builder::new()
            .prefix(&prefix)
            .suffix(SUFFIX)
            .make_in(folder, |name| OpenOptions::new().write(true).create_new(true).open(name))
            .map_err(|cause| error("create", path, cause))?
            .into_parts();
        Ok(PartialFile::new(file, temporary, path))
    }

    fn new(file: File, temporary: TempPath, path: &Path) -> PartialFile {
        let out = BufWriter::with_capacity(BUFFER, Hashed { file, hash: Sha256::new(), bytes: 0 });
        PartialFile { out, temporary, path: path.to_owned() }
    }

    /// The final name.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// An error of the operating system about this file.
    pub(super) fn error(&self, action: &'static str, cause: io::Error) -> DataError {
        DataError::Write { action, path: self.path.clone(), cause }
    }

    /// Brings the content to the disk and renames the file onto its final name.
    pub(super) fn persist(mut self, rows: u64) -> Result<Written, DataError> {
        let flushed = self.out.flush().and_then(|()| self.out.get_ref().file.sync_all());
        flushed.map_err(|cause| self.error("write", cause))?;
        let PartialFile { out, temporary, path } = self;
        temporary.persist(&path).map_err(|e| DataError::Write {
            action: "rename the finished file to",
            path: path.clone(),
            cause: e.error,
        })?;
        // The new name outlives a power cut once the folder is on the disk, too; where folders cannot be
        // opened or synced the file is complete all the same.
        #[cfg(unix)]
        let _ = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
        let Hashed { hash, bytes, .. } = out.get_ref();
        Ok(Written { path, rows, bytes: *bytes, sha256: hexadecimal(&hash.clone().finalize()) })
    }
}

impl Write for PartialFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A file and the hash of what was written to it.
struct Hashed {
    file: File,
    hash: Sha256,
    bytes: u64,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Removes temporary files of a killed run. Where that fails they do no harm.
fn remove_leftovers(folder: &Path, prefix: &OsString) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let bytes = name.as_encoded_bytes();
        if bytes.starts_with(prefix.as_encoded_bytes()) && bytes.ends_with(SUFFIX.as_bytes()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A finished file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its final name.
    pub path: PathBuf,
    /// How many rows it holds.
    pub rows: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// SHA-256 of its content, 64 hexadecimal digits.
    pub sha256: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_and_length_are_those_of_the_file() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("deep/er/abc.txt");
        let mut file = PartialFile::create(&path)?;
        file.write_all(b"ab")?;
        file.write_all(b"c")?;
        assert!(!path.exists());
        let written = file.persist(0)?;
        assert_eq!(fs::read(&path)?, b"abc");
        assert_eq!(written.bytes, 3);
        assert_eq!(written.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        Ok(())
    }

    #[test]
    fn leftovers_of_a_killed_run_go() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join(".a.csv.x1.partial"), "")?;
        fs::write(folder.path().join(".b.csv.x1.partial"), "")?;
        drop(PartialFile::create(&folder.path().join("a.csv"))?);
        let left: Vec<_> = fs::read_dir(folder.path())?.flatten().map(|e| e.file_name()).collect();
        assert_eq!(left, [".b.csv.x1.partial"]);
        Ok(())
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_a_sentence() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.jsonl");
        let temporary = folder.path().join("temporary");
        fs::write(&temporary, "")?;
        let full = OpenOptions::new().write(true).open("/dev/full")?;
        let mut file = PartialFile::new(full, TempPath::try_from_path(&temporary)?, &path);
        file.write_all(b"abc")?;
        let message = file.persist(1).map_err(|e| e.to_string()).expect_err("the disk is full");
        assert!(
            message.starts_with("cannot write `") && message.contains("a.jsonl`: No space left"),
            "{message}"
        );
        assert!(
            message.ends_with("free some space or choose an output folder on another disk, then run again")
        );
        assert!(!path.exists() && !temporary.exists());
        Ok(())
    }
}
