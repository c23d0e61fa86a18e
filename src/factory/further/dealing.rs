//! A place of the schedule of families beyond prediction to the question that is asked there.
//!
//! Families take turns, within each its cells, and the answers of a cell are dealt evenly. Verify questions come in pairs
//! of equal profile, one for each label; of half of them whoever overlooks the point of the question is right.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::domain::question_groups::COMPOSITE;
use crate::factory::choosing::profile::CLOSENESS;
use crate::factory::choosing::selection::pairs;
use crate::factory::further::compared_values::Comparisons;
use crate::factory::further::crossing::four;
use crate::factory::further::matter::is_of_three_answers;
use crate::factory::further::offers::{OfferCell, OfferedQuestion, Offers};
use crate::factory::further::pair_candidates::{PairCandidates, Sides};
use crate::factory::further::pairing::{Lead, PairWanted, Pairing, ProfileOf, SORTS, Slack, Sort, looks};
use crate::factory::further::rivals::Rivals;
use crate::factory::further::search_families::{LastingFunctors, SearchFamily, rests_on_proofs};
use crate::factory::further::threes::{ToldApart, three};
use crate::phrases::book::FamilyPhrases;
use crate::simulate::transitions::compiled_layout::Kind;

/// Of so many questions with more than one answer to choose from, one has an empty list.
const ONE_OF_NOTHING: u32 = 8;
/// The same of questions that list things to choose from, of which more come where nothing else is left.
const ONE_LISTS_NOTHING: u32 = 16;

/// A cell that is used, and the classes of answers that are dealt.
#[derive(Clone, Debug)]
pub(super) struct UsedCell {
    pub(super) cell: OfferCell,
    pub(super) classes: Vec<u32>,
    pub(super) pairing: Pairing,
    /// Do few layouts offer even pairs of its family? Then what is settled only takes the place of others, where there are none, and
    /// others take its place before further stories are looked at.
    pub(super) is_rare: bool,
    /// How many layouts offer a pair, one of which the plain answer is right for.
    pub(super) even: usize,
    /// Is the initial situation's answer to be right as often as wrong? Of other questions: is it for most of them, so that the
    /// rest are waited for at every other turn?
    pub(super) even_unchanged: bool,
    /// Are questions of it asked three by three?
    pub(super) of_three: bool,
}

/// The families of each group and kind, with their cells.
#[derive(Clone, Debug, Default)]
pub struct FamilySchedule {
    pub(super) cycles: BTreeMap<(String, Kind), Vec<Vec<UsedCell>>>,
    /// What is left out: kind, family and why.
    pub left_out: BTreeSet<(&'static str, String, &'static str)>,
    /// By family, the share of the layouts looked at that offer what it asks: of verify questions two with different answers, of
    /// those with three answers one of each, and else any.
    pub offered: BTreeMap<String, f64>,
    /// How the sets of values that rules tell compare with the least ones.
    pub(in crate::factory) compared: Comparisons,
}

impl UsedCell {
    /// Is no answer that should be right as often as wrong further ahead, or behind, after two more questions than `slack` allows?
    /// Where `any` pair may be asked, this goes for what the last action settles, too.
    fn keeps_even(&self, lead: Lead, both: Lead, (any, slack): (bool, Slack)) -> bool {
        let after = lead.and(both);
        let most = slack.most(lead);
        let keeps = |before: i64, after: i64| after.abs() <= before.abs().max(most);
        let even_plain = match self.pairing {
            Pairing::Neither => false,
            Pairing::Settled => any,
            _ => true,
        };
        (!even_plain || keeps(lead.plain, after.plain))
            && (!self.even_unchanged || keeps(lead.unchanged, after.unchanged))
    }
}

impl FamilySchedule {
    /// Does a group have questions of a kind?
    pub fn has(&self, group: &str, kind: Kind) -> bool {
        self.cycles.contains_key(&(group.to_owned(), kind))
    }

    /// The cells for a turn of a group and kind, the due one first: those of its family follow it, then those of others.
    fn cells(&self, group: &str, kind: Kind, turn: u64) -> Vec<&UsedCell> {
        turned(&self.families(group, kind, &|_| true), turn, true)
    }

    /// The families of a group and kind with cells of some sort, each with its cells.
    fn families(&self, group: &str, kind: Kind, sort: &dyn Fn(&UsedCell) -> bool) -> Vec<&Vec<UsedCell>> {
        let all = self.cycles.get(&(group.to_owned(), kind)).into_iter().flatten();
        all.filter(|cells| cells.iter().any(sort)).collect()
    }

