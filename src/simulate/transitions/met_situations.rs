//! Situations of a layout that were met, by number, and where their actions lead.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::simulate::situation::{BitSet, Situation};

/// How many situations are kept.
const MOST_KEPT: usize = 50_000;
/// None is kept after so many steps if fewer than one of so many were known by then.
pub(super) const KNOWN_AFTER: usize = 20_000;
const KNOWN_ONE_IN: usize = 4;

/// The situations that were met, by their numbers.
#[derive(Default)]
pub(crate) struct MetSituations {
    /// All their true fluents.
    pub(super) situations: Vec<Arc<Situation>>,
    /// What can be carried out in each.
    pub(super) executable: Vec<Arc<[usize]>>,
    /// Where it stands where that leads, once that is known.
    pub(super) leads: Vec<Option<Range<usize>>>,
    /// Numbers of situations.
    pub(super) all_leads: Vec<u32>,
    /// The numbers, found by the words of their situations, with the hash of these.
    numbers: HashTable<(u64, u32)>,
    /// How many steps were asked for, and how many of them were not known.
    pub(super) steps: (usize, usize),
}

impl MetSituations {
    /// A situation.
    pub(crate) fn situation(&self, number: u32) -> &Arc<Situation> {
        &self.situations[number as usize]
    }

    /// What can be carried out in it.
    pub(crate) fn executable(&self, number: u32) -> &Arc<[usize]> {
        &self.executable[number as usize]
    }

    /// The numbers of the situations where that leads, in the same order.
    pub(crate) fn leads(&self, number: u32) -> &[u32] {
        self.leads[number as usize].clone().map_or(&[], |leads| &self.all_leads[leads])
    }

    /// The number of a situation; is it new, so that it has to be told next what can be carried out there?
    pub(super) fn number_of(&mut self, words: &[u64]) -> (u32, bool) {
        let MetSituations { situations, numbers, .. } = self;
        let hash = hashed(words);
        let is_it = |(_, number): &(u64, u32)| situations[*number as usize].words() == words;
        if let Some((_, number)) = numbers.find(hash, is_it) {
            return (*number, false);
        }
        let number = situations.len() as u32;
        numbers.insert_unique(hash, (hash, number), |(hash, _)| *hash);
        situations.push(Arc::new(BitSet::of_words(words.to_vec())));
        self.leads.push(None);
        (number, true)
    }

    /// Forgets all situations where there are very many, or where few steps come again.
    pub(super) fn forget(&mut self) {
        let (asked, new) = self.steps;
        if self.situations.len() <= MOST_KEPT
            && (asked < KNOWN_AFTER || (asked - new) * KNOWN_ONE_IN >= asked)
        {
            return;
        }
        self.situations.clear();
        self.executable.clear();
        self.leads.clear();
        self.all_leads.clear();
        self.numbers.clear();
    }

    /// Says of the next situation what can be carried out there.
    pub(super) fn tell_executable(&mut self, actions: &[usize]) {
        self.executable.push(actions.into());
    }
}

/// A hash of the words of a situation.
pub(crate) fn hashed(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    words.hash(&mut hasher);
    hasher.finish()
}
