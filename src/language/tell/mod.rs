//! A story to English: paragraphs, questions, answers, rationales.

pub mod generic;
pub(crate) mod initial_state;
pub mod narrator;
pub mod paragraphs;
pub mod rationale;
pub mod rules_paragraph;
pub(crate) mod scene;
pub mod verbalizer;
