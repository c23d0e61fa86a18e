//! Questions of a cell to three of equal profile, one for each of three answers.

use std::collections::HashMap;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::choosing::profile::{CLOSENESS, Profile};
use crate::factory::further::offers::{OfferedQuestion, PartAsked, Subject};

/// How many questions of one cell and answer are looked at.
const LOOKED_AT: usize = 256;
/// How often each of the others is one whose answer was another at the beginning, where there are such.
const CHANGED: f64 = 0.5;

/// Is the question one of three answers?
pub(super) fn is_of_three(offer: &OfferedQuestion) -> bool {
    match &offer.subject {
        Subject::Undefined(..) => true,
        Subject::Partly(part) => matches!(part.asked, PartAsked::Fluent(_) | PartAsked::Action(_)),
        _ => false,
    }
}

/// Three questions of a cell, one for each answer, as close in profile as there are.
pub(super) fn three<'o>(
    offers: &'o [OfferedQuestion],
    free: &dyn Fn(&OfferedQuestion) -> bool,
    (profile, closest): (&dyn Fn(&OfferedQuestion) -> Profile, usize),
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
    // Of one of them at least, what is sure must have changed since the beginning, or who overlooks the actions would be
    // right.
    let changed: &[usize] = if closest > CLOSENESS { &[2, 1, 0] } else { &[2, 1] };
    for least in changed.iter().copied() {
        for closeness in 0..closest {
            let key = |profile: &Profile| profile.near.get(closeness).copied().unwrap_or(0);
            let mut alike: HashMap<u64, [Vec<usize>; 3]> = HashMap::new();
            for (class, place, profile) in &seen {
                alike.entry(key(profile)).or_default()[*class].push(*place);
            }
            let changes = |places: &Vec<usize>| places.iter().any(|place| !offers[*place].plain);
            let mut whole: Vec<[Vec<usize>; 3]> = alike
                .into_values()
                .filter(|classes| classes.iter().all(|places| !places.is_empty()))
                .filter(|classes| classes.iter().filter(|places| changes(places)).count() >= least)
                .collect();
            whole.sort_unstable();
            let Some(classes) = whole.choose(rng) else { continue };
            let sure = (0..3).filter(|class| changes(&classes[*class])).collect::<Vec<usize>>();
            let sure = sure.choose(rng).copied();
            let mut one = |class: usize| {
                let all = &classes[class];
                let new: Vec<usize> = all.iter().copied().filter(|place| !offers[*place].plain).collect();
                let is_new = sure == Some(class) || !new.is_empty() && rng.random_bool(CHANGED);
                if is_new { &new } else { all }.choose(rng).map(|place| &offers[*place])
            };
            return Some([one(0)?, one(1)?, one(2)?]);
        }
    }
    None
}
