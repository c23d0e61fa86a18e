//! Ground rules to truth, without a search.

pub mod batch;
pub mod incremental;
