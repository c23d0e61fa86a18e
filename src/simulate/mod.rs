//! A package to layouts, initial situations, trajectories and stories.

pub mod crossed;
pub mod error;
pub mod initial;
pub(crate) mod interchange;
pub mod layout;
pub mod layout_cache;
pub mod narrative;
pub mod open;
pub mod plans;
pub mod replay;
pub mod search;
pub mod situation;
pub mod story;
pub mod theory;
pub mod transitions;
pub mod twins;
pub mod views;
