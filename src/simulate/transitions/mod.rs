//! A layout's logic program to what its actions lead to, and to the answers in each situation.

mod able;
pub mod compiled_layout;
pub mod deeds;
mod exploring;
pub(super) mod lanes;
pub(crate) mod met_situations;
pub mod plays;
pub mod transition_system;
