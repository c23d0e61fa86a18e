//! Games written in the Game Description Language to tasks of inductive general game playing (Cropper, Evans and Law,
//! Inductive general game playing).
//!
//! The way of one task: [`gdl`] reads rules, [`check`](mod@check) finds what GDL forbids, [`translate`] turns them
//! into a logic program that clingo grounds once.

pub mod check;
pub mod gdl;
pub mod network;
pub mod strata;
pub mod translate;

pub use check::{Verdict, check};
pub use gdl::Game;
pub use translate::Translation;
