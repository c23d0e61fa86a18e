//! Stories to balanced question-answer items.

pub mod batch;
pub mod context;
pub mod contrast;
pub mod error;
pub(crate) mod extra;
pub mod probe;
pub mod profile;
pub mod schedule;
pub mod selection;
pub mod settings;
pub mod source;
pub mod worlds;
