//! Rules to traces.

mod circuit;
pub mod corpus;
pub mod dimensions;
pub mod ground_game;
pub mod judge;
mod lane_traces;
pub mod moves;
pub mod playouts;
pub mod situations;
pub mod traces;
pub mod types;
