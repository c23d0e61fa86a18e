//! A package to its faults, or to a report of what it can do.

pub mod survey;
