//! Sources of items to a finished folder.

pub mod ordered;
pub mod run;
