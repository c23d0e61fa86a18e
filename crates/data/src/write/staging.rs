//! Many files to one folder that gets its name only when it is complete.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::Serialize;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::write::OutputError;

/// What marks a folder as one of ours, so that it may be replaced.
pub const MANIFEST: &str = "manifest.json";
const SUFFIX: &str = ".partial";

/// A written file, for manifests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct StagedFile {
    /// Path below the folder, with `/`.
    pub path: String,
    /// Bytes.
    pub bytes: u64,
    /// 64 hexadecimal digits.
    pub sha256: String,
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn refused(action: &'static str, path: &Path, cause: io::Error) -> OutputError {
    OutputError::Io { action, path: path.to_owned(), cause }
}

/// A folder under a hidden temporary name beside its final one. Dropped before [`Staging::finish`], it goes.
#[derive(Debug)]
pub struct Staging {
    folder: TempDir,
    out: PathBuf,
}

impl Staging {
    /// Starts a folder. What is there already is replaced with `force`, if it is empty or has a manifest.
    ///
    /// # Errors
    /// [`OutputError::Exists`], or those of the operating system.
    pub fn new(out: &Path, force: bool) -> Result<Staging, OutputError> {
        let exists = || OutputError::Exists { path: out.to_owned() };
        if let Ok(kind) = out.symlink_metadata() {
            let ours = out.join(MANIFEST).is_file() && force;
            let empty = kind.is_dir() && fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_none());
            if !ours && !empty {
                return Err(exists());
            }
        }
        let above = match out.parent() {
            Some(above) if !above.as_os_str().is_empty() => above,
            _ => Path::new("."),
        };
        fs::create_dir_all(above).map_err(|cause| refused("create the folder", above, cause))?;
        let Some(name) = out.file_name() else {
            return Err(refused("create", out, ErrorKind::IsADirectory.into()));
        };
        let mut prefix = OsString::from(".");
        prefix.push(name);
        prefix.push(".");
        remove_leftovers(above, &prefix);
        let folder = tempfile::Builder::new()
            .prefix(&prefix)
            .suffix(SUFFIX)
            .tempdir_in(above)
            .map_err(|cause| refused("create", out, cause))?;
        Ok(Staging { folder, out: out.to_owned() })
    }

    /// Where the files are written meanwhile.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the folder its final name.
    ///
    /// # Errors
    /// Those of the operating system; what stood under the name is then untouched.
    pub fn finish(self) -> Result<(), OutputError> {
        let rename = |from: &Path, to: &Path| {
            fs::rename(from, to).map_err(|cause| refused("rename the finished folder to", to, cause))
        };
        open_to_all(self.path());
        let aside = self.folder.path().with_extension("old");
        let replaced = self.out.symlink_metadata().is_ok();
        if replaced {
            rename(&self.out, &aside)?;
        }
        if let Err(error) = rename(self.folder.path(), &self.out) {
            if replaced {
                let _ = fs::rename(&aside, &self.out);
            }
            return Err(error.into());
        }
        // The folder has moved away; nothing is left to delete.
        let _ = self.folder.keep();
        if replaced {
            fs::remove_dir_all(&aside).map_err(|cause| refused("remove the old folder", &aside, cause))?;
        }
        Ok(())
    }
}

/// Temporary folders are private; the finished one is like any other.
fn open_to_all(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o755));
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// Writes a text below a folder, and the folders above it.
///
/// # Errors
/// Those of the operating system.
pub fn write(folder: &Path, path: &str, text: &str) -> Result<StagedFile, OutputError> {
    let full = folder.join(path);
    if let Some(above) = full.parent() {
        fs::create_dir_all(above).map_err(|cause| refused("create the folder", above, cause))?;
    }
    fs::write(&full, text).map_err(|cause| refused("write", &full, cause))?;
    Ok(StagedFile { path: path.to_owned(), bytes: text.len() as u64, sha256: sha256(text.as_bytes()) })
}

/// Removes what killed runs left behind. Where that fails it does no harm.
fn remove_leftovers(above: &Path, prefix: &OsString) {
    for entry in fs::read_dir(above).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let bytes = name.as_encoded_bytes();
        if bytes.starts_with(prefix.as_encoded_bytes()) && bytes.ends_with(SUFFIX.as_bytes()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
