//! Games written in the Game Description Language to tasks of inductive general game playing (Cropper, Evans and Law,
//! Inductive general game playing).
//!
//! The way of one task: [`gdl`] reads rules, [`check`](mod@check) finds what GDL forbids, [`translate`] turns them
//! into a logic program that clingo grounds once, [`network`] runs the ground rules, [`arena`] knows all that can
//! happen, [`play`] makes traces.

pub mod arena;
pub mod check;
pub mod error;
pub mod gdl;
pub mod network;
pub mod play;
pub mod strata;
pub mod translate;

pub use arena::{Arena, Board, Limits, Whole, order};
pub use check::{Verdict, check};
pub use error::GameError;
pub use gdl::Game;
pub use play::*;
pub use translate::Translation;
