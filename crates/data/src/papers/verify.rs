//! A manifest's entry to what the file has otherwise: its length and its content.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::DataError;
use crate::papers::manifest::FileEntry;

/// How many bytes are hashed at once.
const BUFFER: usize = 1 << 18;

impl FileEntry {
    /// Where the file stands, below the folder of its manifest; none for a path that leads out of it.
    pub fn place(&self, root: &Path) -> Option<PathBuf> {
        let path = Path::new(&self.path);
        let inner = path.components().all(|part| matches!(part, Component::Normal(_)));
        (inner && !self.path.is_empty()).then(|| root.join(path))
    }

    /// What is otherwise with the file than the entry says, in words; none if nothing is.
    pub fn differs(&self, root: &Path) -> Option<String> {
        let Some(path) = self.place(root) else { return Some("leads out of the folder".into()) };
        match hash(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Some("is missing".into()),
            Err(error) => Some(format!("cannot be read: {error}")),
            Ok((bytes, _)) if bytes != self.bytes => {
                Some(format!("has {bytes} bytes, where the manifest says {}", self.bytes))
            }
            Ok((_, sha256)) if sha256 != self.sha256 => {
                Some("has another SHA-256 than the manifest says".into())
            }
            Ok(_) => None,
        }
    }
}

impl FileEntry {
    /// The entry of a file that stands below the output folder `out`, as it is now.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn found(out: &Path, path: &str) -> Result<FileEntry, DataError> {
        let place = out.join(path);
        let (bytes, sha256) = hash(&place).map_err(|cause| DataError::Read { path: place.clone(), cause })?;
        Ok(FileEntry { path: path.into(), bytes, sha256, ..FileEntry::default() })
    }
}

/// The length of a file and the SHA-256 of its content.
fn hash(path: &Path) -> std::io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    let (mut hash, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; BUFFER]);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        hash.update(&buffer[..read]);
        bytes += read as u64;
    }
    Ok((bytes, hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_told() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("abc"), "abc")?;
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".to_owned();
        let entry = FileEntry { path: "abc".into(), bytes: 3, sha256, ..FileEntry::default() };
        assert_eq!(entry.differs(folder.path()), None);
        let told = |entry: FileEntry| entry.differs(folder.path()).unwrap_or_default();
        assert!(told(FileEntry { bytes: 4, ..entry.clone() }).contains("3 bytes"));
        assert!(told(FileEntry { sha256: "00".into(), ..entry.clone() }).contains("SHA-256"));
        assert!(told(FileEntry { path: "b".into(), ..entry.clone() }).contains("missing"));
        for path in ["../abc", "/abc", ""] {
            assert!(told(FileEntry { path: path.into(), ..entry.clone() }).contains("leads out"), "{path}");
        }
        Ok(())
    }
}
