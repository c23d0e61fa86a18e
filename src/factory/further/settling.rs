//! Stories told in part to questions which of four statements, were it known whether it is true initially, would settle another.
//!
//! Whoever overlooks the actions takes what would settle it if nothing happened. Of half of the questions that is right; of the
//! others it is listed and wrong, or there is nothing of the kind. Whoever goes by names alone finds another statement that looks
//! like the right one, or else another question, listing what looks the same, of which what looks like a wrong one is right.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rustc_hash::FxHashMap as HashMap;

use crate::factory::further::choices::{TermShape, shape};
use crate::factory::further::gathering::{Gatherer, SayableTerms};
use crate::factory::further::offers::{Given, OfferCell, OfferedQuestion, Offers, PartAsked};
use crate::factory::further::partly::PartStory;
use crate::phrases::book::FamilyPhrases;
use crate::simulate::situation::Situation;
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// The family that asks what would settle a question, how many statements it lists, and how many of either sort are made of a
/// telling.
const SETTLES: &str = "settles";
const OPTIONS: usize = 4;
const SETTLED: usize = 3;

/// In which of some situations each fluent is true: bits, of which the lowest stands for the first situation.
struct TruthBits {
    all: u64,
    /// By fluent.
    bits: Vec<u64>,
}

impl TruthBits {
    fn of<'s>(situations: impl ExactSizeIterator<Item = &'s Situation>) -> TruthBits {
        let all = u64::MAX >> (u64::BITS as usize - situations.len().clamp(1, u64::BITS as usize));
        let mut bits: Vec<u64> = Vec::new();
        for (place, situation) in situations.enumerate() {
            bits.resize(bits.len().max(situation.words().len() * 64), 0);
            situation.iter().for_each(|fluent| bits[fluent] |= 1 << place);
        }
        TruthBits { all, bits }
    }

    /// Two fluents of which each settles the other have the same key; what is true in all situations, or in none, has no key.
    fn key(&self, fluent: usize) -> Option<u64> {
        let bits = self.bits.get(fluent).copied().filter(|bits| *bits != 0 && *bits != self.all)?;
        Some(bits.min(self.all ^ bits))
    }
}

/// What would settle what, of a telling.
struct Settling {
    /// What is true initially, in the completions.
    initially: TruthBits,
    /// What is true at the end.
    finally: TruthBits,
    /// What is true initially as far as the text on it says.
    first: TruthBits,
    /// What can be said and is open initially, in order of its key.
    options: Vec<(u64, usize)>,
}

impl Settling {
    fn of(part: &PartStory, sayable: &SayableTerms) -> Settling {
        let initially = TruthBits::of(part.ways.iter().map(|(start, _)| &part.starts[*start]));
        let finally = TruthBits::of(part.ways.iter().map(|(_, end)| end));
        let first = TruthBits::of(part.starts.iter());
        let mut options: Vec<(u64, usize)> =
            sayable.fluents.iter().filter_map(|fluent| Some((initially.key(*fluent)?, *fluent))).collect();
        options.sort_unstable();
        Settling { initially, finally, first, options }
    }

    /// The statements that would settle whether a fluent is true at the end: those that would not if nothing happened, and those
    /// that would.
    fn settling(&self, fluent: usize) -> [Vec<usize>; 2] {
        let own = self.finally.key(fluent).map_or(&[][..], |key| self.of_key(key));
        let (same, other) =
            own.iter().map(|(_, option)| *option).partition(|option| self.is_plain(fluent, *option));
        [other, same]
    }

    /// What is open initially and settles itself and all others with this key.
    fn of_key(&self, key: u64) -> &[(u64, usize)] {
        let first = self.options.partition_point(|(other, _)| *other < key);
        let last = self.options.partition_point(|(other, _)| *other <= key);
        &self.options[first..last]
    }

    /// Would a statement settle another if nothing happened?
    fn is_plain(&self, fluent: usize, option: usize) -> bool {
        self.first.key(fluent).is_some_and(|key| self.first.key(option) == Some(key))
    }

    /// Is something settled by what would not settle it if nothing happened?
    fn differs(&self, sayable: &SayableTerms) -> bool {
        sayable.fluents.iter().any(|fluent| {
            let own = self.finally.key(*fluent).map_or(&[][..], |key| self.of_key(key));
            own.iter().any(|(_, option)| !self.is_plain(*fluent, *option))
        })
    }
}

