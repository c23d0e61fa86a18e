//! A theory to logic programs.

mod bodies;
pub mod domain_program;
pub mod symbols;
pub mod world_program;
