//! A rule data set to its files.

pub mod folder;
pub mod learners;
pub mod manifest;
pub mod sets;
pub mod suite;
