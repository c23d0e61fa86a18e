//! What stories of a level offer to families beyond prediction to a schedule of them, and a place of the schedule to the
//! question that is asked there.
//!
//! Families take turns, within each its cells, and the answers of a cell are dealt evenly. Verify questions come in pairs
//! of equal profile, one for each label; of half of them whoever overlooks the point of the question is right.

use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::choosing::profile::{CLOSENESS, Profile};
use crate::factory::choosing::schedule::FEW_ANSWERS;
use crate::factory::choosing::selection::{Profiled, pairs};
use crate::factory::further::crossing::{four, is_of_four};
use crate::factory::further::matter::is_of_three_answers;
use crate::factory::further::offers::{Given, OfferCell, OfferedQuestion, Offers};
use crate::factory::further::threes::{ToldApart, is_of_three, three};
use crate::phrases::book::FamilyPhrases;
use crate::simulate::story::Timepoint;
use crate::simulate::transitions::compiled_layout::Kind;

/// A cell is used if at least this share of layouts offers what is to be asked in it.
const LEAST_SHARE: f64 = 0.1;
/// The same of questions that come in threes, for which twins of stories are sought in each group, which takes long where they are rare.
const LEAST_THREES: f64 = 0.25;
/// An answer is dealt if at least this share of the layouts with the cell offers it.
const LEAST_ANSWER: f64 = 0.2;
/// A cell is left out if one answer takes more than this share.
const MOST_SAME: f64 = 0.97;
/// So is one of which names alone tell more than this share of the answers.
const MOST_READ_OFF: f64 = 0.95;
/// How many questions of one cell and label are looked at to find two of equal profile.
const LOOKED_AT: usize = 96;
/// Cells with many numbers for answers have so many turns together for each cell with few.
const RICH_TURNS: usize = 5;
/// Verify cells that are not settled have so many turns together for each one that is.
const UNSETTLED_TURNS: usize = 4;
/// Of so many questions with more than one answer to choose from, one has an empty list.
const ONE_OF_NOTHING: u32 = 8;

/// Why a cell is left out that others do without.
const NOT_CROSSED: &str = "no two initial situations and lists of actions cross in their answers";

/// What is known of a cell.
#[derive(Default)]
struct SeenCell {
    layouts: usize,
    /// Layouts with a pair of each sort of [`Sort`].
    pairs: [usize; 3],
    /// Questions whose answers names alone tell.
    read_off: usize,
    /// Are the answers sets?
    lists: bool,
    /// Is the plain answer ever right?
    plain: bool,
    /// Layouts with a pair that agrees in the pattern of its names alone, and of which the plain answer is right for one.
    settled: usize,
    /// Layouts with three questions of equal profile, one for each of three answers, where there are three.
    threes: Option<usize>,
    /// Layouts with four questions that cross.
    fours: usize,
    /// Are its questions, of three answers, asked four by four?
    of_four: bool,
    /// By class of answer, how many layouts and how many questions offer it.
    classes: BTreeMap<u32, (usize, usize)>,
}

impl SeenCell {
    /// Adds what is known of it by other layouts.
    fn add(&mut self, other: SeenCell) {
        let SeenCell { layouts, pairs, read_off, lists, plain, settled, threes, fours, of_four, classes } =
            other;
        self.layouts += layouts;
        self.pairs.iter_mut().zip(pairs).for_each(|(all, pairs)| *all += pairs);
        self.read_off += read_off;
        self.lists |= lists;
        self.plain |= plain;
        self.settled += settled;
        self.threes = self.threes.into_iter().chain(threes).reduce(|all, threes| all + threes);
        self.fours += fours;
        self.of_four |= of_four;
        for (class, (layouts, questions)) in classes {
            let known = self.classes.entry(class).or_default();
            *known = (known.0 + layouts, known.1 + questions);
        }
    }
}

