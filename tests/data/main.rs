//! Promises about files of items: writing, reading, auditing, scoring, exporting.

#[path = "../common/allocator.rs"]
mod allocator;
mod audit;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod export;
mod output;
mod page;
mod readme;
mod reread;
mod score;
mod show;
mod sources;
mod wrong;
