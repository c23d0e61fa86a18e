//! Sources of items, whichever they are, to a finished folder.

pub mod domains;
pub mod error;
pub mod finish;
pub mod join;
pub mod ordered;
pub mod plan;
pub mod rule_data;
pub mod run;
pub(crate) mod shares;
pub mod task_data;
pub mod writer;
