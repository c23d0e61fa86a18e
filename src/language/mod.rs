//! A story to English, and English back to terms.

pub mod generic;
pub mod paragraphs;
pub mod parser;
pub mod rationale;
pub mod rationale_parser;
pub mod verbalizer;
pub mod voice;
