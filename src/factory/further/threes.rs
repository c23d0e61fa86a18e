//! Questions of a cell to three that go together, one for each of three answers: of equal profile, or after the same beginning.

use std::collections::{BTreeMap, HashMap};

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

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

/// Three that ask the same after the same beginning. Those are preferred of which the actions look alike.
fn by_actions<'o>(
    offers: &'o [OfferedQuestion],
    free: &dyn Fn(&OfferedQuestion) -> bool,
    profile: &dyn Fn(&OfferedQuestion) -> Profile,
    rng: &mut ChaCha8Rng,
) -> Option<[&'o OfferedQuestion; 3]> {
    let mut asked: BTreeMap<(u64, bool, usize), [Vec<usize>; 3]> = BTreeMap::new();
    for (place, offer) in offers.iter().enumerate() {
        let (Subject::Partly(part), Some([beginning, _])) = (&offer.subject, offer.crossing) else {
            continue;
        };
        let (of_actions, thing) = match part.asked {
            PartAsked::Fluent(fluent) => (false, fluent),
            PartAsked::Action(action) => (true, action),
            _ => continue,
        };
        let classes = asked.entry((beginning, of_actions, thing)).or_default();
        classes.get_mut(offer.class as usize)?.push(place);
    }
    let mut whole: Vec<[Vec<usize>; 3]> =
        asked.into_values().filter(|classes| classes.iter().all(|places| !places.is_empty())).collect();
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
        // Past the last closeness all are alike.
        for closeness in 0..=CLOSENESS {
            let key = |profile: &Profile| profile.near.get(closeness).copied().unwrap_or(0);
            let mut alike: BTreeMap<u64, [Vec<usize>; 3]> = BTreeMap::new();
            for (class, all) in profiles.iter().enumerate() {
                all.iter().for_each(|(place, p)| alike.entry(key(p)).or_default()[class].push(*place));
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
    for (class, places) in all.iter_mut().enumerate() {
        // Those first that were sought to go together, which the others would hide.
        places.shuffle(rng);
        places.sort_by_key(|place| !offers[*place].sought);
        let free = places.iter().take(LOOKED_AT).filter(|place| free(&offers[**place]));
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
