//! Traces to question-answer items.

pub mod answers;
pub mod book_reader;
pub mod drafts;
pub mod open_questions;
pub mod phrase_book;
pub mod rules_text;
pub mod source;
pub mod stories;
pub mod verify_pairs;
