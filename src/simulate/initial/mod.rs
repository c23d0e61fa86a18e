//! A layout to its initial situations.

pub mod legality;
pub mod situations;
mod walks;
