//! Promise: what is imported from PDDL does what the PDDL says: in every situation the same actions can be carried out, and
//! they lead to the same situations, as a plain interpreter of PDDL and the planner library unified-planning say.

mod goals;
mod judge;
mod refused;
mod roundtrip;
mod worlds;

use std::path::{Path, PathBuf};

use racgen::domain::scaffold::write_folder;
use racgen::pddl::import::{ImportSettings, ImportedPackage, import};
use racgen::pddl::syntax::{PddlDomain, PddlProblem};

use crate::common::LIMIT;

/// The domains that tests have, by their folders.
pub const DOMAINS: [&str; 17] = [
    "blocksworld",
    "childsnack",
    "circuit",
    "depots",
    "driverlog",
    "ferry",
    "floortile",
    "grid",
    "gripper",
    "hanoi",
    "jugs",
    "logistics",
    "miconic",
    "rovers",
    "satellite",
    "sokoban",
    "visitall",
];

/// A domain as tests need it: its texts, and what was imported.
pub struct Imported {
    pub domain: String,
    pub problems: Vec<String>,
    pub package: ImportedPackage,
}

pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pddl").join(name)
}

/// Imports a domain of the tests with all its problems.
pub fn imported(name: &str, situations: usize) -> Imported {
    let read = |file: &Path| std::fs::read_to_string(file).unwrap();
    let domain = read(&folder(name).join("domain.pddl"));
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| !file.ends_with("domain.pddl"));
    files.sort();
    let problems: Vec<String> = files.iter().map(|file| read(file)).collect();
    let package = import_texts(name, &domain, &problems, situations);
    Imported { domain, problems, package }
}

pub fn import_texts(name: &str, domain: &str, problems: &[String], situations: usize) -> ImportedPackage {
    let read = PddlDomain::read(domain, "domain.pddl").unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let all: Vec<PddlProblem> = problems
        .iter()
        .map(|text| {
            PddlProblem::read(text, "problem.pddl", &read).unwrap_or_else(|fault| panic!("{name}: {fault}"))
        })
        .collect();
    let settings = ImportSettings { situations, seed: 0, limit: LIMIT };
    import(name, &read, &all, settings).unwrap_or_else(|faults| panic!("{name}: {faults}"))
}

/// Writes an imported package and loads it as anyone would.
pub fn loaded(name: &str, made: &ImportedPackage) -> racgen::domain::package::Package {
    let parent = tempfile::tempdir().unwrap();
    let files = made.files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes()));
    let folder = write_folder(name, parent.path(), files).unwrap();
    let path = folder.display().to_string();
    racgen::domain::package::Package::load(&path).unwrap_or_else(|faults| panic!("{name}: {faults}"))
}
