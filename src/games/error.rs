//! What can go wrong between a game's text and its tasks, as sentences.

use racgen_data::error::DataError;
use racgen_logic::error::LogicError;
use racgen_logic::fault::{Fault, Faults};

use crate::games::gdl::syntax::Game;

/// Why a game yields no tasks.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// The text is at fault: one line each.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// clingo refused.
    #[error("{file}: {cause}")]
    Solver {
        /// The game's file.
        file: String,
        /// clingo's words.
        cause: LogicError,
    },
    /// The native evaluator and clingo differ, which is a fault of racgen's.
    #[error(
        "{file}: the native evaluator and clingo disagree on {what}; please report this with the game's file"
    )]
    Disagreement {
        /// The game's file.
        file: String,
        /// On what.
        what: String,
    },
    /// A limit was reached.
    #[error("{file}: {what}; raise {flag}, or ask for less")]
    Limit {
        /// The game's file.
        file: String,
        /// Which, and when.
        what: String,
        /// The flag to raise.
        flag: &'static str,
    },
    /// A file could not be read.
    #[error("cannot read `{file}`: {cause}; check the path")]
    Read {
        /// The file.
        file: String,
        /// The system's words.
        cause: std::io::Error,
    },
    /// A file could not be written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The arguments make no sense.
    #[error("{0}")]
    Arguments(String),
    /// What a process that played a game reported.
    #[error("{sentence}")]
    Told {
        /// Its words.
        sentence: String,
        /// Are arguments or files at fault?
        usage: bool,
    },
    /// Ctrl-C.
    #[error("interrupted; finished games stay written")]
    Interrupted,
}

impl From<Fault> for GameError {
    fn from(fault: Fault) -> GameError {
        GameError::Faults(fault.into())
    }
}

impl GameError {
    /// Are arguments or files at fault?
    pub fn usage(&self) -> bool {
        match self {
            GameError::Faults(_) | GameError::Arguments(_) | GameError::Read { .. } => true,
            GameError::Told { usage, .. } => *usage,
            _ => false,
        }
    }

    /// An error of clingo's about a game.
    pub fn solver(game: &Game, cause: LogicError) -> GameError {
        GameError::Solver { file: game.file.clone(), cause }
    }
}
