//! Planning domains in PDDL to packages, and packages to PDDL.

pub mod bounds;
mod clauses;
mod drafts;
mod english;
mod explained;
pub mod export;
mod formulas;
pub mod given;
mod goals;
pub mod import;
mod inferred;
mod invariants;
mod levels;
mod lifting;
mod package_files;
mod reader;
mod rules;
pub mod syntax;
pub mod vocabulary;
mod walker;
mod words;
pub mod world;
