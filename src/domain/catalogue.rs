//! Folders to the packages that they hold, by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use racgen_logic::fault::{Fault, Faults};

use crate::domain::embedded::DOMAINS;
use crate::domain::files::PackageFiles;
use crate::domain::package::Package;
use crate::domain::reader::read_package;

/// A package that was found but not yet read.
#[derive(Clone, Debug)]
pub struct FoundPackage {
    /// The folder's name.
    pub name: String,
    /// Where it stands, as the user would name it.
    pub origin: String,
    files: PackageFiles,
}

impl FoundPackage {
    /// Reads and checks the package's files; the logic programs are checked when they are grounded.
    ///
    /// # Errors
    /// All faults found.
    pub fn load(&self) -> Result<Package, Faults> {
        read_package(&self.name, &self.origin, &self.files)
    }
}

/// Everything that was found, by name.
#[derive(Clone, Debug)]
pub struct Catalogue {
    found: BTreeMap<String, FoundPackage>,
}

impl Catalogue {
    /// Looks for packages: the built-in ones, those below `domains/` of the working directory, and those in the
    /// given folders, later places before earlier ones.
    ///
    /// # Errors
    /// A folder that does not exist or holds no package; two given folders that hold packages of one name.
    pub fn find(folders: &[PathBuf]) -> Result<Catalogue, Fault> {
        let mut found = BTreeMap::new();
        for dir in DOMAINS.dirs().filter(|d| d.get_file(d.path().join("domain.toml")).is_some()) {
            let name = dir.path().to_string_lossy().into_owned();
            let files = PackageFiles::BuiltIn(name.clone());
            found.insert(name.clone(), FoundPackage { name, origin: "built in".into(), files });
        }
        let mut given: BTreeMap<String, FoundPackage> = BTreeMap::new();
        let here = PathBuf::from(".");
        let local = (here.join("domains").is_dir() && !folders.contains(&here)).then_some(here);
        for folder in local.iter().chain(folders) {
            let all = packages_in(folder);
            if all.is_empty() && folders.contains(folder) {
                return Err(Fault::new(
                    &folder.display().to_string(),
                    0,
                    "no package here",
                    "a package is a folder with a domain.toml; `racgen new NAME` writes one",
                ));
            }
            for path in all {
                let name = file_name(&path);
                let origin = path.display().to_string();
                let files = PackageFiles::Folder(path);
                let entry = FoundPackage { name: name.clone(), origin: origin.clone(), files };
                if local.as_ref() == Some(folder) {
                    found.insert(name, entry);
                } else if let Some(other) = given.insert(name.clone(), entry) {
                    return Err(Fault::new(
                        &origin,
                        0,
                        format!("a package called `{name}` stands in {} too", other.origin),
                        "rename one of the folders",
                    ));
                }
            }
        }
        found.extend(given);
        Ok(Catalogue { found })
    }

    /// All packages, by name.
    pub fn iter(&self) -> impl Iterator<Item = &FoundPackage> {
        self.found.values()
    }

    /// Loads a package by name.
    ///
    /// # Errors
    /// An unknown name, with the known ones; the package's faults.
    pub fn load(&self, name: &str) -> Result<Package, Faults> {
        let Some(found) = self.found.get(name) else {
            let known = self.found.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            let remedy = format!("known are {known}; others are found with --domain-dir");
            return Err(Fault::new(&format!("domain `{name}`"), 0, "no such domain", remedy).into());
        };
        found.load()
    }
}

/// Stands here, not with the type: a package need not know where packages are found.
impl Package {
    /// Loads a built-in package, one of the working directory's `domains/`, or one from a folder given by path.
    ///
    /// # Errors
    /// The package's faults.
    pub fn load(name: &str) -> Result<Package, Faults> {
        let path = Path::new(name);
        if path.join("domain.toml").is_file() {
            let (name, origin) = (file_name(path), path.display().to_string());
            return FoundPackage { name, origin, files: PackageFiles::Folder(path.to_owned()) }.load();
        }
        Catalogue::find(&[])?.load(name)
    }
}

fn file_name(path: &Path) -> String {
    let named = |path: PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // Of `..` the name is that of the folder it leads to.
    named(absolute).or_else(|| named(path.canonicalize().ok()?)).unwrap_or_default()
}

/// Package folders at, in, or in `domains/` below a folder, in the order of their names.
fn packages_in(folder: &Path) -> Vec<PathBuf> {
    if folder.join("domain.toml").is_file() {
        return vec![folder.to_owned()];
    }
    let mut all = Vec::new();
    for parent in [folder.to_owned(), folder.join("domains")] {
        let Ok(entries) = std::fs::read_dir(parent) else { continue };
        all.extend(entries.flatten().map(|e| e.path()).filter(|p| p.join("domain.toml").is_file()));
    }
    all.sort();
    all
}
