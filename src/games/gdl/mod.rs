//! Texts of games to checked rules and logic programs.

pub mod decompose;
pub mod flatten;
mod reader;
pub mod strata;
pub mod syntax;
pub mod translate;
pub mod validate;
