//! What can go wrong with rule sets, as sentences.

use racgen_data::error::DataError;
use racgen_logic::error::LogicError;
use racgen_logic::fault::Fault;
use racgen_logic::unread::Unread;

/// Everything that keeps a rule set from being made, read or scored.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// A file that does not read, with its place.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Parameters that exclude each other, or that no rule set met.
    #[error("{0}")]
    Settings(String),
    /// A file that cannot be opened.
    #[error(transparent)]
    Read(#[from] Unread),
    /// A closure grew beyond its bound.
    #[error(
        "the rules of {what} derive more than {limit} facts or need too many steps; they are too general for these facts, so \
         raise --most-facts or leave the widest rules out"
    )]
    TooMany {
        /// Which rules.
        what: String,
        /// The bound.
        limit: u64,
    },
    /// clingo and the native evaluation differ, which is a bug.
    #[error(
        "clingo and racgen derive different consequences ({0}); please report this with the command and its seed"
    )]
    Disagreement(String),
    /// clingo failed.
    #[error(transparent)]
    Solver(#[from] LogicError),
    /// A file could not be written.
    #[error(transparent)]
    Data(#[from] DataError),
}