impl Gatherer<'_> {
    /// Is it asked what would settle a question?
    pub(super) fn asks_what_settles(&self, families: &[(usize, &FamilyPhrases)]) -> bool {
        families.iter().any(|(_, family)| family.pattern.functor == SETTLES)
    }

    /// Is something at the end settled by what would not settle it if nothing happened?
    pub(super) fn settles_anew(&self, part: &PartStory, sayable: &SayableTerms) -> bool {
        part.ways.len() > 2 && Settling::of(part, sayable).differs(sayable)
    }

    /// Questions which of some statements, were it known, would settle another.
    pub(super) fn settles(
        &self,
        engine: &TransitionSystem,
        families: &[(usize, &FamilyPhrases)],
        told: &[PartStory],
        sayable: &SayableTerms,
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) {
        let Some((family, _)) = families.iter().find(|(_, f)| f.pattern.functor == SETTLES) else { return };
        let told: Vec<(&PartStory, Settling)> = told
            .iter()
            .filter(|part| part.ways.len() > 2)
            .map(|part| (part, Settling::of(part, sayable)))
            .collect();
        // By what a question looks like, those that who overlooks the actions answers wrongly, and those that he answers rightly.
        let mut made: BTreeMap<Look, [Vec<(OfferCell, OfferedQuestion)>; 2]> = BTreeMap::new();
        // Those that are answered rightly list what looks like what is right in the others.
        let mut rivals: BTreeMap<&str, BTreeSet<[TermShape; 2]>> = BTreeMap::new();
        let looks = StatementLooks::new(engine);
        for (place, is_plain) in [(0, false), (1, true)] {
            for (part, settling) in &told {
                let is_open = |fluent: &&usize| settling.finally.key(**fluent).is_some();
                let mut asked: Vec<usize> = sayable.fluents.iter().filter(is_open).copied().collect();
                asked.shuffle(rng);
                let mut left = SETTLED;
                for fluent in asked {
                    let own = settling.settling(fluent);
                    // What settles it, if something does that would not if nothing happened, is asked about as such.
                    if left == 0 || own[place].is_empty() || is_plain && !own[0].is_empty() {
                        continue;
                    }
                    let term = &engine.fluents[fluent];
                    let wanted = rivals.get(term.functor());
                    let lister = Lister {
                        looks: &looks,
                        settling,
                        sayable,
                        fluent,
                        wanted: is_plain.then_some(wanted),
                    };
                    let Some(StatementChoice { options, shapes }) = lister.list(&own[place], rng) else {
                        continue;
                    };
                    left -= 1;
                    if !is_plain && shapes[0] != shapes[1] {
                        rivals.entry(term.functor()).or_default().insert(shapes.clone());
                    }
                    let right = vec![options[0]];
                    let mut options = options;
                    options.shuffle(rng);
                    let cell =
                        OfferCell { kind: Kind::Other, family: *family, detail: term.functor().to_owned() };
                    let asked = PartAsked::Settles(fluent, options);
                    let offer = part.offer(asked, Given::Fluents(right), is_plain, 1);
                    let mut shapes = shapes;
                    shapes.sort();
                    made.entry((term.functor(), shapes)).or_default()[place].push((cell, offer));
                }
            }
        }
        let mut spare: Vec<(OfferCell, OfferedQuestion)> = Vec::new();
        let mut count = [0; 2];
        for ((_, shapes), [mut other, mut same]) in made {
            other.shuffle(rng);
            same.shuffle(rng);
            // Where nothing else looks like what is right, as many of either sort.
            if shapes[0] != shapes[1] {
                let both = other.len().min(same.len());
                other.truncate(both);
                same.truncate(both);
            }
            let both = other.len().min(same.len());
            spare.extend(same.split_off(both));
            count = [count[0] + other.len(), count[1] + same.len()];
            for (cell, offer) in other.into_iter().chain(same) {
                offers.entry(cell).or_default().push(offer);
            }
        }
        // No more that are answered rightly than others, where there are others.
        spare.shuffle(rng);
        if count[0] > 0 {
            spare.truncate(count[0] - count[1]);
        }
        for (cell, offer) in spare {
            offers.entry(cell).or_default().push(offer);
        }
    }
}

/// What a question is about, and how the right statement and its rival look beside that, in order of their looks.
type Look<'t> = (&'t str, [TermShape<'t>; 2]);

/// Statements of which the first is right; how it and its rival look.
struct StatementChoice<'t> {
    options: Vec<usize>,
    shapes: [TermShape<'t>; 2],
}

/// How statements look beside others, each worked out once.
struct StatementLooks<'t> {
    engine: &'t TransitionSystem,
    /// The objects that each names.
    objects: Vec<Vec<String>>,
    shapes: RefCell<HashMap<[usize; 2], Rc<TermShape<'t>>>>,
}

