//! Predictions to accuracies.

pub mod final_answer;
pub mod normal;
pub mod paper;
pub(crate) mod plain_text;
pub mod readings;
pub mod run;
pub mod table;
