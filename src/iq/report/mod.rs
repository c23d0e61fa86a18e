//! Estimates and ratings to what people read.

pub mod html;
pub mod page;
pub mod plot;
pub mod tables;
