//! What mazes and players are measured by.

pub mod bands;
pub mod paper;
pub mod score;