/// Gathers what layouts offer.
#[derive(Default)]
pub struct FamilyProbe {
    layouts: usize,
    seen: BTreeMap<OfferCell, SeenCell>,
    /// By family, how many layouts offer what it asks.
    askable: BTreeMap<usize, usize>,
}

/// A cell that is used, and the classes of answers that are dealt.
#[derive(Clone, Debug)]
struct UsedCell {
    cell: OfferCell,
    classes: Vec<u32>,
    pairing: Pairing,
    /// Are questions of it asked three by three?
    of_three: bool,
}

/// How verify questions of a cell are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pairing {
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

/// The families of each group and kind, with their cells.
#[derive(Clone, Debug, Default)]
pub struct FamilySchedule {
    cycles: BTreeMap<(String, Kind), Vec<Vec<UsedCell>>>,
    /// What is left out: kind, family and why.
    pub left_out: BTreeSet<(&'static str, String, &'static str)>,
    /// By family, the share of the layouts looked at that offer what it asks: of verify questions two with different answers, of
    /// those with three answers one of each, and else any.
    pub offered: BTreeMap<String, f64>,
}

/// Which of two paired questions the plain answer is right for: one of them, both, or neither.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    One,
    Both,
    Neither,
}

/// Works out the profile of an offer.
pub type ProfileOf<'p> = &'p dyn Fn(&OfferedQuestion) -> Profile;

