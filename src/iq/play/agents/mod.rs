//! Who plays.

pub mod agent;
pub mod names;
pub mod never;
pub mod one_step;
pub mod planner;
pub mod tabular;
pub mod uct;
