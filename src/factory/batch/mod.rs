//! A place in a stream to a group of rows: its layout, its stories, its questions, and what is told.

mod further;
mod further_rows;
pub mod group;
pub(crate) mod picturing;
mod questions;
mod sought_twins;
mod stories;
pub(crate) mod telling;
pub(crate) mod told_story;
pub(crate) mod turns;
