//! Stories to balanced question-answer items.

pub mod batch;
pub mod choosing;
pub mod context;
pub mod contrast;
pub mod error;
pub(crate) mod extra;
pub mod further;
mod probing;
pub mod settings;
mod side_by_side;
pub mod source;
pub mod worlds;
