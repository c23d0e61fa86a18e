//! What a person sees: progress, pages, summaries, warnings, errors and exit codes.

pub mod bar;
pub mod exit;
pub mod show;
pub mod summary;
pub mod warnings;
