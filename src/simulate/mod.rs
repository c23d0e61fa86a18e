//! A package to layouts, initial situations, trajectories and stories.

pub mod action_theory;
pub mod initial_states;
pub mod layout;
pub mod layout_cache;
pub mod replay;
pub mod story;
pub mod transition_system;
