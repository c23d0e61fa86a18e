//! A plan to the situations it passes, and how such plans are drawn.

use crate::simulate::situation::{AnswerSheet, Outcome};

/// How action sequences are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Sampling {
    /// At each step, an action that leads to a situation not passed yet, of a schema that the plan used less so far.
    Explore,
    /// At each step, any executable action with the same probability.
    Walk,
    /// Any action sequence with the same probability.
    Enumerate,
}

/// How many action sequences [`Sampling::Enumerate`] lists before it gives up.
pub const MOST_TRAJECTORIES: usize = 100_000;

/// A plan, and what it passes.
#[derive(Clone, Debug)]
pub struct Trajectory {
    /// The actions, as indices into [`actions`](crate::simulate::transition_system::CompiledLayout::actions).
    pub plan: Vec<usize>,
    /// The situations passed, the initial one first.
    pub passed: Vec<Outcome>,
    /// What the initial situation answers.
    pub initially: AnswerSheet,
}
