//! A ground program to the action theory that it stands for: what each action requires and causes.

pub mod action_theory;
mod cases;
pub mod changers;
pub(crate) mod named_atoms;
pub mod requirements;
pub mod theory_reader;
