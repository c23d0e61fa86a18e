//! Texts back to terms, and clingo's answers against the rows'.

pub mod answers;
pub mod games;
pub mod judge;
pub mod reading;
pub mod rules;
pub mod rules_wordings;
pub mod scene;
pub mod verdict;
pub mod voice;
pub mod wordings;
