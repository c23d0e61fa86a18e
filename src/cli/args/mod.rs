//! Arguments that several commands share, to settings.

pub mod arguments;
pub mod choices;
pub mod folders;
pub mod game_args;
pub mod iq_args;
pub mod run_args;
pub mod solver_limits;
pub mod world_args;