    /// Is the question that is due at a turn one of three that go together?
    pub fn is_three_due(&self, group: &str, turn: u64) -> bool {
        self.cells(group, Kind::Other, turn).first().is_some_and(|used| used.of_three)
    }

    /// Is the question that is due at a turn one of four that cross, and have three answers?
    pub fn is_four_due(&self, group: &str, turn: u64) -> bool {
        let due = self.cells(group, Kind::Other, turn);
        due.first().is_some_and(|used| used.pairing == Pairing::Crossed)
    }

    /// Are further stories looked at for the verify questions that are due at a turn, before others take their place? Not where few
    /// layouts offer even pairs of them, nor where their answers take proofs, which take long.
    pub(crate) fn waits_for(&self, families: &[FamilyPhrases], group: &str, turn: u64) -> bool {
        let due = self.cells(group, Kind::Verify, turn);
        due.first().is_some_and(|used| !used.is_rare && !rests_on_proofs(&families[used.cell.family]))
    }

    /// Do all families of a group and kind rest on proofs?
    pub(crate) fn rests_on_proofs(&self, families: &[FamilyPhrases], group: &str, kind: Kind) -> bool {
        let cells = self.families(group, kind, &|_| true);
        cells.into_iter().flatten().all(|used| rests_on_proofs(&families[used.cell.family]))
    }

    /// Are other questions of a family asked four by four?
    pub(crate) fn has_fours_of(&self, family: usize) -> bool {
        let of = |used: &UsedCell| used.cell.family == family && used.cell.kind == Kind::Other;
        self.cycles.values().flatten().flatten().any(|used| of(used) && used.pairing == Pairing::Crossed)
    }

    /// Families with three answers, and such as rest on proofs, of which nothing is asked, by their numbers. Others may be parts of
    /// questions that are made of several.
    pub(crate) fn idle(&self, families: &[FamilyPhrases]) -> BTreeSet<usize> {
        let is_alone = |family: &FamilyPhrases| is_of_three_answers(family) || rests_on_proofs(family);
        let alone = families.iter().enumerate().filter(|(_, family)| is_alone(family));
        let used: BTreeSet<usize> =
            self.cycles.values().flatten().flatten().map(|used| used.cell.family).collect();
        alone.map(|(number, _)| number).filter(|number| !used.contains(number)).collect()
    }

    /// By family that asks what can be while something stays so: functors of what does, in its cells. Nothing where there is none.
    pub(crate) fn lasting(&self, families: &[FamilyPhrases]) -> LastingFunctors {
        let mut found = LastingFunctors::new();
        let holds = |family: usize| SearchFamily::of(&families[family]).is_some_and(SearchFamily::holds);
        for used in self.cycles.values().flatten().flatten().filter(|used| holds(used.cell.family)) {
            let functor = used.cell.detail.split(',').next().unwrap_or_default();
            found.entry(used.cell.family).or_default().insert(functor.to_owned());
        }
        found
    }

    /// Is a family asked three by three?
    pub(crate) fn has_threes_of(&self, family: usize) -> bool {
        let mut used = self.cycles.values().flatten().flatten();
        used.any(|used| used.of_three && used.cell.family == family)
    }

    /// Are questions of a group and kind asked four by four?
    pub fn crosses(&self, group: &str, kind: Kind) -> bool {
        self.cells(group, kind, 0).iter().any(|used| used.pairing == Pairing::Crossed)
    }

    /// Which settled answer two of four questions with three answers have that are due at a turn: 0 for yes and 1 for no.
    pub fn value_due(&self, group: &str, kind: Kind, turn: u64) -> u32 {
        let Some(families) = self.cycles.get(&(group.to_owned(), kind)) else { return 0 };
        let count = families.len() as u64;
        ((turn / count / families[(turn % count) as usize].len() as u64) % 2) as u32
    }

