//! A log to knowledge bases: what its agent has seen compared, changed and used up (appendix D).

use std::collections::{HashMap, HashSet};

use crate::halma::maze::grid::Direction;
use crate::halma::play::log::LoggedMove;
use crate::halma::play::panel::Symbols;

/// Two digits of one colour: a wall so far off, and a crossing nearer. There are 36 for each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DigitPair {
    /// Where both lie, which is their colour.
    pub direction: Direction,
    /// The greater digit.
    pub greater: u8,
    /// The lesser digit.
    pub lesser: u8,
}

/// What an agent has met, and how often.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// Pairs in one panel: the semantics, KB_S.
    seen: HashMap<DigitPair, u64>,
    /// Digits that a move changed to others, as pairs: the causality in KB_AvC.
    changed: HashMap<DigitPair, u64>,
    /// Digits that a move used up, with their colours: the affordance, KB_A.
    used_up: HashMap<(Direction, u8), u64>,
    /// Whole panels without their hints.
    panels: HashSet<[i8; 10]>,
    /// How often something must be met to be known. Some of what is met comes of random moves (footnote 6).
    pub least: u64,
}

impl DigitPair {
    /// All of them.
    pub fn all() -> impl Iterator<Item = DigitPair> {
        Direction::ALL.into_iter().flat_map(|direction| {
            (2..=9).flat_map(move |greater| {
                (1..greater).map(move |lesser| DigitPair { direction, greater, lesser })
            })
        })
    }

    /// The pair of two digits, whichever is greater; none of equal ones and of zeros, which are not shown.
    pub fn of(direction: Direction, a: i8, b: i8) -> Option<DigitPair> {
        let (greater, lesser) = (a.max(b), a.min(b));
        (lesser > 0 && greater > lesser).then_some(DigitPair {
            direction,
            greater: greater as u8,
            lesser: lesser as u8,
        })
    }

    /// The same digits in another colour.
    pub fn in_colour(self, direction: Direction) -> DigitPair {
        DigitPair { direction, ..self }
    }
}

fn wall(symbols: &Symbols, direction: Direction) -> i8 {
    symbols[direction.index()]
}

fn crossing(symbols: &Symbols, direction: Direction) -> i8 {
    symbols[4 + direction.index()]
}

/// A panel without its hint.
pub(crate) fn unhinted(symbols: &Symbols) -> [i8; 10] {
    std::array::from_fn(|n| symbols[n])
}

impl Knowledge {
    /// What somebody knows who made these moves.
    pub fn of<'m>(moves: impl IntoIterator<Item = &'m LoggedMove>, least: u64) -> Knowledge {
        let mut knowledge = Knowledge { least, ..Knowledge::default() };
        moves.into_iter().for_each(|made| knowledge.learn(made));
        knowledge
    }

    /// Adds what a move shows.
    pub fn learn(&mut self, made: &LoggedMove) {
        let (before, after) = (&made.seen, &made.then);
        self.panels.insert(unhinted(before));
        for direction in Direction::ALL {
            let pair = DigitPair::of(direction, wall(before, direction), crossing(before, direction));
            pair.into_iter().for_each(|pair| *self.seen.entry(pair).or_default() += 1);
        }
        if !made.valid {
            return;
        }
        // Across the way, digits change because other walls are seen; along it, because units were used up (ours).
        for direction in [made.direction, made.direction.opposite()] {
            for digit in [wall, crossing] {
                let pair = DigitPair::of(direction, digit(before, direction), digit(after, direction));
                pair.into_iter().for_each(|pair| *self.changed.entry(pair).or_default() += 1);
                let (was, is) = (digit(before, direction), digit(after, direction));
                if was > 0 && is == 0 && direction == made.direction {
                    *self.used_up.entry((direction, was as u8)).or_default() += 1;
                }
            }
        }
    }

    fn enough(&self, count: Option<&u64>) -> bool {
        count.is_some_and(|count| *count >= self.least.max(1))
    }

    /// Was the pair seen in one panel?
    pub fn sees(&self, pair: DigitPair) -> bool {
        self.enough(self.seen.get(&pair))
    }

    /// Did a move change one of its digits to the other?
    pub fn changes(&self, pair: DigitPair) -> bool {
        self.enough(self.changed.get(&pair))
    }

    /// Were both of its digits used up?
    pub fn uses_up(&self, pair: DigitPair) -> bool {
        let used = |digit: u8| self.enough(self.used_up.get(&(pair.direction, digit)));
        used(pair.greater) && used(pair.lesser)
    }

    /// Was this panel seen, whatever its hint?
    pub fn knows_panel(&self, symbols: &Symbols) -> bool {
        self.panels.contains(&unhinted(symbols))
    }
}
