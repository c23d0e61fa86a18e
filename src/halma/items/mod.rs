//! Questions about mazes: panels, mazes and moves in words, asked about and answered by clingo.

pub(crate) mod draw;
pub(crate) mod expected;
pub(crate) mod judge;
pub(crate) mod picture;
pub(crate) mod pool;
pub mod questions;
pub(crate) mod reader;
pub mod settings;
pub mod source;
pub mod story;
pub(crate) mod words;
