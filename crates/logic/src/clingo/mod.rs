//! Logic programs to ground programs and answer sets: the only module that names the solver.
//!
//! A [`Program`] is grounded ([`Program::ground`], [`Program::facts`]), which hands its rules over to evaluators of
//! our own, or readied for clingo's search ([`Program::search`]).

mod control;
mod gate;
mod grounding;
mod limits;
mod messages;
mod observer;
mod program;
mod randomness;
mod recorded;
mod recorded_rules;
mod search;
mod symbols;

pub use limits::{GroundingLimits, limit_groundings, overdue};
pub use observer::Budget;
pub use program::{Program, Source};
pub use recorded::RecordedProgram;
pub use search::{Search, Truth};
pub use symbols::NumberedFact;

use crate::error::LogicError;

impl From<clingo::ClingoError> for LogicError {
    fn from(error: clingo::ClingoError) -> Self {
        LogicError::Internal(error.to_string())
    }
}
