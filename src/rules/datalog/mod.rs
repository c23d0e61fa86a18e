//! Rules and facts: their texts, their consequences, and clingo's judgement of both.

pub mod closure;
pub mod input;
pub mod judge;
pub mod reader;
pub mod syntax;
