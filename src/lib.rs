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
