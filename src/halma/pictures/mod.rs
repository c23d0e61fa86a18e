//! Panels, mazes and trajectories as drawings.

pub mod maze;
pub mod panel;
