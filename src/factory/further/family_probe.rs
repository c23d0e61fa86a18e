//! What stories of a level offer to families beyond prediction to a schedule of them.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::ChaCha8Rng;

use crate::factory::choosing::profile::CLOSENESS;
use crate::factory::choosing::schedule::FEW_ANSWERS;
use crate::factory::further::answer_patterns::{AnswerPattern, PatternCounts};
use crate::factory::further::compared_values::Comparisons;
use crate::factory::further::crossing::{four, is_of_four};
use crate::factory::further::dealing::{FamilySchedule, UsedCell};
use crate::factory::further::offers::{Given, OfferCell, OfferedQuestion, Offers};
use crate::factory::further::pairing::{
    MOST_LOOKED_AT, Pairing, ProfileOf, Sort, of_sort, profiled, sorts_of,
};
use crate::factory::further::planning::by_turns;
use crate::factory::further::rivals::Rivals;
use crate::factory::further::search_families::{SearchFamily, rests_on_proofs};
use crate::factory::further::threes::{ToldApart, is_of_three, three};
use crate::phrases::book::FamilyPhrases;
use crate::simulate::transitions::compiled_layout::Kind;

/// A cell is used if at least this share of layouts offers what is to be asked in it.
const LEAST_SHARE: f64 = 0.1;
/// The same of questions that come in threes, for which twins of stories are sought in each group, which takes long where they are rare.
const LEAST_THREES: f64 = 0.25;
/// The same of questions of which few are even: those that mostly have the answer that the initial situation gives, and those that are
/// settled, which stand beside even ones of their family.
const LEAST_EVEN: f64 = 0.25;
/// An answer is dealt if at least this share of the layouts with the cell offers it.
const LEAST_ANSWER: f64 = 0.2;
/// A cell is left out if one answer takes more than this share.
const MOST_SAME: f64 = 0.97;
/// So is one of which names alone tell more than this share of the answers.
const MOST_READ_OFF: f64 = 0.95;
/// How many questions of a layout and cell are looked at for that.
const MOST_PATTERNS: usize = 64;
/// And one whose looks may tell its answers, if a layout has fewer questions on average whose looks do not: a group of items would look at
/// very many stories for its questions.
const LEAST_LOOKS: f64 = 1.0;
/// And all about what can be while something stays so, if a layout has fewer of these together and there are questions of another type.
const LEAST_LISTS: f64 = 4.0;
/// Cells with many numbers for answers have so many turns together for each cell with few.
const RICH_TURNS: usize = 5;
/// Cells whose answers names do not tell have so many turns together for each one of which they tell all but few.
const UNTOLD_TURNS: usize = 3;
/// Verify cells that are not settled have so many turns together for each one that is.
const UNSETTLED_TURNS: usize = 4;

/// Why a cell is left out that others do without.
const NOT_CROSSED: &str = "no two initial situations and lists of actions cross in their answers";

/// Why families about what can be while something stays so are left out.
const FEW_LISTS: &str =
    "it would take very many stories to find questions whose looks do not tell their answers";

/// Why a cell is left out that takes the place of others.
const SETTLED: &str = "whatever touches its questions settles their answers";

/// What is known of a cell.
#[derive(Default)]
struct SeenCell {
    layouts: usize,
    /// Layouts with a pair of each sort of [`Sort`], by the plain answer.
    pairs: [usize; 3],
    /// Questions whose answers names alone tell.
    read_off: usize,
    /// Questions that are answered rightly by whoever takes actions to change what they name.
    by_names: usize,
    /// Are the answers sets?
    lists: bool,
    /// What its answers look like beside its questions.
    patterns: PatternCounts,
    /// Do its questions list what to choose from, or may looks tell their answers otherwise?
    has_rivals: bool,
    /// How many of these there are whose looks do not tell their answers, since they have mates or need none.
    even_looks: usize,
    /// Is the plain answer ever right?
    plain: bool,
    /// Is it ever another than the initial situation's?
    differs: bool,
    /// Layouts with a pair that agrees in the pattern of its names alone, and of which the plain answer is right for one.
    settled: usize,
    /// Layouts with three questions of equal profile, one for each of three answers, where there are three.
    threes: Option<usize>,
    /// Layouts with four questions that cross.
    fours: usize,
    /// Are its questions, of three answers, asked four by four?
    of_four: bool,
    /// Of questions that have another answer than the initial situation gives: how many layouts offer some, and how many there are.
    changed: (usize, usize),
    /// By class of answer, how many layouts and how many questions offer it.
    classes: BTreeMap<u32, (usize, usize)>,
}

