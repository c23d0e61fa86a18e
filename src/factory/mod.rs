//! Stories to balanced question-answer items.

pub mod batch;
pub mod choosing;
pub mod context;
pub mod contrast;
pub mod error;
pub(crate) mod extra;
pub mod further;
pub mod settings;
pub mod source;
pub mod worlds;
