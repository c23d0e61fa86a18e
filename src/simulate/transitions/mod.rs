//! A layout's logic program to what its actions lead to, and to the answers in each situation.

mod able;
pub mod compiled_layout;
pub mod deeds;
pub(crate) mod known_steps;
pub(super) mod lanes;
pub mod plays;
pub mod transition_system;
