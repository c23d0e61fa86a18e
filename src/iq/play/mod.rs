//! Games to how agents do in them.

pub mod agents;
pub mod choosing;
pub mod external;
pub mod matches;
pub mod replay;
pub mod table;
pub mod telling;
pub mod trial;
