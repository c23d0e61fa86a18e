//! Phrase book files to phrasings.

pub mod book;
pub mod phrasing;
