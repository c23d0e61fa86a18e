//! Episodes in mazes: what is seen, what is done, and who does it.

pub mod agents;
pub mod episode;
pub mod log;
pub mod panel;
pub mod serve;
