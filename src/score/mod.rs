//! Predictions to accuracies.

pub mod certainty_said;
pub mod final_answer;
pub mod judge;
pub(crate) mod names_said;
pub mod normal;
pub(crate) mod number_said;
pub(crate) mod overlap;
pub mod paper;
pub(crate) mod plain_text;
pub mod plans_said;
pub mod question_asked;
pub(crate) mod readings;
pub mod run;
pub(crate) mod statements_said;
pub mod table;
pub(crate) mod tokens;
pub(crate) mod vocabulary;
pub(crate) mod yes_or_no;
