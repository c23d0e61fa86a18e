//! Promises about pictures of situations: each determines its situation, is legible, and is drawn alike by the page that
//! shows a data set.

#[path = "../common/allocator.rs"]
mod allocator;
#[path = "../common/browser.rs"]
mod browser;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod different;
mod games;
mod items;
mod legible;
mod page;
mod read_back;
#[path = "../common/skipped.rs"]
mod skipped;
mod stage;
