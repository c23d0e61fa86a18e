//! Lists of phrasings and names to the part of them that a split may use.

use std::ops::Range;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::phrases::book::Phrasings;
use crate::phrases::phrasing::Phrasing;

/// A drawn phrasing and its number in its list.
pub type DrawnPhrasing<'a> = (usize, &'a Phrasing);

/// Which phrasings and names may be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holdout {
    /// The share of each list of phrasings that is held out.
    pub phrasings: f64,
    /// The share of each pool of names that is held out.
    pub names: f64,
    /// Are the held-out ones wanted, rather than the others?
    pub wanted: bool,
}

impl Holdout {
    /// Nothing is held out.
    pub const NONE: Holdout = Holdout { phrasings: 0.0, names: 0.0, wanted: false };

    /// The part of a list of this length, where each part is to have so many at least. If the list is too short for that,
    /// half of it.
    fn range(share: f64, wanted: bool, length: usize, least: usize) -> Range<usize> {
        if share <= 0.0 || length < 2 {
            return 0..length;
        }
        let least = least.clamp(1, length / 2);
        let kept = length - ((share * length as f64).round() as usize).clamp(least, length - least);
        if wanted { kept..length } else { 0..kept }
    }

    /// The phrasings to draw from, of a list of this length.
    pub fn phrasings(&self, length: usize) -> Range<usize> {
        Holdout::range(self.phrasings, self.wanted, length, 1)
    }

    /// A phrasing of a list, and its number there.
    pub fn draw<'p>(&self, phrasings: &'p Phrasings, rng: &mut ChaCha8Rng) -> Option<DrawnPhrasing<'p>> {
        let range = self.phrasings(phrasings.list.len());
        if range.is_empty() {
            return None;
        }
        let number = rng.random_range(range);
        Some((number, &phrasings.list[number]))
    }

    /// The same among those that do not use a slot; any of them where all do.
    pub fn draw_without<'p>(
        &self,
        slot: usize,
        phrasings: &'p Phrasings,
        rng: &mut ChaCha8Rng,
    ) -> Option<DrawnPhrasing<'p>> {
        let lacks = |number: &usize| phrasings.list[*number].slots().all(|used| used != slot);
        let others: Vec<usize> = self.phrasings(phrasings.list.len()).filter(lacks).collect();
        match others.choose(rng) {
            Some(number) => Some((*number, &phrasings.list[*number])),
            None => self.draw(phrasings, rng),
        }
    }

    /// The names to draw from, of a pool of this length.
    pub fn names(&self, length: usize) -> Range<usize> {
        self.names_for(length, 1)
    }

    /// The names to draw from, of a pool of this length, for worlds that need so many of them.
    pub fn names_for(&self, length: usize, needed: usize) -> Range<usize> {
        Holdout::range(self.names, self.wanted, length, needed)
    }
}
