//! Games written in the Game Description Language to tasks of inductive general game playing (Cropper, Evans and Law,
//! Inductive general game playing).
//!
//! The way of one task: [`gdl`] reads rules, [`check`](mod@check) finds what GDL forbids, [`translate`] turns them
//! into a logic program that clingo grounds once, [`network`] runs the ground rules, [`arena`] knows all that can
//! happen, [`mod@play`] makes traces, [`types`] spread a signature into atoms, [`triples`] cut traces into tasks, and
//! [`dat`] writes them in the published layout, [`export`] as learning systems take them; [`reference`](mod@reference)
//! flattens the rules into a solution. [`make`](mod@make) does all of it for one game, [`cli`] for many.
//! [`stories`] and [`items`](mod@items) make questions of traces, told by [`book`] and [`verbal`]. [`guard`] has all
//! this done by a watched process. [`baselines`](mod@baselines) and [`score`](mod@score) tell how well tasks are solved.

pub mod arena;
mod asker;
pub mod baselines;
pub mod book;
pub mod check;
pub mod cli;
pub mod dat;
pub mod decompose;
mod drawn;
pub mod error;
pub mod export;
pub mod flat;
pub mod gdl;
pub mod guard;
pub mod items;
pub mod items_cli;
pub mod items_files;
pub mod job;
pub mod make;
pub mod network;
pub mod own;
mod pairs;
pub mod play;
pub mod portrait;
pub mod reference;
pub mod score;
pub mod stories;
pub mod strata;
pub mod translate;
pub mod triples;
pub mod types;
pub mod verbal;

pub use arena::{Arena, Board, Limits, Whole, order};
pub use baselines::*;
pub use book::{GameBook, Question, Shape};
pub use check::check;
pub use dat::Dat;
pub use error::GameError;
pub use flat::Flat;
pub use gdl::Game;
pub use items::{GameItems, ItemSettings, items};
pub use make::{Coverage, Form, Output, TargetCoverage, make, read_game, types_of};
pub use own::{listing, own_games, own_phrases, own_texts};
pub use play::*;
pub use portrait::{Portrait, dimensions};
pub use reference::{Solution, plain, reference, spell};
pub use score::{Grounding, score, score_grounded, score_predictions, score_program, to_asp};
pub use translate::Translation;
pub use triples::*;
pub use types::Types;