impl SeenCell {
    /// Do names alone tell all but few of its answers?
    fn is_told_by_names(&self) -> bool {
        let total: usize = self.classes.values().map(|(_, questions)| questions).sum();
        self.by_names as f64 > MOST_READ_OFF * total as f64
    }

    /// Adds what is known of it by other layouts.
    fn add(&mut self, other: SeenCell) {
        let SeenCell {
            layouts,
            pairs,
            read_off,
            by_names,
            lists,
            patterns,
            has_rivals,
            even_looks,
            plain,
            differs,
            settled,
            threes,
            fours,
            of_four,
            changed,
            classes,
        } = other;
        self.layouts += layouts;
        self.pairs.iter_mut().zip(pairs).for_each(|(all, pairs)| *all += pairs);
        self.read_off += read_off;
        self.by_names += by_names;
        self.lists |= lists;
        self.patterns.add(patterns);
        self.has_rivals |= has_rivals;
        self.even_looks += even_looks;
        self.plain |= plain;
        self.differs |= differs;
        self.settled += settled;
        self.threes = self.threes.into_iter().chain(threes).reduce(|all, threes| all + threes);
        self.fours += fours;
        self.of_four |= of_four;
        self.changed = (self.changed.0 + changed.0, self.changed.1 + changed.1);
        for (class, (layouts, questions)) in classes {
            let known = self.classes.entry(class).or_default();
            *known = (known.0 + layouts, known.1 + questions);
        }
    }
}

/// What a question's answer looks like beside it.
pub(crate) type PatternOf<'p> = &'p dyn Fn(&OfferCell, &OfferedQuestion) -> Option<AnswerPattern>;

/// Gathers what layouts offer.
#[derive(Default)]
pub struct FamilyProbe {
    layouts: usize,
    seen: BTreeMap<OfferCell, SeenCell>,
    /// By family, how many layouts offer what it asks.
    askable: BTreeMap<usize, usize>,
    /// How the sets of values that rules tell compare with the least ones.
    pub(in crate::factory) compared: Comparisons,
}

/// Are there three questions of equal profile, one for each answer?
fn has_three(offers: &[OfferedQuestion], profile: ProfileOf, rng: &mut ChaCha8Rng) -> bool {
    three(offers, ToldApart::Beginnings, &|_| true, (profile, CLOSENESS - 1), rng).is_some()
}

