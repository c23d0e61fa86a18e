//! Items to the forms that training and evaluation tools take as they are.

pub mod exported;
pub mod files;
pub mod lm_eval;
pub mod style;
