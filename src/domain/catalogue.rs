//! Folders to the packages that they hold, by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use racgen_logic::clingo::Source;
use racgen_logic::fault::{Fault, Faults};

use crate::domain::embedded::DOMAINS;
use crate::domain::files::PackageFiles;
use crate::domain::package::Package;
use crate::domain::reader::{book_places, names_outcomes, read_package, rules_places};

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
    /// The package of a folder.
    pub fn at(folder: &Path) -> FoundPackage {
        let (name, origin) = (file_name(folder), folder.display().to_string());
        FoundPackage { name, origin, files: PackageFiles::Folder(folder.to_owned()) }
    }

    /// Reads and checks the package's files; the logic programs are checked when they are grounded.
    ///
    /// # Errors
    /// All faults found.
    pub fn load(&self) -> Result<Package, Faults> {
        read_package(&self.name, &self.origin, &self.files)
    }

    /// Does its `domain.lp` give actions several outcomes?
    pub fn has_outcomes(&self) -> bool {
        let domain = self.files.read(&["domain.lp".to_owned()]);
        domain.is_some_and(|(file, text)| names_outcomes(&Source::new(file, text)))
    }

    /// The texts of its files by their names, as they would stand in a folder of its own, phrase book and rules paragraph
    /// included. Files that a package may lack are left out where there are none.
    pub(crate) fn texts(&self) -> Vec<(String, String)> {
        let own = ["domain.toml", "domain.lp", "world.lp", "questions.lp", "view.lp"]
            .map(|file| vec![file.to_owned()]);
        let places = own.into_iter().chain([book_places(&self.name), rules_places(&self.name)]);
        let text = |places: Vec<String>| Some((places[0].clone(), self.files.read(&places)?.1));
        places.filter_map(text).collect()
    }
}

/// What makes the files of packages that stand nowhere, by their names; none where a name is not among its own.
pub type MakeFiles = fn(&str) -> Option<BTreeMap<String, String>>;

/// Everything that was found, by name.
#[derive(Clone, Debug)]
pub struct Catalogue {
    found: BTreeMap<String, FoundPackage>,
    make: Option<MakeFiles>,
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
        Ok(Catalogue { found, make: None })
    }

    /// All packages, by name.
    pub fn iter(&self) -> impl Iterator<Item = &FoundPackage> {
        self.found.values()
    }

    /// The package of a name.
    ///
    /// # Errors
    /// An unknown name, with the known ones.
    pub fn named(&self, name: &str) -> Result<&FoundPackage, Fault> {
        self.found.get(name).ok_or_else(|| {
            let known = self.found.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            let remedy = format!("known are {known}; others are found with --domain-dir");
            Fault::new(&format!("domain `{name}`"), 0, "no such domain", remedy)
        })
    }

    /// Does a package of this name stand somewhere?
    pub fn holds(&self, name: &str) -> bool {
        self.found.contains_key(name)
    }

    /// Is there a package of this name, if only once it is made?
    pub fn knows(&self, name: &str) -> bool {
        self.holds(name) || self.make.is_some_and(|make| make(name).is_some())
    }

    /// The names of the packages that stand somewhere.
    pub fn names(&self) -> Vec<String> {
        self.found.keys().cloned().collect()
    }

    /// The names that `all` stands for: of packages whose actions have several outcomes, not the same can be asked, so that
    /// they are asked for by name.
    pub fn all(&self) -> Vec<String> {
        self.iter().filter(|found| !found.has_outcomes()).map(|found| found.name.clone()).collect()
    }

    /// The same with packages that are made when they are asked for.
    pub fn with_made(self, make: MakeFiles) -> Catalogue {
        Catalogue { make: Some(make), ..self }
    }

    /// Loads a package by name.
    ///
    /// # Errors
    /// An unknown name, with the known ones; the package's faults.
    pub fn load(&self, name: &str) -> Result<Package, Faults> {
        if !self.holds(name)
            && let Some(files) = self.make.and_then(|make| make(name))
        {
            return Package::of_files(name, files);
        }
        self.named(name)?.load()
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
            return FoundPackage::at(path).load();
        }
        Catalogue::find(&[])?.load(name)
    }

    /// The package of files that stand nowhere, by their names.
    ///
    /// # Errors
    /// The package's faults.
    pub fn of_files(name: &str, files: BTreeMap<String, String>) -> Result<Package, Faults> {
        read_package(name, name, &PackageFiles::Made(Arc::new(files)))
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
