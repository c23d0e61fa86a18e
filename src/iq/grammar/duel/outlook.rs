//! Positions of a game in turns, which ends where a player cannot move, to who can win it and whether play matters.

use std::collections::HashMap;
use std::hash::Hash;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayOutlook {
    /// Does the player who is to move win if both play as well as can be?
    pub wins: bool,
    /// Does this player win some course of the game?
    may_win: bool,
    /// Does the other?
    may_lose: bool,
}

impl PlayOutlook {
    /// Is the winner the same, whatever both do?
    pub fn settled(self) -> bool {
        !(self.may_win && self.may_lose)
    }
}

/// The outlook of a position. `moves` tells what the moves of the player to move make of it, seen by the other player; who has
/// none has lost, or won where the game is turned round (`misere`).
pub fn outlook<P: Clone + Eq + Hash>(
    position: &P,
    moves: &dyn Fn(&P) -> Vec<P>,
    misere: bool,
    known: &mut HashMap<P, PlayOutlook>,
) -> PlayOutlook {
    if let Some(known) = known.get(position) {
        return *known;
    }
    let after = moves(position);
    let mut found = PlayOutlook { wins: false, may_win: false, may_lose: false };
    if after.is_empty() {
        found = PlayOutlook { wins: misere, may_win: misere, may_lose: !misere };
    }
    for next in after {
        let next = outlook(&next, moves, misere, known);
        found.wins |= !next.wins;
        found.may_win |= next.may_lose;
        found.may_lose |= next.may_win;
    }
    known.insert(position.clone(), found);
    found
}
