//! Arguments to library calls, one file a command.

pub mod game_items;
pub mod games;
pub mod generate;
pub mod rules;
pub mod show;
