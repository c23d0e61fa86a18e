//! Choices to games for two, who take turns.

pub mod field;
pub mod frame;
pub mod heaps;
pub mod marks;
pub mod outlook;
pub mod placing;
pub mod rules;
