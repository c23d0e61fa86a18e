//! Each hand-written parser against documents that are almost right: it returns, soon, and what it read it prints.
//!
//! `cargo test` gives each target a second; `make fuzz` gives it a minute. A target is a test that calls
//! [`target::fuzz`] with what it starts from (`document`) and what must hold. A document that once failed is kept in
//! `corpus/NAME/`, and tried first.

mod answers;
mod commands;
mod document;
mod games;
mod halma;
mod packages;
mod pddl;
mod phrases;
mod programs;
mod rules;
mod target;
mod terms;
mod texts;

use std::path::Path;

/// The texts of a folder whose names have this ending.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut paths: Vec<_> =
        std::fs::read_dir(Path::new(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let wanted = paths.iter().filter(|path| path.to_string_lossy().ends_with(ending));
    wanted.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}
