//! Bits to games: a grammar whose derivations are words of a prefix-free code.

pub mod code;
pub mod derive;
pub mod derived;
pub mod duel;
pub mod graph;
pub mod kif;
pub mod machine;
pub mod solo;
