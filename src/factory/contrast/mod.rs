//! An item to another that differs from it in one place: minimal pairs and the contrast set.

pub mod change;
pub mod pairs;
pub mod perturb;
