//! Knowledge to what each pair of digits would test, exactly one thing a pair (section 3.4, appendix D).

use std::collections::BTreeMap;

use crate::halma::dynamic::knowledge::{DigitPair, Knowledge};
use crate::halma::maze::grid::Direction;

/// The kinds of dynamic tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TestKind {
    /// Pairs that were seen, in panels that were not.
    St1,
    /// Pairs that were seen in other colours only.
    St2,
    /// Pairs never seen, one of whose digits a move changed to the other.
    AfT1,
    /// Pairs never seen, whose digits were both used up.
    AfT2,
    /// As AfT-1, in other colours only.
    AfT3,
    /// As AfT-2, in other colours only.
    AfT4,
    /// Pairs that follow by transitivity from two of the kinds above, where an example of such a triple is at hand.
    AnT,
}

impl TestKind {
    /// All of them, in the paper's order.
    pub const ALL: [TestKind; 7] = [
        TestKind::St1,
        TestKind::St2,
        TestKind::AfT1,
        TestKind::AfT2,
        TestKind::AfT3,
        TestKind::AfT4,
        TestKind::AnT,
    ];

    /// Its name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            TestKind::St1 => "ST-1",
            TestKind::St2 => "ST-2",
            TestKind::AfT1 => "AfT-1",
            TestKind::AfT2 => "AfT-2",
            TestKind::AfT3 => "AfT-3",
            TestKind::AfT4 => "AfT-4",
            TestKind::AnT => "AnT",
        }
    }
}

/// What each pair would test; nothing for pairs of which nothing follows from what is known. Pairs that were seen as they
/// are stand under [`TestKind::St1`].
pub fn kinds(knowledge: &Knowledge) -> BTreeMap<DigitPair, TestKind> {
    let anywhere = |pair: DigitPair, known: &dyn Fn(DigitPair) -> bool| {
        Direction::ALL.into_iter().any(|direction| known(pair.in_colour(direction)))
    };
    let of = |pair: DigitPair| {
        if knowledge.sees(pair) {
            Some(TestKind::St1)
        } else if anywhere(pair, &|pair| knowledge.sees(pair)) {
            Some(TestKind::St2)
        } else if knowledge.changes(pair) {
            Some(TestKind::AfT1)
        } else if knowledge.uses_up(pair) {
            Some(TestKind::AfT2)
        } else if anywhere(pair, &|pair| knowledge.changes(pair)) {
            Some(TestKind::AfT3)
        } else if anywhere(pair, &|pair| knowledge.uses_up(pair)) {
            Some(TestKind::AfT4)
        } else {
            None
        }
    };
    let mut kinds: BTreeMap<DigitPair, TestKind> =
        DigitPair::all().filter_map(|pair| Some((pair, of(pair)?))).collect();
    // Transitivity is asked over pairs that are tests themselves, as the formula of section 3.4 has it.
    let tested = |greater: u8, lesser: u8, direction: Direction| {
        let kind = kinds.get(&DigitPair { direction, greater, lesser });
        kind.is_some_and(|kind| *kind != TestKind::St1)
    };
    let chained = |pair: DigitPair, closed: bool| {
        (pair.lesser + 1..pair.greater).any(|middle| {
            Direction::ALL.into_iter().any(|direction| {
                tested(pair.greater, middle, direction)
                    && tested(middle, pair.lesser, direction)
                    && tested(pair.greater, pair.lesser, direction) == closed
            })
        })
    };
    if DigitPair::all().any(|pair| chained(pair, true)) {
        let follow: Vec<DigitPair> =
            DigitPair::all().filter(|pair| !kinds.contains_key(pair) && chained(*pair, false)).collect();
        kinds.extend(follow.into_iter().map(|pair| (pair, TestKind::AnT)));
    }
    kinds
}
