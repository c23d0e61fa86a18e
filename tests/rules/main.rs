//! Promises about rule sets.

mod data;
#[path = "../common/files.rs"]
mod files;
mod naive;
mod questions;
mod score;
mod systems;