impl FamilyProbe {
    /// What the stories of one layout offer.
    pub(crate) fn of(
        offers: &Offers,
        (profile, pattern): (ProfileOf, PatternOf),
        rng: &mut ChaCha8Rng,
    ) -> FamilyProbe {
        let mut probe = FamilyProbe { layouts: 1, ..FamilyProbe::default() };
        let mut askable: BTreeSet<usize> = BTreeSet::new();
        for (cell, offers) in offers {
            let rivals = Rivals::of(offers);
            // A list to choose from is offered, whether or not these stories have its mate as well.
            askable.extend(offers.iter().any(|offer| offer.rivalry.is_some()).then_some(cell.family));
            if !offers.iter().any(|offer| rivals.may_ask(offer)) {
                continue;
            }
            let seen = probe.seen.entry(cell.clone()).or_default();
            seen.layouts += 1;
            if cell.kind == Kind::Verify {
                let [no, yes] = profiled((cell, offers, MOST_LOOKED_AT), &|_, _| true, profile, rng);
                let sorts = sorts_of(&yes, &no);
                seen.pairs.iter_mut().zip(sorts).for_each(|(all, found)| *all += usize::from(found));
                seen.fours += usize::from(four(offers, &|_| true, None, rng).is_some());
                seen.plain |= offers.iter().any(|offer| offer.plain);
                seen.differs |= offers.iter().any(|offer| offer.plain != offer.trivial);
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
            seen.by_names += offers.iter().filter(|offer| offer.by_names).count();
            offers
                .iter()
                .take(MOST_PATTERNS)
                .filter_map(|offer| pattern(cell, offer))
                .for_each(|one| seen.patterns.see(one));
            seen.has_rivals |= offers.iter().any(|offer| offer.rivalry.is_some());
            seen.even_looks += rivals.count();
            let asked: Vec<&OfferedQuestion> = offers.iter().filter(|offer| rivals.may_ask(offer)).collect();
            let changed = asked.iter().filter(|offer| !offer.trivial).count();
            seen.changed = (usize::from(changed > 0), changed);
            let mut here: BTreeMap<u32, usize> = BTreeMap::new();
            asked.iter().for_each(|offer| *here.entry(offer.class).or_default() += 1);
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
        self.compared.add(other.compared);
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

    /// Are there verify questions about what can be while something stays so, but no two of them that go together?
    pub(crate) fn lacks_pairs_while(&self, families: &[FamilyPhrases]) -> bool {
        let holds = |cell: &OfferCell| {
            cell.kind == Kind::Verify
                && SearchFamily::of(&families[cell.family]).is_some_and(SearchFamily::holds)
        };
        let pairs = self.seen.iter().filter(|(cell, _)| holds(cell)).map(|(cell, seen)| {
            self.used(cell, seen, true).is_ok_and(|used| used.pairing != Pairing::Settled)
        });
        pairs.reduce(|any, has| any || has) == Some(false)
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
        let mut schedule = FamilySchedule { compared: self.compared.clone(), ..FamilySchedule::default() };
        for family in wanted {
            let layouts = self.askable.get(family).copied().unwrap_or(0);
            let share = layouts as f64 / self.layouts.max(1) as f64;
            schedule.offered.insert(families[*family].pattern.functor.clone(), share);
        }
        let mut by_family: BTreeMap<(usize, Kind), Vec<UsedCell>> = BTreeMap::new();
        for (cell, seen) in &self.seen {
            let name = &families[cell.family].pattern.functor;
            match self.used(cell, seen, rests_on_proofs(&families[cell.family])) {
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
        let holds = |family: usize| SearchFamily::of(&families[family]).is_some_and(SearchFamily::holds);
        let lists_by_proofs = |(family, kind): (usize, Kind)| kind == Kind::Other && holds(family);
        let all = by_family.iter().filter(|(key, _)| lists_by_proofs(**key)).flat_map(|(_, cells)| cells);
        let lists: usize = all.map(|used| self.seen[&used.cell].even_looks).sum();
        let has_others = by_family.keys().any(|(family, kind)| *kind != Kind::Other && holds(*family));
        if has_others && (lists as f64) < LEAST_LISTS * self.layouts as f64 {
            by_family.retain(|key, _| {
                let stays = !lists_by_proofs(*key);
                if !stays {
                    let name = families[key.0].pattern.functor.clone();
                    schedule.left_out.insert((key.1.name(), name, FEW_LISTS));
                }
                stays
            });
        }
        let mut only_settled: Vec<(String, String, Vec<UsedCell>)> = Vec::new();
        for ((family, kind), mut cells) in by_family {
            // A cell with two or three numbers is asked less often than others, so that none of them comes too often.
            if kind == Kind::Count {
                let rich: Vec<UsedCell> =
                    cells.iter().filter(|used| used.classes.len() >= FEW_ANSWERS).cloned().collect();
                let few = cells.len() - rich.len();
                let turns = (RICH_TURNS * few).div_ceil(rich.len().max(1));
                (1..turns).for_each(|_| cells.extend(rich.iter().cloned()));
                let untold: Vec<UsedCell> =
                    cells.iter().filter(|used| !self.seen[&used.cell].is_told_by_names()).cloned().collect();
                let turns = (UNTOLD_TURNS * (cells.len() - untold.len())).div_ceil(untold.len().max(1));
                (1..turns).for_each(|_| cells.extend(untold.iter().cloned()));
            }
            // So do those of which the actions alone tell much; where others are rare, they have no turns of their own.
            if kind == Kind::Verify {
                let unsettled: Vec<UsedCell> =
                    cells.iter().filter(|used| used.pairing != Pairing::Settled).cloned().collect();
                let name = &families[family].pattern.functor;
                let group = &families[family].group;
                if unsettled.is_empty() {
                    only_settled.push((group.clone(), name.clone(), cells));
                    continue;
                }
                // Of what rests on proofs more than a half would be told by the initial situation alone.
                if rests_on_proofs(&families[family]) {
                    for used in cells.extract_if(.., |used| used.pairing == Pairing::Settled) {
                        schedule.left_out.insert((
                            kind.name(),
                            format!("{name} {}", used.cell.detail),
                            SETTLED,
                        ));
                    }
                }
                let most = unsettled.iter().map(|used| used.even).max().unwrap_or(0);
                let is_rare = (most as f64) < LEAST_EVEN * self.layouts as f64;
                cells.iter_mut().for_each(|used| used.is_rare = is_rare);
                let settled = cells.iter().filter(|used| used.pairing == Pairing::Settled).count();
                let turns = (UNSETTLED_TURNS * settled).div_ceil(unsettled.len());
                (1..turns).for_each(|_| cells.extend(unsettled.iter().cloned()));
                if SearchFamily::of(&families[family]) == Some(SearchFamily::ValidPlan) {
                    cells = by_turns(cells);
                }
            }
            schedule.cycles.entry((families[family].group.clone(), kind)).or_default().push(cells);
        }
        // Families without other cells are asked where their group would have none, as in small worlds.
        let known: BTreeSet<String> = schedule
            .cycles
            .keys()
            .filter(|(_, kind)| *kind == Kind::Verify)
            .map(|(group, _)| group.clone())
            .collect();
        for (group, name, cells) in only_settled {
            match known.contains(&group) {
                true => {
                    schedule.left_out.insert((Kind::Verify.name(), name, SETTLED));
                }
                false => schedule.cycles.entry((group, Kind::Verify)).or_default().push(cells),
            }
        }
        schedule
    }

    /// How a cell is used, whose answers rest on proofs or not, or why it is not.
    fn used(
        &self,
        cell: &OfferCell,
        seen: &SeenCell,
        rests_on_proofs: bool,
    ) -> Result<UsedCell, &'static str> {
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
            // Where the plain answer is another's, also pairs that agree in their pattern alone can be even.
            let even_unchanged =
                if pairing == Pairing::Settled { seen.differs } else { one || (both && neither) };
            let (cell, classes) = (cell.clone(), Vec::new());
            let even = seen.pairs[0];
            return Ok(UsedCell {
                cell,
                classes,
                pairing,
                is_rare: false,
                even,
                even_unchanged,
                of_three: false,
            });
        }
        let total: usize = seen.classes.values().map(|(_, questions)| questions).sum();
        let open = |classes| UsedCell {
            cell: cell.clone(),
            classes,
            pairing: Pairing::One,
            is_rare: false,
            even: 0,
            even_unchanged: cell.kind == Kind::Other
                && often(seen.changed.0)
                && (seen.has_rivals || 2 * seen.changed.1 < total),
            of_three: false,
        };
        if seen.of_four {
            return match often(seen.fours) {
                true => Ok(UsedCell { pairing: Pairing::Crossed, ..open(vec![0, 1, 2]) }),
                false => Err(NOT_CROSSED),
            };
        }
        if let Some(threes) = seen.threes {
            return match threes as f64 >= LEAST_THREES * self.layouts as f64 {
                true => Ok(UsedCell { of_three: true, ..open(vec![0, 1, 2]) }),
                false => Err("too few layouts have three questions of equal profile with different answers"),
            };
        }
        let told = if seen.has_rivals { 0.0 } else { seen.patterns.told() };
        if seen.read_off as f64 > MOST_READ_OFF * total as f64 || told > MOST_READ_OFF {
            return Err("names alone tell its answer");
        }
        if seen.has_rivals && (seen.even_looks as f64) < LEAST_LOOKS * self.layouts as f64 {
            return Err("looks tell the answers of all but few of its questions");
        }
        let most = seen.classes.values().map(|(_, questions)| *questions).max().unwrap_or(0);
        let empty = seen.classes.get(&0).map_or(0, |(_, questions)| *questions);
        let most = if seen.lists { empty } else { most };
        if (seen.classes.len() < 2 && !seen.lists) || most as f64 > MOST_SAME * total as f64 {
            return Err("its answer hardly varies");
        }
        let mostly_unchanged = 2 * seen.changed.1 < total;
        let is_held = rests_on_proofs || seen.has_rivals;
        if is_held && mostly_unchanged && (seen.changed.0 as f64) < LEAST_EVEN * self.layouts as f64 {
            return Err("the initial situation mostly gives its answer");
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
            // Each of four places for the right one is rare.
            1 if classes == [0] => Ok(open(seen.classes.keys().copied().collect())),
            _ => Ok(open(classes)),
        }
    }
}
