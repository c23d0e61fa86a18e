//! The grammar to games in proportion to 2^-K.

pub mod audit;
pub mod complexity;
pub mod proportion;
pub mod sampler;
