//! Rules to traces.

pub mod dimensions;
pub mod ground_game;
pub mod traces;
pub mod types;
