//! A story to English: paragraphs, questions, answers, rationales.

pub mod cases_rationale;
pub mod course;
pub mod family_question;
pub mod generic;
pub(crate) mod initial_state;
pub mod narrator;
pub(crate) mod own;
pub mod paragraphs;
pub mod rationale;
pub mod row_teller;
pub mod rules_paragraph;
pub mod verbalize;
pub mod verbalizer;
