//! What can go wrong with mazes, as sentences.

use std::io;

use racgen_data::error::DataError;
use racgen_logic::error::LogicError;
use racgen_logic::fault::Fault;
use racgen_logic::unread::Unread;

use crate::pictures::error::PictureError;

/// Everything that keeps mazes from being made, played or scored.
#[derive(Debug, thiserror::Error)]
pub enum HalmaError {
    /// A file that does not read, with its place.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A request that cannot be met.
    #[error("{0}")]
    Settings(String),
    /// A file that cannot be opened.
    #[error(transparent)]
    Read(#[from] Unread),
    /// A picture that cannot be made.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The other side of a conversation is gone, or the disk is full.
    #[error("cannot go on playing: {0}")]
    Talk(io::Error),
    /// clingo answers a question otherwise than expected; what, in words.
    #[error("clingo answers {0}; this is a fault of racgen, please report it")]
    Disagreement(String),
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
    /// clingo failed.
    #[error(transparent)]
    Solver(#[from] LogicError),
    /// A file could not be written.
    #[error(transparent)]
    Data(#[from] DataError),
}
