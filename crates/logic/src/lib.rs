//! Logic programs to ground rules and truth. [`clingo`] is the only module that names the solver; [`evaluate`] runs the
//! rules that it grounded; the rest is what both speak of.

pub mod canonical;
pub mod clingo;
pub mod evaluate;
pub mod fault;
pub mod ground;
pub mod seed;
pub mod term;
