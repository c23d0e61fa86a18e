//! Arguments to library calls, one file a command.

pub mod arguments;
pub mod audit;
pub mod bar;
pub mod exit;
pub mod export;
pub mod folders;
pub mod game_args;
pub mod game_items;
pub mod games;
pub mod generate;
pub mod options;
pub mod packages;
pub mod rule_args;
pub mod rule_items;
pub mod rules;
pub mod run_args;
pub mod score;
pub mod show;
pub mod summary;
