//! Question-answer items to files and back: [`row`] and its [`columns`], [`write`](mod@write) and [`read`] for each
//! [`format`](mod@format), [`manifest`] and [`card`] beside the files, [`forms`] and [`lm_eval`] for other tools.

pub mod card;
pub mod columns;
pub mod error;
pub mod format;
pub mod forms;
pub mod front_matter;
pub mod lm_eval;
pub mod manifest;
pub mod read;
pub mod row;
pub mod style;
pub mod table;
pub mod tally;
pub mod write;

#[cfg(test)]
mod sample;
