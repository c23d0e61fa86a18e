//! The words by which an answer is known in a text, as JSON: what `racgen score` and the tasks for lm-evaluation-harness share.
//!
//! `src/score/vocabulary.rs` says what each list is for.

/// The text of the file.
pub const TEXT: &str = include_str!("answer_words.json");
