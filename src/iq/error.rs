//! What can go wrong when agents are measured, as sentences.

use racgen_data::error::DataError;
use racgen_logic::error::LogicError;
use racgen_logic::unread::Unread;

use crate::games::error::GameError;

/// Everything that keeps agents from being measured. What an agent does wrong is no error: it loses that game.
#[derive(Debug, thiserror::Error)]
pub enum IqError {
    /// A request that cannot be met.
    #[error("{0}")]
    Settings(String),
    /// A game of the grammar that cannot be played, which is a fault of racgen's.
    #[error(
        "{id} cannot be played: {cause}; this is a fault of racgen, please report it with the derivation {bits}"
    )]
    Unplayable {
        /// The game.
        id: String,
        /// Its derivation.
        bits: String,
        /// Why.
        cause: String,
    },
    /// A game does not ground.
    #[error(transparent)]
    Game(#[from] GameError),
    /// clingo failed.
    #[error(transparent)]
    Solver(#[from] LogicError),
    /// A program of the user's cannot be started.
    #[error("cannot start the agent `{command}`: {cause}; give a command that this machine can run")]
    Start {
        /// The command.
        command: String,
        /// The system's words.
        cause: std::io::Error,
    },
    /// A file that cannot be opened.
    #[error(transparent)]
    Read(#[from] Unread),
    /// A file that could not be written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Ctrl-C.
    #[error("interrupted; --resume goes on with the games that are missing")]
    Interrupted,
}
