//! Items to the forms that training and evaluation tools take as they are.

mod answer_form;
pub mod answer_words;
pub mod exported;
mod file_names;
pub mod files;
pub mod lm_eval;
pub mod style;
