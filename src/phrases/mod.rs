//! Phrase book files to phrasings.

pub mod book;
pub mod pattern;
pub mod phrasing;
pub mod reader;
