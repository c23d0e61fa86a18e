//! A story as a whole to what can be asked about all of its situations, and to what would have come of it if an action had
//! been another: the primitives that groups of questions beyond prediction rest on.

pub mod by_clingo;
pub mod cases;
pub mod completions;
pub mod courses;
pub mod edits;
pub mod family_program;
pub mod joined;
pub mod outcomes;
pub mod part_search;
pub mod partly;
pub mod partly_by_clingo;
pub mod told_kinds;
pub mod undefined;
