//! What a world of a game for one must tell to be put together with others.

use crate::iq::grammar::kif::KifText;

/// How well a player did in a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldScore {
    /// Won or not.
    Won,
    /// So many things are to be had.
    Shares(usize),
}

/// A world that is part of a game.
pub trait SoloWorld: std::fmt::Debug {
    /// What it is, in a word or two.
    fn kind(&self) -> String;

    /// Steps in which it can be won, and no fewer than one.
    fn steps(&self) -> u32;

    /// How it is scored.
    fn score(&self) -> WorldScore;

    /// Writes facts and rules. The world is called `name`: its moves are `(do NAME action)`, and `(at NAME ...)` its
    /// fluents. It defines `(won NAME)`; with shares, `(has NAME n)` for a number n besides. It may define `lost`.
    fn write(&self, name: &str, out: &mut KifText);

    /// Does it define `lost`?
    fn can_be_lost(&self) -> bool {
        false
    }
}