    /// Four questions for a turn of a group, which cross: of verify questions as yes, no, no and yes, of others as settled, open,
    /// open and settled, where yes and no take turns: the one that is due, or with `any` the other one if there is none.
    pub fn four<'o>(
        &self,
        (group, kind, turn, any): (&str, Kind, u64, bool),
        offers: &'o Offers,
        free: &dyn Fn(&OfferCell, &OfferedQuestion) -> bool,
        rng: &mut ChaCha8Rng,
    ) -> Option<(&'o OfferCell, [&'o OfferedQuestion; 4])> {
        let due = self.value_due(group, kind, turn);
        let wanted: &[Option<u32>] = match (kind, any) {
            (Kind::Verify, _) => &[None],
            (_, false) => &[Some(due)],
            (_, true) => &[Some(due), None],
        };
        let cells = self.cells(group, kind, turn);
        wanted.iter().find_map(|wanted| {
            cells.iter().filter(|used| kind == Kind::Verify || used.pairing == Pairing::Crossed).find_map(
                |used| {
                    let (cell, all) = offers.get_key_value(&used.cell)?;
                    Some((cell, four(all, &|offer| free(cell, offer), *wanted, rng)?))
                },
            )
        })
    }

    /// The families of a group that are asked three by three, the one first whose turn it is.
    pub(crate) fn families_of_three(&self, group: &str, turn: u64) -> Vec<usize> {
        let cells = self.cells(group, Kind::Other, turn);
        let mut found: Vec<usize> =
            cells.into_iter().filter(|used| used.of_three).map(|used| used.cell.family).collect();
        found.dedup();
        found
    }

    /// Three questions of a family for a turn of its group, one for each answer, told apart by what is said; with `any`, also such as agree in
    /// less than their profile.
    pub(crate) fn three<'o>(
        &self,
        (family, (group, turn, apart, any)): (usize, (&str, u64, ToldApart, bool)),
        offers: &'o Offers,
        free: &dyn Fn(&OfferCell, &OfferedQuestion) -> bool,
        profile: ProfileOf,
        rng: &mut ChaCha8Rng,
    ) -> Option<(&'o OfferCell, [&'o OfferedQuestion; 3])> {
        // Past the last closeness all questions of a cell are alike.
        let closest = if any { CLOSENESS + 1 } else { CLOSENESS - 1 };
        let own = |used: &&UsedCell| used.of_three && used.cell.family == family;
        self.cells(group, Kind::Other, turn).into_iter().filter(own).find_map(|used| {
            let (cell, all) = offers.get_key_value(&used.cell)?;
            let found = three(all, apart, &|offer| free(cell, offer), (profile, closest), rng)?;
            Some((cell, found))
        })
    }

    /// The family whose count or other question is due at a turn.
    pub(crate) fn open_family(&self, group: &str, kind: Kind, turn: u64) -> Option<usize> {
        let families = self.families(group, kind, &|used| used.pairing != Pairing::Crossed);
        turned(&families, turn, true).first().map(|used| used.cell.family)
    }

    /// A count or other question for a turn; and the one with which it has to be asked, if it lists things to choose from that do not
    /// look alike. Of these the initial situation's answer is right
    /// no more often than wrong, where `lead` says by how much it is ahead.
    pub fn open<'o>(
        &self,
        (group, kind, turn, wanted): (&str, Kind, u64, OpenWanted),
        offers: &'o Offers,
        free: &dyn Fn(&OfferCell, &OfferedQuestion) -> bool,
        lead: &dyn Fn(&OfferCell) -> Lead,
        rng: &mut ChaCha8Rng,
    ) -> Option<(&'o OfferCell, &'o OfferedQuestion, Option<&'o OfferedQuestion>)> {
        let families = self.families(group, kind, &|used| used.pairing != Pairing::Crossed);
        if families.is_empty() {
            return None;
        }
        let (cells, families) = (turned(&families, turn, true), families.len() as u64);
        for tier in Tier::all(wanted) {
            for used in cells.iter().filter(|used| !used.of_three) {
                let Some((cell, all)) = offers.get_key_value(&used.cell) else { continue };
                let has_rivals = all.iter().any(|offer| offer.rivalry.is_some());
                // Of half of the answers of a family the plain answer is right, where there are such.
                let plain = match has_rivals {
                    true => lead(cell).unchanged <= 0,
                    false => (turn / families).is_multiple_of(2),
                };
                let rivals = Rivals::of(all);
                let even = used.even_unchanged && !plain && (tier.even || has_rivals);
                let is_due = |offer: &&OfferedQuestion| rivals.may_ask(offer) && !(even && offer.trivial);
                let offered: BTreeSet<u32> = all.iter().filter(is_due).map(|offer| offer.class).collect();
                let pool: Vec<u32> = match tier.strict {
                    true => used.classes.clone(),
                    // What is not due gives way to other questions, but not to those without an answer, of which there are more.
                    false => offered.iter().copied().filter(|class| !is_nothing(*class, kind)).collect(),
                };
                let fits = |class: &u32| offered.contains(class);
                let odds = if has_rivals { ONE_LISTS_NOTHING } else { ONE_OF_NOTHING };
                let Some(class) = due(&pool, (kind, odds), fits, rng) else { continue };
                let mut of_class: Vec<&OfferedQuestion> =
                    all.iter().filter(is_due).filter(|offer| offer.class == class).collect();
                of_class.shuffle(rng);
                // Which answer is due comes first, or else those that names seldom tell would come more often.
                of_class.sort_by_key(|offer| (offer.plain != plain, offer.by_names && !plain));
                for offer in of_class.into_iter().filter(|offer| free(cell, offer)) {
                    let Some(mates) = rivals.mates(offer) else { return Some((cell, offer, None)) };
                    let mut mates: Vec<&OfferedQuestion> = mates.filter(|mate| free(cell, mate)).collect();
                    mates.shuffle(rng);
                    match mates.into_iter().min_by_key(|mate| used.even_unchanged && mate.trivial) {
                        Some(mate) if rng.random_bool(0.5) => return Some((cell, mate, Some(offer))),
                        Some(mate) => return Some((cell, offer, Some(mate))),
                        None => {}
                    }
                }
            }
        }
        None
    }

    /// Two verify questions for a turn, the one answered yes first. Neither the plain answer nor that of the initial situation gets
    /// further ahead, where `lead` says by how much either is.
    pub fn two<'o>(
        &self,
        (group, turn, wanted): (&str, u64, PairWanted),
        offers: &'o Offers,
        free: &dyn Fn(&OfferCell, &OfferedQuestion) -> bool,
        (profile, lead): (ProfileOf, &dyn Fn(&OfferCell) -> Lead),
        (candidates, rng): (&mut PairCandidates, &mut ChaCha8Rng),
    ) -> Option<(&'o OfferCell, &'o OfferedQuestion, &'o OfferedQuestion)> {
        let families = self.families(group, Kind::Verify, &|_| true);
        // How far may an answer get ahead; is any pair of a cell good enough, or one that agrees in the pattern of its names alone; and
        // may cells that are settled take the place of others?
        const TIERS: &[(Slack, [bool; 3])] = &[
            (Slack::None, [true, false, false]),
            (Slack::Some, [true, false, false]),
            (Slack::None, [true, true, false]),
            (Slack::None, [true, true, true]),
            (Slack::Any, [true, true, false]),
            (Slack::Any, [true, true, true]),
        ];
        let tiers = match wanted {
            PairWanted::Due => &[(Slack::None, [false, false, false])],
            PairWanted::Even => &TIERS[..1],
            PairWanted::Level => &TIERS[..4],
            PairWanted::Any => TIERS,
        };
        let cells = |(slack, [any, alike, settled]): &(Slack, [bool; 3])| {
            let mut cells = turned(&families, turn, *settled);
            if *slack == Slack::Any {
                // Where many are asked, a pair that is not even weighs least.
                cells.sort_by_cached_key(|used| Reverse(lead(&used.cell).asked));
            }
            let (slack, any, alike) = (*slack, *any, *alike);
            cells.into_iter().map(move |used| (slack, any, alike, used))
        };
        candidates.turn();
        for (slack, any, alike, used) in tiers.iter().flat_map(cells) {
            // Of questions that are made of others the parts are evened out.
            let slack = if group == COMPOSITE { Slack::Any } else { slack };
            let Some((cell, all)) = offers.get_key_value(&used.cell) else { continue };
            let lead = lead(cell);
            let turned = rng.random_bool(0.5);
            let same = if turned { Sort::Both } else { Sort::Neither };
            let close = 0..CLOSENESS - 1;
            let (sorts, closeness) = match used.pairing {
                Pairing::One | Pairing::Crossed => (vec![Sort::One], close),
                Pairing::Even => (vec![Sort::One, same], close),
                Pairing::Neither => (vec![Sort::Neither], close),
                Pairing::Settled if turned => (vec![Sort::Both], close),
                Pairing::Settled => (vec![Sort::One], CLOSENESS - 1..CLOSENESS),
            };
            // In a small world there may be no other pair than one that agrees in the pattern of its names alone.
            let (mut sorts, closeness) = match any {
                true => (SORTS.to_vec(), 0..if alike { CLOSENESS } else { CLOSENESS - 1 }),
                false => (sorts, closeness),
            };
            sorts.shuffle(rng);
            for (most, farthest) in looks(all.len()) {
                let sides = candidates.of((cell, all, most), free, profile, rng);
                let keeps = |both: Lead| used.keeps_even(lead, both, (any, slack));
                let close = closeness.start..closeness.end.min(farthest);
                if let Some([yes, no]) = paired(sides, &sorts, close, &keeps, rng) {
                    return Some((cell, &all[yes], &all[no]));
                }
            }
        }
        None
    }
}

