//! Promises about the items of domains.

mod as_generic;
mod balance;
mod check;
#[path = "../common/mod.rs"]
mod common;
mod distractors;
mod gold;
mod items;
mod naive;
mod naive_oracle;
mod pairs;
mod plans;
mod rationale;
mod reproducible;
mod situations;
mod splits;
mod stress;
mod trajectories;
mod vocabulary;
mod world_counts;
