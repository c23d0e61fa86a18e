//! A name to the folder of a working package, to start a domain from: a small one, or a copy of one that there is.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use racgen_logic::fault::{Fault, Faults};

use crate::domain::catalogue::FoundPackage;

static EXAMPLE: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/domain/scaffold");

/// Writes the package `name` into a new folder of that name below `parent`, and returns the folder.
///
/// # Errors
/// A name that is none, a folder or file of that name, a place that cannot be written to; nothing is left behind.
///
/// ```
/// let parent = tempfile::tempdir().unwrap();
/// let folder = racgen::domain::scaffold::write_new("lamps", parent.path()).unwrap();
/// let package = racgen::domain::package::Package::load(&folder.to_string_lossy()).unwrap();
/// assert_eq!(package.name, "lamps");
/// assert!(racgen::domain::scaffold::write_new("lamps", parent.path()).unwrap_err().cause.contains("exists"));
/// ```
pub fn write_new(name: &str, parent: &Path) -> Result<PathBuf, Fault> {
    let files = EXAMPLE.files().map(|file| (file.path().display().to_string(), file.contents()));
    write_folder(name, parent, files)
}

/// Writes a copy of a package, phrase book included, into a new folder `name` below `parent`, and returns the folder.
///
/// # Errors
/// As [`write_new`]; faults of the package that is copied.
///
/// ```
/// use racgen::domain::{catalogue::Catalogue, package::Package, scaffold::write_like};
///
/// let (parent, catalogue) = (tempfile::tempdir().unwrap(), Catalogue::find(&[]).unwrap());
/// let folder = write_like("harbor", parent.path(), catalogue.named("dwr").unwrap()).unwrap();
/// let package = Package::load(&folder.to_string_lossy()).unwrap();
/// assert_eq!((package.name.as_str(), package.kind_of("k1")), ("harbor", Some(1)));
/// ```
pub fn write_like(name: &str, parent: &Path, like: &FoundPackage) -> Result<PathBuf, Faults> {
    like.load()?;
    let texts = like.texts();
    let files = texts.iter().map(|(file, text)| (file.clone(), text.as_bytes()));
    Ok(write_folder(name, parent, files)?)
}

/// Writes files into a new folder `name` below `parent`, and returns the folder.
///
/// # Errors
/// As [`write_new`].
pub fn write_folder<'a>(
    name: &str,
    parent: &Path,
    files: impl Iterator<Item = (String, &'a [u8])>,
) -> Result<PathBuf, Fault> {
    let valid = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !valid {
        return Err(Fault::new(
            &format!("package `{name}`"),
            0,
            "this cannot be a package's name",
            "choose small letters, digits and _, with a letter first, such as `my_domain`",
        ));
    }
    let folder = parent.join(name);
    let place = folder.display().to_string();
    let failed = |error: std::io::Error, remedy: &str| Fault::new(&place, 0, error.to_string(), remedy);
    std::fs::create_dir(&folder).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            failed(std::io::Error::other("it exists already"), "choose another name, or move it away")
        }
        _ => failed(error, "choose a folder that exists and can be written to"),
    })?;
    for (file, contents) in files {
        if let Err(error) = std::fs::write(folder.join(file), contents) {
            // The folder is new, so all in it is of our making.
            let _ = std::fs::remove_dir_all(&folder);
            return Err(failed(error, "make room, or choose another folder"));
        }
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_names_leave_nothing_behind() {
        let parent = tempfile::tempdir().unwrap();
        for name in ["", "..", "a/b", "Lamps", "1st", "a b", "-x"] {
            let fault = write_new(name, parent.path()).unwrap_err();
            assert!(fault.remedy.contains("small letters"), "{fault}");
        }
        let fault = write_new("lamps", &parent.path().join("nowhere")).unwrap_err();
        assert!(fault.remedy.contains("a folder that exists"), "{fault}");
        assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
