//! Promises about files of items: writing, reading, auditing, scoring, exporting.

#[path = "../common/allocator.rs"]
mod allocator;
mod audit;
mod biased;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod export;
mod final_answers;
mod output;
mod page;
mod papers;
mod readme;
mod reread;
mod score;
mod show;
mod sources;
mod summary;
mod warnings;
mod wrong;
