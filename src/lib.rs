//! racgen.
mod evaluate;
mod ground;
mod solver;
mod term;
pub use evaluate::{Evaluator, Unsupported, Values};
pub use ground::{Body, GroundProgram, Literal, Rule};
pub use solver::{Program, Search, SolverError, Source};
pub use term::{Term, TermError};
mod engine;
pub use engine::*;
mod row;
pub use row::*;
pub mod sink;
pub use sink::{Format, OutputError, Sink, Written};
pub mod manifest;
pub use manifest::{FileEntry, Manifest, Tally};
pub mod card;
pub use card::{CardConfig, CardInfo, CardSplit, card, write_card};
