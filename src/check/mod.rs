//! A package to its faults, or to a report of what it can do.

mod coverage;
mod denials;
mod families;
mod faults;
mod invariants;
mod likely;
mod names;
pub mod offer;
mod places;
mod reached;
pub mod report;
pub mod sample;
mod stories;
pub mod survey;
mod views;
pub mod worlds;
