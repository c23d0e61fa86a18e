//! Traces to induction tasks, and learned programs to scores.

pub mod baselines;
pub mod dat;
pub mod ilp_systems;
pub mod learned_program;
pub mod learned_reader;
pub mod output;
pub mod reference;
pub mod score_program;
pub mod triples;
pub mod write_tasks;
