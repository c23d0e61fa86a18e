//! Ground rules and the truth of their inputs to the truth of everything else, without a search.
//!
//! The atoms of choice rules are the inputs; a rule with an input as its head is not read. Two evaluators share one
//! interface, [`Evaluate`]: [`BatchEvaluator`](batch::BatchEvaluator) works out everything afresh, once over the rules
//! in the order of their dependencies; [`IncrementalEvaluator`](incremental::IncrementalEvaluator) works out what a
//! change of inputs changes. The first knows more programs, the second is faster where situations resemble the last.

pub mod batch;
mod components;
mod definitions;
pub mod incremental;
pub mod lanes;
mod truth_values;
mod unsupported;

pub use unsupported::Unsupported;

/// A ground program, compiled to be run in many situations.
pub trait Evaluate {
    /// One situation: a truth value for each atom, and what the evaluator notes beside them.
    type Values;

    /// A situation in which all inputs are false.
    fn values(&self) -> Self::Values;

    /// Gives an input a truth value; what follows is worked out by [`Evaluate::run`].
    fn set(&self, values: &mut Self::Values, input: u32, value: bool);

    /// Works out what follows from the inputs; says whether all constraints are met.
    ///
    /// # Errors
    /// [`Unsupported::Undecided`] if the rules leave atoms undecided in this situation.
    fn run(&self, values: &mut Self::Values) -> Result<bool, Unsupported>;

    /// Is the atom true? What is no input is so as of the last [`Evaluate::run`].
    fn truth(&self, values: &Self::Values, atom: u32) -> bool;
}