/// Which count or other question will do for a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenWanted {
    /// One that is due.
    Due,
    /// Of any family and answer.
    Any,
}

/// How far a count or other question may be from what is due.
#[derive(Clone, Copy, Debug)]
struct Tier {
    /// Has the answer to be due?
    strict: bool,
    /// Has it to be another than the initial situation's where that is due?
    even: bool,
}

impl Tier {
    /// From what is due to what may be asked as well, where it is not strictly `wanted`.
    fn all(wanted: OpenWanted) -> &'static [Tier] {
        const ALL: [Tier; 4] = [
            Tier { strict: true, even: true },
            Tier { strict: false, even: true },
            Tier { strict: true, even: false },
            Tier { strict: false, even: false },
        ];
        if wanted == OpenWanted::Due { &ALL[..2] } else { &ALL }
    }
}

/// Two candidates of a sort that are as close as there are, if they keep answers even: their places, that of the one answered yes
/// first.
fn paired(
    [no, yes]: &Sides,
    sorts: &[Sort],
    closeness: Range<usize>,
    keeps_even: &dyn Fn(Lead) -> bool,
    rng: &mut ChaCha8Rng,
) -> Option<[usize; 2]> {
    for closeness in closeness {
        for sort in sorts {
            let mut found: Vec<[usize; 2]> = Vec::new();
            for ((first, yes), (second, no)) in
                yes.iter().flat_map(|one| no.iter().map(move |other| (one, other)))
            {
                let both = first.and(*second);
                if Sort::of(both) != *sort || !keeps_even(both) {
                    continue;
                }
                let of = (closeness, first.plain > 0, second.plain > 0);
                let places = |(y, n): (usize, usize)| [yes[y].asked.2, no[n].asked.2];
                found.extend(pairs(yes, no, of).into_iter().map(places));
            }
            if let Some(pair) = found.choose(rng) {
                return Some(*pair);
            }
        }
    }
    None
}

