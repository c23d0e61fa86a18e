//! Predictions to accuracies.

pub mod normal;
pub mod paper;
pub mod run;
pub mod table;
