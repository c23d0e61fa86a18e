//! Programs that learners printed, to scores on the tasks.

pub mod clauses;
pub mod log;
pub mod respell;
pub mod score;
mod tokens;
pub mod translate;
