//! Ground rules and the truth of their inputs to the truth of everything else, without a search.
//!
//! The atoms of choice rules are the inputs; a rule with an input as its head is not read. There are three evaluators.
//! [`LaneEvaluator`](lanes::LaneEvaluator) works out everything afresh, once over the rules in the order of their
//! dependencies, for many situations at once. [`Circuit`](circuit::Circuit) does so with rules that were made few before,
//! for programs that are run very often. [`IncrementalEvaluator`](incremental::IncrementalEvaluator) works out what a
//! change of inputs changes in one situation. The first knows the most programs, the second is the fastest wherever there
//! are several situations to ask about, and the third is for a single one that resembles the last. [`bounds`] makes rules for
//! inputs of which only some are decided, which the first evaluates.

pub mod bounds;
pub mod circuit;
mod components;
mod definitions;
pub mod incremental;
pub mod lanes;
mod truth_values;
mod unsupported;

pub use unsupported::Unsupported;
