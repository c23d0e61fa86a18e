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
    /// A program's grounding took more than groundings may in this process.
    #[error("{place}: grounding takes {what}; {remedy}")]
    Grounding {
        /// The files of the program.
        place: String,
        /// Which limit it exceeds.
        what: String,
        /// What to do about it.
        remedy: String,
    },
    /// A solver call took longer than allowed.
    #[error("the solver found no answer within {0:?}; raise --time-limit, or make the world smaller")]
    TimeLimit(Duration),
    /// clingo refused for a reason of its own.
    #[error("the solver failed: {0}")]
    Internal(String),
}

/// What to do about a grounding that does not end.
const ENDLESS: &str = "bound the numbers and functions of rules that build on their own predicate, as `p(X+1) :- p(X).` \
                       does without end, and join what is joined by shared variables; or raise the limit";

impl LogicError {
    /// A grounding of these files, or begun by the rule there, that takes too much of something, with the predicate that
    /// has the most atoms.
    pub(crate) fn grounding(place: String, what: String, largest: Option<(String, usize)>) -> LogicError {
        let atoms = largest.map_or_else(String::new, |(predicate, atoms)| {
            format!("; `{predicate}` has the most atoms, {atoms} so far")
        });
        LogicError::Grounding { place, what: format!("{what}{atoms}"), remedy: ENDLESS.into() }
    }
}
