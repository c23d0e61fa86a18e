//! What is seen of a game to words, and words back to what they say.

pub mod acted_game;
pub mod book_reader;
pub mod flat_terms;
pub mod names;
pub mod phrase_book;
pub mod questions;
pub mod rules_reader;
pub mod rules_text;
pub mod verbalizer;
