//! A program or situation to the reason why an evaluator leaves it to clingo.

/// Why a program or situation is beyond an evaluator.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Unsupported {
    /// A rule has several atoms in its head.
    #[error("the program has a disjunctive rule")]
    Disjunction,
    /// Negation in a loop leaves atoms undecided in this situation.
    #[error("negation in a loop leaves the situation undecided")]
    Undecided,
    /// A weighted literal depends on the sum that it is part of.
    #[error("a sum depends on itself")]
    RecursiveSum,
}
