//! Items of a data set to one page to leaf through: texts, and pictures of the situations before and after each action.

pub mod error;
pub mod frames;
pub mod item;
pub mod page;
pub mod sample;
pub mod write;
