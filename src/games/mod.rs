//! Games written in the Game Description Language to tasks of inductive general game playing (Cropper, Evans and Law,
//! Inductive general game playing), and to questions in plain language.
//!
//! [`gdl`] reads rules and turns them into logic programs; [`play`] grounds and plays them; [`tasks`] cuts traces into
//! tasks; [`learned`] scores what learners made of them; [`words`] tells games in English, and reads it back; [`items`]
//! asks questions about traces; [`jobs`] has all this done by a watched process.

pub mod builtin;
pub mod error;
pub mod gdl;
pub mod items;
pub mod jobs;
pub mod learned;
pub mod play;
pub mod tasks;
pub mod views;
pub mod words;
