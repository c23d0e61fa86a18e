//! Two yes/no questions that go together: of equal profile, one for each label, and such that neither whoever overlooks the point of
//! the questions nor whoever knows the initial situation alone gets ahead.

use std::collections::BTreeMap;

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::factory::choosing::profile::{CLOSENESS, NEAR, Profile};
use crate::factory::choosing::selection::{Profiled, pairs};
use crate::factory::further::offers::{OfferCell, OfferedQuestion};
use crate::simulate::story::Timepoint;

/// How many questions of one cell and label are looked at to find two of equal profile: a few, of which only a close pair will do, and
/// most, where there is none among them.
const LOOKED_AT: usize = 400;
pub(super) const MOST_LOOKED_AT: usize = 2_400;
/// By one of so many questions an answer may get ahead in place of pairs that agree in the pattern of their names alone.
const SLACK: u64 = 6;

/// How verify questions of a cell are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pairing {
    /// By profile; the plain answer is right for one of two.
    One,
    /// By profile; it is right for one of two, or for both and neither in turn.
    Even,
    /// By profile; it never is.
    Neither,
    /// Two pairs that cross: about two initial situations and two lists of actions.
    Crossed,
    /// Whatever touches the question settles its answer. In one of two pairs, of equal profile, the plain answer is right
    /// for both; in the other, which agrees in its pattern alone, for one. So neither the plain answer nor the actions
    /// are right in more than three of four.
    Settled,
}

/// How much further ahead than a pair the plain answer or that of the initial situation may get: not at all, by one of so many
/// questions of the family as [`SLACK`] says, or by any number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slack {
    None,
    Some,
    Any,
}

/// Which pair will do for a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairWanted {
    /// One that is due.
    Due,
    /// Of any family and sort, as long as no answer gets ahead.
    Even,
    /// Of any family and sort, as long as no answer gets far ahead.
    Level,
    /// Any; the best comes first.
    Any,
}

impl Slack {
    /// By how many questions an answer may be ahead or behind.
    pub(super) fn most(self, lead: Lead) -> i64 {
        match self {
            Slack::None => 1,
            Slack::Some => 1 + (lead.asked / SLACK) as i64,
            Slack::Any => i64::MAX,
        }
    }
}

/// Which of two paired questions an answer is right for: one of them, both, or neither.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    One,
    Both,
    Neither,
}

pub(super) const SORTS: [Sort; 3] = [Sort::One, Sort::Both, Sort::Neither];

/// By how many more questions that were asked so far an answer is right than wrong: the plain answer, and that of the initial situation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lead {
    /// The plain answer's.
    pub plain: i64,
    /// The initial situation's.
    pub unchanged: i64,
    /// Of how many questions.
    pub asked: u64,
}

impl Lead {
    /// That of a question.
    pub fn of(offer: &OfferedQuestion) -> Lead {
        let one = |right| if right { 1 } else { -1 };
        Lead { plain: one(offer.plain), unchanged: one(offer.trivial), asked: 1 }
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Lead) -> Lead {
        Lead {
            plain: self.plain + other.plain,
            unchanged: self.unchanged + other.unchanged,
            asked: self.asked + other.asked,
        }
    }

    /// Candidates by what is right for them.
    pub(super) fn sorted(all: Vec<Profiled>, offers: &[OfferedQuestion]) -> BTreeMap<Lead, Vec<Profiled>> {
        let mut sorted: BTreeMap<Lead, Vec<Profiled>> = BTreeMap::new();
        for one in all {
            sorted.entry(Lead::of(&offers[one.asked.2])).or_default().push(one);
        }
        sorted
    }
}

impl Sort {
    /// That of two questions.
    pub(super) fn of(both: Lead) -> Sort {
        match both.plain {
            0 => Sort::One,
            more if more > 0 => Sort::Both,
            _ => Sort::Neither,
        }
    }
}

/// Works out the profile of an offer.
pub type ProfileOf<'p> = &'p dyn Fn(&OfferedQuestion) -> Profile;

/// How many questions of a cell with so many are looked at, one after the other, and the farthest closeness that pairs of them may have.
pub(super) fn looks(offered: usize) -> impl Iterator<Item = (usize, usize)> {
    let few = (offered > LOOKED_AT).then_some((LOOKED_AT, NEAR));
    few.into_iter().chain([(MOST_LOOKED_AT, CLOSENESS)])
}

/// So many questions of a cell that were not asked, of each label, as candidates for pairs.
pub(super) fn profiled(
    (cell, offers, most): (&OfferCell, &[OfferedQuestion], usize),
    free: &dyn Fn(&OfferCell, &OfferedQuestion) -> bool,
    profile: ProfileOf,
    rng: &mut ChaCha8Rng,
) -> [Vec<Profiled>; 2] {
    let mut all = [Vec::new(), Vec::new()];
    for (place, offer) in offers.iter().enumerate() {
        all[usize::from(offer.yes)].push(place);
    }
    all.map(|mut places| {
        let (some, _) = places.partial_shuffle(rng, most);
        let free = some.iter().filter(|place| free(cell, &offers[**place]));
        free.map(|place| Profiled {
            asked: (offers[*place].told, Timepoint::Now, *place),
            trivial: offers[*place].plain,
            profile: profile(&offers[*place]),
        })
        .collect()
    })
}

/// Pairs of a sort and closeness, the question answered yes first.
pub(super) fn of_sort(
    yes: &[Profiled],
    no: &[Profiled],
    sort: Sort,
    closeness: usize,
) -> Vec<(usize, usize)> {
    let all: &[(bool, bool)] = match sort {
        Sort::One => &[(true, false), (false, true)],
        Sort::Both => &[(true, true)],
        Sort::Neither => &[(false, false)],
    };
    all.iter().flat_map(|(first, second)| pairs(yes, no, (closeness, *first, *second))).collect()
}

/// Of which sorts there is a pair that agrees in more than the pattern of its names.
pub(super) fn sorts_of(yes: &[Profiled], no: &[Profiled]) -> [bool; 3] {
    SORTS.map(|sort| (0..CLOSENESS - 1).any(|closeness| !of_sort(yes, no, sort, closeness).is_empty()))
}
