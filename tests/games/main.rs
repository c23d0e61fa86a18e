//! Promises about games.

mod exports;
mod items;
mod limits;
mod own;
mod published;
mod tasks;
