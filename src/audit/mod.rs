//! A data set to a verdict.

pub mod bayes;
pub mod beside;
pub mod files;
pub mod foreign;
pub mod item;
pub mod leaks;
pub mod page;
pub mod report;
pub mod reread;
pub mod run;
pub mod shortcuts;
pub mod thresholds;
