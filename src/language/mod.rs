//! A story to English, and English back to terms.

pub mod acting;
pub mod error;
pub mod read;
pub mod reasons;
pub mod tell;
pub mod words;