/// Questions of a cell that were not asked, of each label, as candidates for pairs.
fn profiled(
    (cell, offers): (&OfferCell, &[OfferedQuestion]),
    free: &dyn Fn(&OfferCell, &OfferedQuestion) -> bool,
    profile: ProfileOf,
    rng: &mut ChaCha8Rng,
) -> [Vec<Profiled>; 2] {
    let mut all = [Vec::new(), Vec::new()];
    for (place, offer) in offers.iter().enumerate() {
        all[usize::from(offer.yes)].push(place);
    }
    all.map(|mut places| {
        let (some, _) = places.partial_shuffle(rng, LOOKED_AT);
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
fn of_sort(yes: &[Profiled], no: &[Profiled], sort: Sort, closeness: usize) -> Vec<(usize, usize)> {
    let all: &[(bool, bool)] = match sort {
        Sort::One => &[(true, false), (false, true)],
        Sort::Both => &[(true, true)],
        Sort::Neither => &[(false, false)],
    };
    all.iter().flat_map(|(first, second)| pairs(yes, no, (closeness, *first, *second))).collect()
}

/// Are there three questions of equal profile, one for each answer?
fn has_three(offers: &[OfferedQuestion], profile: ProfileOf, rng: &mut ChaCha8Rng) -> bool {
    three(offers, ToldApart::Beginnings, &|_| true, (profile, CLOSENESS - 1), rng).is_some()
}

impl FamilyProbe {
    /// What the stories of one layout offer.
    pub fn of(offers: &Offers, profile: ProfileOf, rng: &mut ChaCha8Rng) -> FamilyProbe {
        let mut probe = FamilyProbe { layouts: 1, ..FamilyProbe::default() };
        let mut askable: BTreeSet<usize> = BTreeSet::new();
        for (cell, offers) in offers {
            let seen = probe.seen.entry(cell.clone()).or_default();
            seen.layouts += 1;
            if cell.kind == Kind::Verify {
                let [no, yes] = profiled((cell, offers), &|_, _| true, profile, rng);
                for (place, sort) in [Sort::One, Sort::Both, Sort::Neither].into_iter().enumerate() {
                    let found =
                        (0..CLOSENESS - 1).any(|closeness| !of_sort(&yes, &no, sort, closeness).is_empty());
                    seen.pairs[place] += usize::from(found);
                }
                seen.fours += usize::from(four(offers, &|_| true, None, rng).is_some());
                seen.plain |= offers.iter().any(|offer| offer.plain);
                seen.settled += usize::from(!of_sort(&yes, &no, Sort::One, CLOSENESS - 1).is_empty());
                askable.extend((!yes.is_empty() && !no.is_empty()).then_some(cell.family));
                continue;
            }
            if offers.first().is_some_and(is_of_four) {
                let found = four(offers, &|_| true, None, rng).is_some();
                seen.of_four = true;
                seen.fours += usize::from(found);
                askable.extend(found.then_some(cell.family));
                continue;
            }
            if offers.first().is_some_and(is_of_three) {
                let found = has_three(offers, profile, rng);
                *seen.threes.get_or_insert(0) += usize::from(found);
                askable.extend(found.then_some(cell.family));
                continue;
            }
            askable.insert(cell.family);
            seen.lists |= offers
                .iter()
                .any(|o| matches!(o.answer, Given::Fluents(_) | Given::Actions(_) | Given::Plan(_)));
            seen.read_off += offers.iter().filter(|offer| offer.is_read_off()).count();
            let mut here: BTreeMap<u32, usize> = BTreeMap::new();
            offers.iter().for_each(|offer| *here.entry(offer.class).or_default() += 1);
            for (class, count) in here {
                let (layouts, questions) = seen.classes.entry(class).or_default();
                *layouts += 1;
                *questions += count;
            }
        }
        probe.askable = askable.into_iter().map(|family| (family, 1)).collect();
        probe
    }

    /// Adds what those of others offer.
    pub fn add(&mut self, other: FamilyProbe) {
        self.layouts += other.layouts;
        for (cell, seen) in other.seen {
            self.seen.entry(cell).or_default().add(seen);
        }
        for (family, layouts) in other.askable {
            *self.askable.entry(family).or_default() += layouts;
        }
    }

    /// Do the stories of one layout lack three questions of equal profile, one for each answer, of one of some families?
    pub(crate) fn lacks_threes(
        offers: &Offers,
        families: &[usize],
        profile: ProfileOf,
        rng: &mut ChaCha8Rng,
    ) -> bool {
        families.iter().any(|family| {
            let mut own = offers.iter().filter(|(cell, _)| cell.family == *family);
            !own.any(|(_, offers)| has_three(offers, profile, rng))
        })
    }

    /// Do the stories of one layout lack four questions that cross, of one of some families with three answers?
    pub(crate) fn lacks_fours(offers: &Offers, families: &[usize], rng: &mut ChaCha8Rng) -> bool {
        families.iter().any(|family| {
            let mut own = offers.iter().filter(|(cell, _)| cell.family == *family);
            !own.any(|(_, offers)| four(offers, &|_| true, None, rng).is_some())
        })
    }

    /// Is any of some families known to have questions of a kind, or was one of them never offered, so that nobody knows?
    pub fn may_ask(&self, families: &[usize], kind: Kind) -> bool {
        families.iter().any(|family| {
            let mut own = self.seen.keys().filter(|cell| cell.family == *family).peekable();
            own.peek().is_none() || own.any(|cell| cell.kind == kind)
        })
    }

    /// Deals the schedule.
    pub fn deal(&self, families: &[FamilyPhrases], wanted: &[usize]) -> FamilySchedule {
        let mut schedule = FamilySchedule::default();
        for family in wanted {
            let layouts = self.askable.get(family).copied().unwrap_or(0);
            let share = layouts as f64 / self.layouts.max(1) as f64;
            schedule.offered.insert(families[*family].pattern.functor.clone(), share);
        }
        let mut by_family: BTreeMap<(usize, Kind), Vec<UsedCell>> = BTreeMap::new();
        for (cell, seen) in &self.seen {
            let name = &families[cell.family].pattern.functor;
            match self.used(cell, seen) {
                Ok(used) => by_family.entry((cell.family, cell.kind)).or_default().push(used),
                Err(reason) => {
                    let family = format!("{name} {}", cell.detail).trim_end().to_owned();
                    schedule.left_out.insert((cell.kind.name(), family, reason));
                }
            }
        }
        // Where questions cross, no others are asked, which may give something away.
        let crosses = |cells: &[UsedCell]| cells.iter().any(|used| used.pairing == Pairing::Crossed);
        if by_family.iter().any(|((_, kind), cells)| *kind == Kind::Verify && crosses(cells)) {
            for ((family, kind), cells) in &mut by_family {
                for used in cells.extract_if(.., |used| used.pairing != Pairing::Crossed) {
                    let family = format!("{} {}", families[*family].pattern.functor, used.cell.detail);
                    schedule.left_out.insert((kind.name(), family, NOT_CROSSED));
                }
            }
            by_family.retain(|_, cells| !cells.is_empty());
        }
        for family in wanted {
            if !self.seen.keys().any(|cell| cell.family == *family) {
                let name = families[*family].pattern.functor.clone();
                schedule.left_out.insert(("", name, "no story of this level and depth offers it"));
            }
        }
        for ((family, kind), mut cells) in by_family {
            // A cell with two or three numbers is asked less often than others, so that none of them comes too often.
            if kind == Kind::Count {
                let rich: Vec<UsedCell> =
                    cells.iter().filter(|used| used.classes.len() >= FEW_ANSWERS).cloned().collect();
                let few = cells.len() - rich.len();
                let turns = (RICH_TURNS * few).div_ceil(rich.len().max(1));
                (1..turns).for_each(|_| cells.extend(rich.iter().cloned()));
            }
            // So do those of which the actions alone tell much; a family that has no others is left out.
            if kind == Kind::Verify {
                let unsettled: Vec<UsedCell> =
                    cells.iter().filter(|used| used.pairing != Pairing::Settled).cloned().collect();
                if unsettled.is_empty() {
                    let name = families[family].pattern.functor.clone();
                    let reason = "whatever touches its questions settles their answers";
                    schedule.left_out.insert((kind.name(), name, reason));
                    continue;
                }
                let settled = cells.len() - unsettled.len();
                let turns = (UNSETTLED_TURNS * settled).div_ceil(unsettled.len());
                (1..turns).for_each(|_| cells.extend(unsettled.iter().cloned()));
            }
            schedule.cycles.entry((families[family].group.clone(), kind)).or_default().push(cells);
        }
        schedule
    }

    fn used(&self, cell: &OfferCell, seen: &SeenCell) -> Result<UsedCell, &'static str> {
        let often = |layouts: usize| layouts as f64 >= LEAST_SHARE * self.layouts as f64;
        if !often(seen.layouts) {
            return Err("it can rarely be asked");
        }
        if cell.kind == Kind::Verify {
            let [one, both, neither] = seen.pairs.map(often);
            let pairing = match (one, both, neither) {
                _ if often(seen.fours) => Pairing::Crossed,
                (_, true, true) => Pairing::Even,
                (true, ..) => Pairing::One,
                (false, false, true) if !seen.plain => Pairing::Neither,
                (false, true, false) if often(seen.settled) => Pairing::Settled,
                _ => return Err("no two questions of equal profile have different answers"),
            };
            return Ok(UsedCell { cell: cell.clone(), classes: Vec::new(), pairing, of_three: false });
        }
        if seen.of_four {
            return match often(seen.fours) {
                true => Ok(UsedCell {
                    cell: cell.clone(),
                    classes: vec![0, 1, 2],
                    pairing: Pairing::Crossed,
                    of_three: false,
                }),
                false => Err(NOT_CROSSED),
            };
        }
        if let Some(threes) = seen.threes {
            return match threes as f64 >= LEAST_THREES * self.layouts as f64 {
                true => Ok(UsedCell {
                    cell: cell.clone(),
                    classes: vec![0, 1, 2],
                    pairing: Pairing::One,
                    of_three: true,
                }),
                false => Err("too few layouts have three questions of equal profile with different answers"),
            };
        }
        let total: usize = seen.classes.values().map(|(_, questions)| questions).sum();
        if seen.read_off as f64 > MOST_READ_OFF * total as f64 {
            return Err("names alone tell its answer");
        }
        let most = seen.classes.values().map(|(_, questions)| *questions).max().unwrap_or(0);
        let empty = seen.classes.get(&0).map_or(0, |(_, questions)| *questions);
        let most = if seen.lists { empty } else { most };
        if (seen.classes.len() < 2 && !seen.lists) || most as f64 > MOST_SAME * total as f64 {
            return Err("its answer hardly varies");
        }
        let dealt = |layouts: usize| layouts as f64 >= LEAST_ANSWER * seen.layouts as f64;
        let classes: Vec<u32> = seen
            .classes
            .iter()
            .filter(|(_, (layouts, _))| dealt(*layouts))
            .map(|(class, _)| *class)
            .collect();
        match classes.len() {
            0 => Err("its answer varies too much"),
            1 if !seen.lists => Err("its answer hardly varies"),
            _ => Ok(UsedCell { cell: cell.clone(), classes, pairing: Pairing::One, of_three: false }),
        }
    }
}

impl FamilySchedule {
    /// Does a group have questions of a kind?
    pub fn has(&self, group: &str, kind: Kind) -> bool {
        self.cycles.contains_key(&(group.to_owned(), kind))
    }

    /// The cells for a turn of a group and kind, the due one first: those of its family follow it, then those of others.
    fn cells(&self, group: &str, kind: Kind, turn: u64) -> Vec<&UsedCell> {
        turned(&self.families(group, kind, &|_| true), turn)
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

    /// Are other questions of a family asked four by four?
    pub(crate) fn has_fours_of(&self, family: usize) -> bool {
        let of = |used: &UsedCell| used.cell.family == family && used.cell.kind == Kind::Other;
        self.cycles.values().flatten().flatten().any(|used| of(used) && used.pairing == Pairing::Crossed)
    }

    /// Families with three answers of which nothing is asked, by their numbers. Others may be parts of questions of the group all.
    pub(crate) fn idle(&self, families: &[FamilyPhrases]) -> BTreeSet<usize> {
        let of_three = families.iter().enumerate().filter(|(_, family)| is_of_three_answers(family));
        let used: BTreeSet<usize> =
            self.cycles.values().flatten().flatten().map(|used| used.cell.family).collect();
        of_three.map(|(number, _)| number).filter(|number| !used.contains(number)).collect()
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

    /// Three questions for a turn of a group, one for each answer, told apart by what is said; with `any`, also such as agree in
    /// less than their profile.
    pub(crate) fn three<'o>(
        &self,
        (group, turn, apart, any): (&str, u64, ToldApart, bool),
        offers: &'o Offers,
        free: &dyn Fn(&OfferCell, &OfferedQuestion) -> bool,
        profile: ProfileOf,
        rng: &mut ChaCha8Rng,
    ) -> Option<(&'o OfferCell, [&'o OfferedQuestion; 3])> {
        // Past the last closeness all questions of a cell are alike.
        let closest = if any { CLOSENESS + 1 } else { CLOSENESS - 1 };
        self.cells(group, Kind::Other, turn).into_iter().filter(|used| used.of_three).find_map(|used| {
            let (cell, all) = offers.get_key_value(&used.cell)?;
            let found = three(all, apart, &|offer| free(cell, offer), (profile, closest), rng)?;
            Some((cell, found))
        })
    }

    /// A count or other question for a turn; with `any`, also one whose answer is none although another is due.
    pub fn open<'o>(
        &self,
        (group, kind, turn, any): (&str, Kind, u64, bool),
        offers: &'o Offers,
        free: &dyn Fn(&OfferCell, &OfferedQuestion) -> bool,
        rng: &mut ChaCha8Rng,
    ) -> Option<(&'o OfferCell, &'o OfferedQuestion)> {
        let families = self.families(group, kind, &|used| used.pairing != Pairing::Crossed);
        let (cells, families) = (turned(&families, turn), families.len().max(1) as u64);
        for strict in [true, false] {
            for used in cells.iter().filter(|used| !used.of_three) {
                let Some((cell, all)) = offers.get_key_value(&used.cell) else { continue };
                let offered: BTreeSet<u32> = all.iter().map(|offer| offer.class).collect();
                let pool: Vec<u32> = match strict {
                    true => used.classes.clone(),
                    // What is not due gives way to other questions, but not to those without an answer, of which there are more.
                    false => {
                        offered.iter().copied().filter(|class| any || !is_nothing(*class, kind)).collect()
                    }
                };
                let Some(class) = due(&pool, kind, rng).filter(|class| offered.contains(class)) else {
                    continue;
                };
                let mut of_class: Vec<&OfferedQuestion> =
                    all.iter().filter(|offer| offer.class == class).collect();
                of_class.shuffle(rng);
                // Of half of the answers of a family the plain answer is right, where there are such.
                let plain = (turn / families).is_multiple_of(2);
                of_class.sort_by_key(|offer| offer.plain != plain);
                if let Some(offer) = of_class.into_iter().find(|offer| free(cell, offer)) {
                    return Some((cell, offer));
                }
            }
        }
        None
    }

    /// Two verify questions for a turn, the one answered yes first; with `any`, such as are not due, too.
    pub fn two<'o>(
        &self,
        (group, turn, any): (&str, u64, bool),
        offers: &'o Offers,
        free: &dyn Fn(&OfferCell, &OfferedQuestion) -> bool,
        profile: ProfileOf,
        rng: &mut ChaCha8Rng,
    ) -> Option<(&'o OfferCell, &'o OfferedQuestion, &'o OfferedQuestion)> {
        for used in self.cells(group, Kind::Verify, turn) {
            let Some((cell, all)) = offers.get_key_value(&used.cell) else { continue };
            let [no, yes] = profiled((cell, all), free, profile, rng);
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
                true => (vec![Sort::One, Sort::Both, Sort::Neither], 0..CLOSENESS),
                false => (sorts, closeness),
            };
            sorts.shuffle(rng);
            for closeness in closeness {
                for sort in &sorts {
                    if let Some((y, n)) = of_sort(&yes, &no, *sort, closeness).choose(rng) {
                        return Some((cell, &all[yes[*y].asked.2], &all[no[*n].asked.2]));
                    }
                }
            }
        }
        None
    }
}

/// Are the answers of a class empty lists?
fn is_nothing(class: u32, kind: Kind) -> bool {
    kind == Kind::Other && class == 0
}

/// The cells of some families for a turn, the due one first: those of its family follow it, then those of others.
fn turned<'u>(families: &[&'u Vec<UsedCell>], turn: u64) -> Vec<&'u UsedCell> {
    let count = families.len() as u64;
    let turned = |number: u64| {
        let cells = families[((turn + number) % count) as usize];
        let start = (turn / count) as usize % cells.len();
        cells[start..].iter().chain(&cells[..start])
    };
    (0..count).flat_map(turned).collect()
}

/// The class of answers that is due. An empty list is due less often than others.
fn due(classes: &[u32], kind: Kind, rng: &mut ChaCha8Rng) -> Option<u32> {
    let (nothing, others): (Vec<u32>, Vec<u32>) =
        classes.iter().copied().partition(|class| is_nothing(*class, kind));
    if let (Some(nothing), false) = (nothing.first(), others.is_empty()) {
        return if rng.random_ratio(1, ONE_OF_NOTHING) {
            Some(*nothing)
        } else {
            others.choose(rng).copied()
        };
    }
    classes.choose(rng).copied()
}
