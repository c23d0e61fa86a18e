//! Values of games to estimates, intervals and ratings.

pub mod estimate;
pub mod interval;
pub mod ladder;
pub mod rating;
pub mod results;
pub mod run;
pub mod schedule;
pub mod sequence;
