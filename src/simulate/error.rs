//! What went wrong in a simulation to words: place, cause and remedy.

use racgen_logic::error::LogicError;
use racgen_logic::fault::Fault;

use crate::pictures::arrange::Crowded;
use crate::simulate::plans::sampling::MOST_TRAJECTORIES;

/// Why a layout, a situation, a step or a story cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] LogicError),
    /// No layout meets the constraints.
    #[error(
        "the domain `{domain}` admits no layout with {parameters}; correct the level in its domain.toml, or world.lp"
    )]
    NoLayout {
        /// The domain.
        domain: String,
        /// The parameters drawn.
        parameters: String,
    },
    /// A layout has no legal situation.
    #[error(
        "the domain `{domain}` admits no initial situation with {parameters}; correct the level in its domain.toml, or world.lp"
    )]
    NoSituation {
        /// The domain.
        domain: String,
        /// The parameters drawn.
        parameters: String,
    },
    /// What a view derives cannot be drawn.
    #[error(transparent)]
    View(#[from] Fault),
    /// A situation with more than a picture can show.
    #[error(transparent)]
    Crowded(#[from] Crowded),
    /// The package does not know the level, the parameter or the object.
    #[error("{0}")]
    Unknown(String),
    /// The domain allows several successors that do not come of declared outcomes.
    #[error(
        "`{action}` has several outcomes in one situation; a domain must leave exactly one successor for each \
         executable action, or name the outcomes by `outcome(A,O)` and read in its effects which of them `comes(O,T)`"
    )]
    Nondeterministic {
        /// The action.
        action: String,
    },
    /// The judge and the evaluator disagree.
    #[error(
        "clingo and the native evaluator disagree about {what}; please report this with the command and seed"
    )]
    Disagreement {
        /// The step or sheet in question.
        what: String,
    },
    /// No plan of that length.
    #[error(
        "no plan of {depth} actions was found in {tries} worlds of the domain `{domain}`; ask for a smaller --depth"
    )]
    NoPlan {
        /// The domain.
        domain: String,
        /// The length asked for.
        depth: usize,
        /// How many situations were tried.
        tries: usize,
    },
    /// Too many trajectories to enumerate.
    #[error(
        "there are more than {MOST_TRAJECTORIES} plans of {depth} actions in one world; use --sampling walk, or a smaller depth or level"
    )]
    TooManyPlans {
        /// The length asked for.
        depth: usize,
    },
    /// What should be a ground term of a row is none.
    #[error("row {row}: {cause}; the row was changed, so make or copy its file again")]
    Term {
        /// The row's id.
        row: String,
        /// Text and place.
        cause: LogicError,
    },
    /// What is not told cannot be replayed.
    #[error("row {row}: its actions have several outcomes, and which of them came is not told")]
    Untold {
        /// The row's id.
        row: String,
    },
    /// The package is another than the one the row was made with.
    #[error(
        "row {row} does not fit the domain `{domain}` ({origin}): {cause}; give the folder of the package that the \
         row was made with (--domain-dir)"
    )]
    Mismatch {
        /// The row's id.
        row: String,
        /// The package's name.
        domain: String,
        /// Where the package was found.
        origin: String,
        /// What does not fit.
        cause: String,
    },
}
