//! An initial situation to plans that begin there, and a plan to the shortest one with its end.

pub(crate) mod course;
pub(crate) mod drafts;
pub mod sampling;
pub(crate) mod shortest;
