//! A package and a level to one grounding for all layouts of the level.

pub(crate) mod bounds;
mod constants;
pub(crate) mod grounding;
pub(crate) mod level;