/// Are the answers of a class empty lists?
fn is_nothing(class: u32, kind: Kind) -> bool {
    kind == Kind::Other && class == 0
}

/// The cells of some families for a turn, the due one first: those of its family follow it, then those of others. Of cells that the
/// last action settles only those whose turn it is in their family, unless `any` cell may take the place of another.
fn turned<'u>(families: &[&'u Vec<UsedCell>], turn: u64, any: bool) -> Vec<&'u UsedCell> {
    let count = families.len() as u64;
    let turned = |number: u64| {
        let cells = families[((turn + number) % count) as usize];
        let start = (turn / count) as usize % cells.len();
        let own = cells[start..].iter().chain(&cells[..start]).enumerate();
        let (settled, others): (Vec<_>, Vec<_>) =
            own.partition(|(place, used)| used.pairing == Pairing::Settled && (used.is_rare || *place > 0));
        let last = settled.into_iter().filter(move |_| any);
        others.into_iter().chain(last).map(|(_, used)| used)
    };
    (0..count).flat_map(turned).collect()
}

/// The class of answers that is due, if it `fits`. An empty list is due once in so many times as `odds` says, and only where one of these would
/// be there, or else it would come more often where they are rare.
fn due(
    classes: &[u32],
    (kind, odds): (Kind, u32),
    fits: impl Fn(&u32) -> bool,
    rng: &mut ChaCha8Rng,
) -> Option<u32> {
    let (nothing, others): (Vec<u32>, Vec<u32>) =
        classes.iter().copied().partition(|class| is_nothing(*class, kind));
    let [nothing, other] = [nothing, others].map(|some| some.choose(rng).copied());
    let Some(other) = other else { return nothing.filter(fits) };
    let other = Some(other).filter(&fits)?;
    let nothing = nothing.filter(|nothing| fits(nothing) && rng.random_ratio(1, odds));
    Some(nothing.unwrap_or(other))
}
