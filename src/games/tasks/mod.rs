//! Traces to induction tasks.

pub mod baselines;
pub mod dat;
pub mod ilp_systems;
pub mod output;
pub mod reference;
pub mod triples;
pub mod write_tasks;
