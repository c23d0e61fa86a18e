//! Estimates and ratings to what people read.

pub mod page;
pub mod plot;
pub mod tables;
