//! A name to the folder of a small working package, to start a domain from.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use racgen_logic::fault::Fault;

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
    for file in EXAMPLE.files() {
        if let Err(error) = std::fs::write(folder.join(file.path()), file.contents()) {
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
