//! Arguments that several commands share, to settings.

pub mod arguments;
pub mod folders;
pub mod game_args;
pub mod options;
pub mod repeat;
pub mod rule_args;
pub mod run_args;
pub mod solver_limits;
