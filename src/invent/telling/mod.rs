//! A theory with its words to the phrase book of a package, and to the package.

mod action_rules;
mod clauses;
mod fact_phrases;
mod fluent_phrases;
pub mod package_files;
mod phrase_book;
mod rules;
