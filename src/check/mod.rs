//! A package to its faults, or to a report of what it can do.

mod coverage;
mod families;
mod faults;
pub mod offer;
mod places;
pub mod report;
mod stories;
pub mod survey;
pub mod worlds;
