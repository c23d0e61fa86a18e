//! Texts of domains back to terms, and clingo's answers against the rows'.

pub mod answers;
mod asked;
mod composite;
mod explained;
mod explained_ever;
mod free_ways;
mod further;
pub mod invented;
pub(crate) mod left_out;
pub(crate) mod origin;
pub(crate) mod partly;
mod phrasing;
pub(crate) mod pictured;
pub mod reading;
pub mod replay;
pub mod rules_wordings;
mod searched;
mod searched_futures;
pub(crate) mod shortest_plan;
mod undefined;
pub mod voice;
pub mod wordings;
