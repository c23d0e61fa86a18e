//! Promises about games.

#[path = "../common/allocator.rs"]
mod allocator;
mod exports;
mod iq;
mod items;
mod lanes;
mod learned;
mod limits;
mod own;
mod published;
#[path = "../common/skipped.rs"]
mod skipped;
mod tasks;
