//! What goes wrong between a text and the truth of its atoms to words for the user.

use std::time::Duration;

/// Why a term, a program or a search came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum LogicError {
    /// A text does not read as a ground term.
    #[error("`{text}` is not a ground term: unexpected text at offset {offset}")]
    Term {
        /// The whole text.
        text: String,
        /// Where in it the trouble starts, in bytes.
        offset: usize,
    },
    /// The program text is at fault. `place` is `file:line:column`, as far as clingo tells.
    #[error("{place}: {message}")]
    Program {
        /// `file:line:column`.
        place: String,
        /// clingo's words.
        message: String,
    },
    /// The ground program grew beyond what it may have.
    #[error("grounding was stopped: {0}")]
    Budget(String),
    /// A solver call took longer than allowed.
    #[error("the solver found no answer within {0:?}; raise --time-limit, or make the world smaller")]
    TimeLimit(Duration),
    /// clingo refused for a reason of its own.
    #[error("the solver failed: {0}")]
    Internal(String),
}
