//! Learned rules to scores.

pub mod bench;
pub mod learned_files;
pub mod matching;
pub mod score;
