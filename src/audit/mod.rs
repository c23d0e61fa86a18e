//! A data set to a verdict on it: is every answer right, by the text alone, and is there no way to guess it?
//!
//! [`run`] leads through it. [`reread`] takes texts back to terms and has clingo answer anew; [`attacks`] look for what
//! gives answers away, and for what splits or data sets share that they should not; [`report`] sums up, and [`files`]
//! writes `audit.json` and `audit.html`.

pub mod attacks;
pub mod beside;
pub mod files;
pub mod foreign;
pub mod ledgers;
pub mod page;
pub mod report;
pub mod reread;
pub mod run;
