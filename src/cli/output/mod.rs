//! What a person sees: progress, pages, summaries, errors and exit codes.

pub mod bar;
pub mod exit;
pub mod show;
pub mod summary;
