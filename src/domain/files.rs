//! A package's place to the texts of its files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::domain::embedded::{DOMAINS, TEMPLATES};

/// Where the files of a package stand.
#[derive(Clone, Debug)]
pub(crate) enum PackageFiles {
    /// In the binary, under this name.
    BuiltIn(String),
    /// In a folder.
    Folder(PathBuf),
    /// In memory, by name.
    Made(Arc<BTreeMap<String, String>>),
}

impl PackageFiles {
    /// Reads the first of these files that there is, of the package or of the templates that belong to it: its name
    /// for errors, and its text.
    pub(crate) fn read(&self, names: &[String]) -> Option<(String, String)> {
        names.iter().find_map(|name| match self {
            PackageFiles::BuiltIn(package) => built_in(package, name),
            PackageFiles::Made(files) => files.get(name).map(|text| (name.clone(), text.clone())),
            PackageFiles::Folder(folder) => {
                let path = below(folder, name);
                std::fs::read_to_string(&path).ok().map(|text| (path.display().to_string(), text))
            }
        })
    }
}

fn built_in(package: &str, name: &str) -> Option<(String, String)> {
    let (dir, place, path) = match name.strip_prefix("../../templates/") {
        Some(file) => (&TEMPLATES, "templates", file.to_owned()),
        None => (&DOMAINS, "domains", format!("{package}/{name}")),
    };
    let text = dir.get_file(&path)?.contents_utf8()?;
    Some((format!("{place}/{path}"), text.to_owned()))
}

/// The path of a file, where `../` at the start of its name leads out of the folder.
fn below(folder: &Path, name: &str) -> PathBuf {
    let mut path = folder.to_owned();
    let mut rest = name;
    while let Some(up) = rest.strip_prefix("../") {
        let named = path.file_name().is_some();
        path = path.parent().filter(|_| named).map_or_else(|| path.join(".."), Path::to_owned);
        rest = up;
    }
    path.join(rest)
}
