//! Stories to balanced question-answer items.

pub mod batch;
pub mod change;
pub mod context;
pub mod error;
pub mod pairs;
pub mod perturb;
pub mod schedule;
pub mod selection;
pub mod settings;
pub mod source;
