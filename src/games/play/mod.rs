//! Rules to traces.

mod circuit;
pub mod dimensions;
pub mod ground_game;
mod lane_traces;
pub mod playouts;
pub mod situations;
pub mod traces;
pub mod types;
