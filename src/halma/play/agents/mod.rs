//! Who plays: the oracle, a player who counts, and two at random, of whom the figures show what the measures are worth.

pub mod agent;
pub mod explorer;
mod known_way;
pub mod names;
pub mod oracle;
pub mod random;
