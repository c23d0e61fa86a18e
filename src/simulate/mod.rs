//! A package to layouts, initial situations, trajectories and stories.

mod drafts;
pub mod error;
mod explore;
pub mod initial_states;
mod lanes;
pub mod layout;
pub mod layout_cache;
pub mod legality;
mod random_walks;
pub mod replay;
mod shortest;
pub mod situation;
pub mod story;
pub mod theory;
pub mod trajectory;
pub mod transition_system;
