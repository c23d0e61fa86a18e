//! A folder of files to a checked domain package.

pub mod listing;
pub mod package;
pub mod scaffold;
