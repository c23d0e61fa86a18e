//! A seed and numbers to domains that nobody has seen: theories, what tells the good ones, and their packages.

pub mod drawn;
pub mod encode;
pub mod filters;
pub mod identity;
pub mod invented;
pub mod judging;
mod reach;
pub mod series;
pub mod telling;
pub mod theory;
pub mod words;
