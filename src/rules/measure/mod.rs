//! Learned rules to scores.

pub mod bench;
pub mod matching;
pub mod score;
