//! Traces to question-answer items.

pub mod answers;
pub mod drafts;
pub mod open_questions;
pub mod source;
pub mod stories;
pub mod verify_pairs;
