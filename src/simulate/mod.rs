//! A package to layouts, initial situations, trajectories and stories.

pub mod action_theory;
mod cases;
pub mod error;
pub mod initial_states;
pub mod layout;
pub mod layout_cache;
mod named_atoms;
pub mod replay;
pub mod situation;
pub mod story;
pub mod theory_reader;
pub mod trajectory;
pub mod transition_system;
