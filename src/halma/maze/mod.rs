//! Mazes: their cells, what they look like from each, how they are sampled and kept.

pub mod chart;
pub mod generate;
pub mod grid;
pub mod set;
pub mod shapes;
pub mod tree;