impl<'t> StatementLooks<'t> {
    fn new(engine: &'t TransitionSystem) -> StatementLooks<'t> {
        let objects = engine.fluents.iter().map(objects).collect();
        StatementLooks { engine, objects, shapes: RefCell::default() }
    }

    /// How a statement looks beside another.
    fn shape(&self, one: usize, beside: usize) -> Rc<TermShape<'t>> {
        let mut known = self.shapes.borrow_mut();
        let new = || Rc::new(shape(&self.engine.fluents[one], &[&self.engine.fluents[beside]]));
        known.entry([one, beside]).or_insert_with(new).clone()
    }

    /// How many objects of another a statement names.
    fn shared(&self, one: usize, other: usize) -> usize {
        let own = &self.objects[one];
        own.iter().filter(|object| self.objects[other].contains(object)).count()
    }
}

/// Lists what to choose from.
struct Lister<'l, 't> {
    looks: &'l StatementLooks<'t>,
    settling: &'l Settling,
    sayable: &'l SayableTerms,
    fluent: usize,
    /// Where the rival is to look like what is right in other questions: how that and its rival look.
    wanted: Option<Option<&'l BTreeSet<[TermShape<'t>; 2]>>>,
}

impl<'t> Lister<'_, 't> {
    fn shape(&self, option: usize) -> Rc<TermShape<'t>> {
        self.looks.shape(option, self.fluent)
    }

    /// One of the statements that settle a fluent, its rival, and others.
    fn list(&self, right: &[usize], rng: &mut ChaCha8Rng) -> Option<StatementChoice<'t>> {
        let wanted = self.settling.finally.key(self.fluent)?;
        let is_wrong =
            |option: &&usize| self.settling.initially.key(**option).is_some_and(|key| key != wanted);
        let mut wrong: Vec<usize> = self.sayable.fluents.iter().filter(is_wrong).copied().collect();
        if wrong.len() < OPTIONS - 1 {
            return None;
        }
        wrong.shuffle(rng);
        let (right, rival) = self.rivals(right, &wrong, rng)?;
        let shapes = [right, rival].map(|option| (*self.shape(option)).clone());
        // One more of the kind of each, that names as much of what is asked about as there are.
        wrong.retain(|option| *option != rival);
        wrong.sort_by_cached_key(|option| usize::MAX - self.looks.shared(*option, self.fluent));
        let mut options = vec![right, rival];
        let fluents = &self.looks.engine.fluents;
        for model in [rival, right] {
            let like = |option: &usize| fluents[*option].functor() == fluents[model].functor();
            let place = wrong.iter().position(like).unwrap_or(0);
            options.push(wrong.remove(place));
        }
        Some(StatementChoice { options, shapes })
    }

    /// The right statement and a wrong one that stands against it: one that would be right if nothing happened, or that looks like
    /// the right one; where nothing would be wrong, one that looks like what is right in another question.
    fn rivals(&self, right: &[usize], wrong: &[usize], rng: &mut ChaCha8Rng) -> Option<(usize, usize)> {
        let look = |option: &usize| (*option, self.shape(*option));
        let looks: HashMap<usize, Rc<TermShape>> = wrong.iter().chain(right).map(look).collect();
        let is_plain = |option: &&usize| self.settling.is_plain(self.fluent, **option);
        let mut found: Vec<(usize, usize)> = Vec::new();
        for own in right.iter().filter(|option| **option != self.fluent) {
            let alike = wrong.iter().filter(|other| looks[other] == looks[own]);
            found.extend(alike.map(|other| (*own, *other)));
        }
        if found.is_empty() {
            let pairs = right.iter().flat_map(|own| wrong.iter().map(move |other| (*own, *other)));
            found = match self.wanted {
                None => pairs.filter(|(own, other)| *own != self.fluent && is_plain(&other)).collect(),
                Some(wanted) => {
                    let wanted = wanted?;
                    let is_wanted = |[one, other]: &[TermShape; 2], own: &usize, rival: &usize| {
                        *one == *looks[rival] && *other == *looks[own]
                    };
                    pairs.filter(|(own, rival)| wanted.iter().any(|w| is_wanted(w, own, rival))).collect()
                }
            };
        }
        found.choose(rng).copied()
    }
}

/// The constants of a term.
fn objects(term: &Term) -> Vec<String> {
    let mut found = Vec::new();
    term.constants(&mut |constant| found.push(constant.to_owned()));
    found
}
