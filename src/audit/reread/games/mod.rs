//! Texts of games back to states and moves, and what clingo makes of them against the rows.

pub mod clingo_names;
pub mod voice;
