//! Texts back to terms, and clingo's answers against the rows'.

pub mod domains;
pub mod games;
pub mod halma;
pub mod judge;
pub mod rules;
pub mod verdict;
pub mod voice;
