//! Stories to questions beyond prediction: about all of their situations, or about what would have been.
//!
//! Families are data: wordings in `templates/common.toml`, meaning in `asp/GROUP.lp`. What is here gathers what stories
//! offer, deals families, cells and answers evenly, and pairs verify questions of equal profile.

pub mod dealing;
mod edited;
pub mod extra_cells;
pub mod gathering;
pub mod judging;
pub mod offers;
pub(crate) mod partly;
pub mod programs;
pub mod telling;
mod threes;
