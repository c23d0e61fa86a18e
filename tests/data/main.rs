//! Promises about files of items: writing, reading, auditing, scoring, exporting.

#[path = "../common/allocator.rs"]
mod allocator;
mod audit;
mod biased;
#[path = "../common/browser.rs"]
mod browser;
mod codecs;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod export;
mod final_answers;
mod further;
mod lm_eval;
mod output;
mod page;
mod papers;
mod readme;
mod reread;
mod score;
mod searches;
mod show;
#[path = "../common/skipped.rs"]
mod skipped;
mod small_package;
mod sources;
mod summary;
mod tampered;
mod typed;
mod warnings;
mod wrong;
