//! Questions of a cell to candidates for pairs: a sample of those with each label, with their profiles.
//!
//! As long as no stories are added, the next turn looks for its pair in the same sample.

use std::collections::BTreeMap;

use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashMap as HashMap;

use crate::factory::choosing::selection::Profiled;
use crate::factory::further::offers::{OfferCell, OfferedQuestion};
use crate::factory::further::pairing::{Lead, ProfileOf, profiled};

/// Those that are answered no and those that are answered yes, by what is right for them.
pub(super) type Sides = [BTreeMap<Lead, Vec<Profiled>>; 2];

/// Candidates of some size.
struct Sample {
    /// Of how many questions.
    offered: usize,
    /// In which turn those were taken out that had been asked.
    turn: usize,
    sides: Sides,
}

/// The candidates of the cells of a group.
#[derive(Default)]
pub struct PairCandidates {
    turn: usize,
    samples: HashMap<OfferCell, BTreeMap<usize, Sample>>,
}

impl PairCandidates {
    /// A new turn: some may have been asked since.
    pub(super) fn turn(&mut self) {
        self.turn += 1;
    }

    /// So many candidates of a cell for each label at most.
    pub(super) fn of(
        &mut self,
        (cell, offers, most): (&OfferCell, &[OfferedQuestion], usize),
        free: &dyn Fn(&OfferCell, &OfferedQuestion) -> bool,
        profile: ProfileOf,
        rng: &mut ChaCha8Rng,
    ) -> &Sides {
        let new = |rng: &mut ChaCha8Rng| Sample {
            offered: offers.len(),
            turn: self.turn,
            sides: profiled((cell, offers, most), free, profile, rng).map(|some| Lead::sorted(some, offers)),
        };
        let samples = self.samples.entry(cell.clone()).or_default();
        let sample = samples.entry(most).or_insert_with(|| new(rng));
        if sample.offered != offers.len() {
            *sample = new(rng);
        } else if sample.turn != self.turn {
            let is_free = |one: &Profiled| free(cell, &offers[one.asked.2]);
            sample.sides.iter_mut().flat_map(BTreeMap::values_mut).for_each(|some| some.retain(is_free));
            sample.turn = self.turn;
        }
        &sample.sides
    }
}
