//! Promises about the items of domains.

#[path = "../common/allocator.rs"]
mod allocator;
mod as_generic;
mod askable;
mod balance;
mod check;
#[path = "../common/mod.rs"]
mod common;
mod corpus;
mod cross_check;
mod distractors;
mod endless;
mod explained;
mod further;
mod gold;
mod invariants;
mod invented;
mod items;
mod library;
mod naive;
mod nobody;
mod of_questions;
mod open_layouts;
mod outcomes;
mod pairs;
mod partly;
mod pddl;
mod plans;
mod pools;
mod proofs;
mod rationale;
mod reproducible;
mod searches;
mod situations;
#[path = "../common/skipped.rs"]
mod skipped;
mod sought;
mod splits;
mod stress;
mod support;
mod trajectories;
mod vocabulary;
mod worked;
mod world_counts;
