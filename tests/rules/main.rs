//! Promises about rule sets.

mod data;
mod naive;
mod questions;
mod score;
mod systems;
