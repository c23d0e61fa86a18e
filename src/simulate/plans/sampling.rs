//! How plans are drawn.

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
