//! Numbered situations to where facts are true and goals are met.

use racgen_logic::evaluate::lanes::transpose;

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
        let all: Vec<&Situation> = situations.collect();
        let count = all.len();
        let mut facts = vec![vec![0; count.div_ceil(64)]; fluents];
        for (part, some) in all.chunks(64).enumerate() {
            for (block, facts) in facts.chunks_mut(64).enumerate() {
                let word = |place: usize| some.get(place).and_then(|all| all.words().get(block));
                let mut rows: [u64; 64] = std::array::from_fn(|place| word(place).copied().unwrap_or(0));
                transpose(&mut rows);
                facts.iter_mut().zip(rows).for_each(|(fact, row)| fact[part] = row);
            }
        }
        let facts = facts.into_iter().map(BitSet::of_words).collect();
        let all = BitSet::of(count, &(0..count).collect::<Vec<_>>());
        FactPlaces { count, all, facts }
    }

    /// All of them.
    pub fn all(&self) -> &BitSet {
        &self.all
    }

    /// Where a fluent is true.
    pub fn of_fact(&self, fluent: usize) -> &BitSet {
        &self.facts[fluent]
    }

    /// By place, which of some facts, 64 at most, are so there: a bit of the word each.
    pub fn of_each(&self, facts: &[GoalFact]) -> Vec<u64> {
        let mut found = Vec::with_capacity(self.count);
        for part in 0..self.count.div_ceil(64) {
            let word = |(fluent, truth): &GoalFact| {
                let word = self.facts[*fluent].words()[part];
                if *truth { word } else { !word }
            };
            let mut rows: [u64; 64] = std::array::from_fn(|fact| facts.get(fact).map_or(0, word));
            transpose(&mut rows);
            found.extend(rows.into_iter().take(self.count - found.len()));
        }
        found
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
