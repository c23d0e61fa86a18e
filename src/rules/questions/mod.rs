//! Rules to questions in plain language.

pub mod reader;
pub mod source;
pub mod stories;
pub mod verbalizer;
