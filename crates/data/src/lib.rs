//! Question-answer items to files and back: [`row`] and its [`columns`], [`write`](mod@write) and [`read`] for each
//! [`format`](mod@format), the [`papers`] that stand beside the files, [`training`] for other tools.

pub mod columns;
pub mod error;
pub mod format;
pub mod papers;
pub mod read;
pub mod row;
pub mod table;
pub mod training;
pub mod write;

#[cfg(test)]
mod sample;
