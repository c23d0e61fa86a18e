//! A place of the schedule to three questions of equal profile, one for each of three answers.

use std::collections::HashMap;

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::choosing::profile::CLOSENESS;
use crate::factory::further::dealing::{FamilySchedule, ProfileOf};
use crate::factory::further::offers::{OfferCell, OfferedQuestion, Offers, PartAsked, Subject};
use crate::simulate::transitions::compiled_layout::Kind;

/// How many questions of one cell and answer are looked at.
const LOOKED_AT: usize = 192;

/// Is the question one of three answers?
pub(super) fn is_of_three(offer: &OfferedQuestion) -> bool {
    match &offer.subject {
        Subject::Partly(part) => !matches!(part.asked, PartAsked::Observed(_)),
        _ => false,
    }
}

/// Three questions of a cell, one for each answer, as close in profile as there are.
pub(super) fn three<'o>(
    offers: &'o [OfferedQuestion],
    free: &dyn Fn(&OfferedQuestion) -> bool,
    (profile, closest): (ProfileOf, usize),
    rng: &mut ChaCha8Rng,
) -> Option<[&'o OfferedQuestion; 3]> {
    let mut all: [Vec<usize>; 3] = Default::default();
    for (place, offer) in offers.iter().enumerate() {
        all.get_mut(offer.class as usize)?.push(place);
    }
    let mut seen = Vec::new();
    for (class, places) in all.iter_mut().enumerate() {
        let (some, _) = places.partial_shuffle(rng, LOOKED_AT);
        let free = some.iter().filter(|place| free(&offers[**place]));
        seen.extend(free.map(|place| (class, *place, profile(&offers[*place]))));
    }
    for closeness in 0..closest {
        let mut alike: HashMap<u64, [Vec<usize>; 3]> = HashMap::new();
        for (class, place, profile) in &seen {
            alike.entry(profile.near[closeness]).or_default()[*class].push(*place);
        }
        let mut whole: Vec<&[Vec<usize>; 3]> =
            alike.values().filter(|classes| classes.iter().all(|places| !places.is_empty())).collect();
        whole.sort_unstable();
        if let Some(classes) = whole.choose(rng) {
            let mut one = |class: usize| classes[class].choose(rng).map(|place| &offers[*place]);
            return Some([one(0)?, one(1)?, one(2)?]);
        }
    }
    None
}

impl FamilySchedule {
    /// Three questions for a turn of a group, one for each answer; with `any`, such as agree in the pattern of their names
    /// alone, too.
    pub fn three<'o>(
        &self,
        (group, turn, any): (&str, u64, bool),
        offers: &'o Offers,
        free: &dyn Fn(&OfferCell, &OfferedQuestion) -> bool,
        profile: ProfileOf,
        rng: &mut ChaCha8Rng,
    ) -> Option<(&'o OfferCell, [&'o OfferedQuestion; 3])> {
        let closest = if any { CLOSENESS } else { CLOSENESS - 1 };
        self.cells(group, Kind::Other, turn).into_iter().find_map(|used| {
            let (cell, all) = offers.get_key_value(&used.cell)?;
            let found = three(all, &|offer| free(cell, offer), (profile, closest), rng)?;
            Some((cell, found))
        })
    }
}
