//! A story to English, and English back to terms.

pub(crate) mod cuts;
pub mod error;
pub mod forms;
pub mod generic;
pub mod generic_books;
pub mod generic_view;
pub mod holdout;
mod initial_state;
pub mod lexicon;
pub mod name_index;
pub mod naming;
pub mod narrator;
pub mod numbering;
pub mod paragraphs;
pub mod parser;
pub mod phrasing_table;
pub mod rationale;
pub mod rationale_parser;
pub mod rules_paragraph;
mod scene;
pub mod sentence;
pub mod text;
pub mod verbalizer;
