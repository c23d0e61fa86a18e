//! Dynamic tests: from what an agent has seen, mazes that need what it has not (section 3.4, appendix D).

pub mod kinds;
pub mod knowledge;
pub mod mazes;
