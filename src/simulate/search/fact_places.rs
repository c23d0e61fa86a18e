//! Numbered situations to where facts are true and goals are met.

use crate::simulate::search::goal::GoalFact;
use crate::simulate::situation::{BitSet, Situation};

/// Of some situations, by number, where fluents are true.
#[derive(Clone, Debug, Default)]
pub struct FactPlaces {
    count: usize,
    all: BitSet,
    facts: Vec<BitSet>,
}

impl FactPlaces {
    /// Those of situations of a layout with so many fluents.
    pub fn of<'s>(situations: impl ExactSizeIterator<Item = &'s Situation>, fluents: usize) -> FactPlaces {
        let count = situations.len();
        let mut facts = vec![BitSet::new(count); fluents];
        for (place, situation) in situations.enumerate() {
            situation.iter().for_each(|fluent| facts[fluent].insert(place));
        }
        let all = BitSet::of(count, &(0..count).collect::<Vec<_>>());
        FactPlaces { count, all, facts }
    }

    /// All of them.
    pub fn all(&self) -> &BitSet {
        &self.all
    }

    /// All that meet a condition.
    pub fn that(&self, is_met: impl Fn(usize) -> bool) -> BitSet {
        let mut found = BitSet::new(self.count);
        (0..self.count).filter(|place| is_met(*place)).for_each(|place| found.insert(place));
        found
    }

    /// Where a fluent is true.
    pub fn of_fact(&self, fluent: usize) -> &BitSet {
        &self.facts[fluent]
    }

    /// Where a goal is met.
    pub fn of_goal(&self, goal: &[GoalFact]) -> BitSet {
        let mut found = self.all.clone();
        for (fluent, truth) in goal {
            match truth {
                true => found.keep(&self.facts[*fluent]),
                false => found.take_out(&self.facts[*fluent]),
            }
        }
        found
    }
}
