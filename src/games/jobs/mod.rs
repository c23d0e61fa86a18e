//! One game's work, done here or by a watched process.

pub mod job;
pub mod sandbox;
