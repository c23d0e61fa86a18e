//! Rules to questions in plain language.

pub mod source;
pub mod stories;
