//! Promises about rule sets.

#[path = "../common/allocator.rs"]
mod allocator;
mod data;
#[path = "../common/files.rs"]
mod files;
mod naive;
mod questions;
mod score;
#[path = "../common/skipped.rs"]
mod skipped;
mod systems;
