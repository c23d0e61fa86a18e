//! Promises about games.

#[path = "../common/allocator.rs"]
mod allocator;
#[path = "../common/browser.rs"]
mod browser;
mod exports;
mod iq;
mod iq_page;
mod items;
mod lanes;
mod learned;
mod limits;
mod own;
mod published;
#[path = "../common/skipped.rs"]
mod skipped;
mod tasks;
