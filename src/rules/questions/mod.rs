//! Rules to questions in plain language.

pub mod stories;
