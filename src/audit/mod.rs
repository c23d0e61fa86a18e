//! A data set to a verdict on it: is every answer right, by the text alone, and is there no way to guess it?
//!
//! [`run`] leads through it. [`reread`] takes texts back to terms and has clingo answer anew; [`shortcuts`] looks for
//! what gives answers away, [`leaks`] for what splits or data sets share that they should not; [`report`] sums up, and
//! [`files`] writes `audit.json` and `audit.html`.

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
