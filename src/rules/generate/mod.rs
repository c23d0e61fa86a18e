//! Parameters to rules and facts.

pub mod command;
pub mod dataset;
pub mod graph;
pub mod instantiate;
pub mod parameters;
pub mod settings;
pub mod wrong_rules;
