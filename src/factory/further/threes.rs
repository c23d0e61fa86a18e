//! Questions of a cell to three that go together, one for each of three answers: of equal profile, or after the same beginning.

use std::collections::BTreeMap;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rustc_hash::FxHashMap as HashMap;

use crate::factory::choosing::profile::{CLOSENESS, Profile};
use crate::factory::further::offers::{OfferedQuestion, PartAsked, Subject};

/// How many questions of one cell and answer are looked at.
const LOOKED_AT: usize = 256;
/// How many questions are compared that are asked after the same beginning.
const QUESTIONS: usize = 8;
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

/// What tells questions with different answers apart that go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToldApart {
    /// What is told of their beginnings: they are of equal profile.
    Beginnings,
    /// What is done: they ask the same, and of their beginnings the same is told.
    Actions,
    /// Either: of four two begin likewise, and crosswise two do the same.
    Both,
}

impl ToldApart {
    /// How many ways there are.
    pub(crate) const COUNT: usize = 3;
}

/// Three questions of a cell, one for each answer, as close in profile as there are.
pub(super) fn three<'o>(
    offers: &'o [OfferedQuestion],
    apart: ToldApart,
    free: &dyn Fn(&OfferedQuestion) -> bool,
    (profile, closest): (&dyn Fn(&OfferedQuestion) -> Profile, usize),
    rng: &mut ChaCha8Rng,
) -> Option<[&'o OfferedQuestion; 3]> {
    match apart {
        ToldApart::Beginnings => by_beginnings(offers, free, (profile, closest), rng),
        ToldApart::Actions => by_actions(offers, free, profile, rng),
        ToldApart::Both => None,
    }
}

/// What questions agree in that are so close. Past the last closeness all are alike.
fn key(profile: &Profile, closeness: usize) -> u64 {
    profile.near.get(closeness).copied().unwrap_or(0)
}

/// The answers that questions have which agree, a bit for each.
#[derive(Clone, Copy, Default)]
pub(super) struct Classes {
    there: u8,
    /// Those that are another than at the beginning.
    pub(super) changed: u8,
}

impl Classes {
    pub(super) fn add(&mut self, class: usize, is_changed: bool) {
        self.there |= 1 << class;
        self.changed |= u8::from(is_changed) << class;
    }

    pub(super) fn are_all(self) -> bool {
        self.there.count_ones() == 3
    }
}

/// Three that ask the same after the same beginning. Those are preferred of which the actions look alike.
fn by_actions<'o>(
    offers: &'o [OfferedQuestion],
    free: &dyn Fn(&OfferedQuestion) -> bool,
    profile: &dyn Fn(&OfferedQuestion) -> Profile,
    rng: &mut ChaCha8Rng,
) -> Option<[&'o OfferedQuestion; 3]> {
    let asked = |offer: &OfferedQuestion| {
        let (Subject::Partly(part), Some([beginning, _])) = (&offer.subject, offer.crossing) else {
            return None;
        };
        match part.asked {
            PartAsked::Fluent(fluent) => Some((beginning, false, fluent)),
            PartAsked::Action(action) => Some((beginning, true, action)),
            _ => None,
        }
    };
    let mut there: HashMap<(u64, bool, usize), Classes> = HashMap::default();
    for offer in offers {
        if let Some(asked) = asked(offer) {
            there.entry(asked).or_default().add(offer.class as usize, false);
        }
    }
    there.retain(|_, classes| classes.are_all());
    let mut by_asked: BTreeMap<(u64, bool, usize), [Vec<usize>; 3]> = BTreeMap::new();
    for (place, offer) in offers.iter().enumerate() {
        if let Some(asked) = asked(offer).filter(|asked| there.contains_key(asked)) {
            by_asked.entry(asked).or_default().get_mut(offer.class as usize)?.push(place);
        }
    }
    let mut whole: Vec<[Vec<usize>; 3]> = by_asked.into_values().collect();
    whole.shuffle(rng);
    let mut best: Option<(usize, [usize; 3])> = None;
    let mut looked_at = 0;
    for mut classes in whole {
        classes.iter_mut().for_each(|places| places.retain(|place| free(&offers[*place])));
        if classes.iter().any(Vec::is_empty) {
            continue;
        }
        let profiles = classes.map(|places| -> Vec<(usize, Profile)> {
            places.into_iter().map(|place| (place, profile(&offers[place]))).collect()
        });
        for closeness in 0..=CLOSENESS {
            let mut alike: BTreeMap<u64, [Vec<usize>; 3]> = BTreeMap::new();
            for (class, all) in profiles.iter().enumerate() {
                let keys = all.iter().map(|(place, profile)| (key(profile, closeness), place));
                keys.for_each(|(key, place)| alike.entry(key).or_default()[class].push(*place));
            }
            let three = alike.values().find(|classes| classes.iter().all(|places| !places.is_empty()));
            if let Some(classes) = three {
                if best.is_none_or(|(least, _)| closeness < least) {
                    let [yes, no, open] = classes.each_ref().map(|places| places.choose(rng).copied());
                    best = Some((closeness, [yes?, no?, open?]));
                }
                break;
            }
        }
        looked_at += 1;
        if looked_at == QUESTIONS {
            break;
        }
    }
    best.map(|(_, three)| three.map(|place| &offers[place]))
}

/// Three of equal profile.
fn by_beginnings<'o>(
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
    for (class, places) in all.iter().enumerate() {
        // Those first that were sought to go together, which the others would hide.
        let (mut sought, mut others): (Vec<usize>, Vec<usize>) =
            places.iter().partition(|place| offers[**place].sought);
        let (sought, _) = sought.partial_shuffle(rng, LOOKED_AT);
        let (others, _) = others.partial_shuffle(rng, LOOKED_AT - sought.len());
        let free = sought.iter().chain(&*others).filter(|place| free(&offers[**place]));
        seen.extend(free.map(|place| (class, *place, profile(&offers[*place]))));
    }
    // Of one of them at least, what is sure must have changed since the beginning, or who overlooks the actions would be
    // right.
    let by_key = |closeness: usize| {
        let mut all: HashMap<u64, Classes> = HashMap::default();
        for (class, place, profile) in &seen {
            all.entry(key(profile, closeness)).or_default().add(*class, !offers[*place].plain);
        }
        all.retain(|_, classes| classes.are_all());
        all
    };
    let mut whole_by_key: Vec<HashMap<u64, Classes>> = Vec::new();
    let changed: &[u32] = if closest > CLOSENESS { &[2, 1, 0] } else { &[2, 1] };
    for least in changed.iter().copied() {
        for closeness in 0..closest {
            if whole_by_key.len() == closeness {
                whole_by_key.push(by_key(closeness));
            }
            let all = &whole_by_key[closeness];
            let is_changed = |(_, classes): &(&u64, &Classes)| classes.changed.count_ones() >= least;
            let mut whole: Vec<u64> = all.iter().filter(is_changed).map(|(key, _)| *key).collect();
            whole.sort_unstable();
            let Some(chosen) = whole.choose(rng).copied() else { continue };
            let mut classes: [Vec<usize>; 3] = Default::default();
            for (class, place, profile) in &seen {
                if key(profile, closeness) == chosen {
                    classes[*class].push(*place);
                }
            }
            let changes = |places: &Vec<usize>| places.iter().any(|place| !offers[*place].plain);
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
