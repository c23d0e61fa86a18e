//! Texts of domains back to terms, and clingo's answers against the rows'.

pub mod answers;
pub mod reading;
pub mod replay;
pub mod rules_wordings;
pub mod voice;
pub mod wordings;
