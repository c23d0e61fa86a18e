//! A way that is known to the moves that go it: legs of one direction, each in as few moves as its length allows.

use crate::halma::maze::grid::Direction;
use crate::halma::play::episode::{HalmaMove, HalmaTask, MoveOutcome};

/// A way being gone.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownWay {
    legs: Vec<(Direction, u8)>,
    /// The leg to go next, and the units of it that are left.
    next: usize,
    left: u8,
}

impl KnownWay {
    /// The way of some moves, those that follow each other in one direction merged.
    pub(super) fn of(moves: impl IntoIterator<Item = (Direction, u8)>) -> KnownWay {
        let mut legs: Vec<(Direction, u8)> = Vec::new();
        for (direction, units) in moves {
            match legs.last_mut() {
                Some((last, gone)) if *last == direction => *gone += units,
                _ => legs.push((direction, units)),
            }
        }
        legs.retain(|(_, units)| *units > 0);
        KnownWay { legs, next: 0, left: 0 }
    }

    /// The next move.
    pub(super) fn choose(&mut self, task: &HalmaTask) -> HalmaMove {
        let Some((direction, units)) = self.legs.get(self.next).copied() else {
            return HalmaMove::of_units(Direction::Left, 0, task);
        };
        if self.left == 0 {
            self.left = units;
        }
        HalmaMove::of_units(direction, self.left, task)
    }

    /// The move was made.
    pub(super) fn told(&mut self, made: &HalmaMove, outcome: &MoveOutcome) {
        self.left = self.left.saturating_sub(made.units());
        self.next += usize::from(self.left == 0);
        if outcome.trial_over {
            (self.next, self.left) = (0, 0);
        }
    }
}
