//! Games written in the Game Description Language to tasks of inductive general game playing (Cropper, Evans and Law,
//! Inductive general game playing).
//!
//! The way of one task: [`gdl`] reads rules, [`check`](mod@check) finds what GDL forbids, [`translate`] turns them
//! into a logic program that clingo grounds once, [`network`] runs the ground rules, [`arena`] knows all that can
//! happen, [`mod@play`] makes traces, [`types`] spread a signature into atoms, [`triples`] cut traces into tasks, and
//! [`dat`] writes them in the published layout, [`export`] as learning systems take them; [`reference`](mod@reference)
//! flattens the rules into a solution. [`make`](mod@make) does all of it for one game, [`cli`] for many.
//! [`baselines`](mod@baselines) and [`score`](mod@score) tell how well tasks are solved.

pub mod arena;
pub mod baselines;
pub mod check;
pub mod cli;
pub mod dat;
pub mod decompose;
pub mod error;
pub mod export;
pub mod flat;
pub mod gdl;
pub mod make;
pub mod network;
pub mod own;
pub mod play;
pub mod reference;
pub mod score;
pub mod strata;
pub mod translate;
pub mod triples;
pub mod types;

pub use arena::{Arena, Board, Limits, Whole, order};
pub use baselines::*;
pub use check::check;
pub use dat::Dat;
pub use error::GameError;
pub use flat::Flat;
pub use gdl::Game;
pub use make::{Coverage, Form, Output, TargetCoverage, make, read_game, types_of};
pub use own::{dimensions, listing, own_games};
pub use play::*;
pub use reference::{Solution, plain, reference, spell};
pub use score::{score, score_predictions, score_program, to_asp};
pub use translate::Translation;
pub use triples::*;
pub use types::Types;
