//! Texts of rule sets back to facts and rules, and what clingo derives of them against the rows.

pub mod renaming;
pub mod rounds;
pub mod voice;
