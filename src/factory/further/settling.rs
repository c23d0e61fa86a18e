//! Stories told in part to questions which of four statements, were it known whether it is true initially, would settle another.
//!
//! Whoever overlooks the actions takes what would settle it if nothing happened. Of half of the questions that is right; of the
//! others it is listed and wrong, or there is nothing of the kind. Whoever goes by names alone finds another statement that looks
//! like the right one, or else another question, listing what looks the same, of which what looks like a wrong one is right. What is told
//! of the initial situation and names both what is asked about and what is listed is a part of the looks.

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::factory::further::gathering::{Gatherer, SayableTerms};
use crate::factory::further::offers::{Given, OfferCell, OfferedQuestion, Offers, PartAsked};
use crate::factory::further::option_lists::{OptionList, OptionLister, OptionLook};
use crate::factory::further::partly::PartStory;
use crate::factory::further::rivals::Rivals;
use crate::phrases::book::FamilyPhrases;
use crate::simulate::situation::Situation;
use crate::simulate::story::Simulator;
use crate::simulate::transitions::compiled_layout::Kind;

/// The family that asks what would settle a question, and of how many statements of either sort it is asked after a telling.
const SETTLES: &str = "settles";
const SETTLED: usize = 12;
/// How many statements of different looks that would settle it are listed in turn.
const RIGHT: usize = 3;

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

    /// The other statements that would settle whether a fluent is true at the end: those that would not if nothing happened, and
    /// those that would. Whether it is true initially settles it wherever no action has to do with it, which is no question.
    fn settling(&self, fluent: usize) -> [Vec<usize>; 2] {
        let own = self.finally.key(fluent).map_or(&[][..], |key| self.of_key(key));
        let (same, other) = own
            .iter()
            .map(|(_, option)| *option)
            .filter(|option| *option != fluent)
            .partition(|option| self.is_plain(fluent, *option));
        [other, same]
    }

    /// What is open initially and does not settle a fluent, first what names most of it.
    fn wrong(
        &self,
        fluent: usize,
        sayable: &SayableTerms,
        terms: &[Term],
        rng: &mut ChaCha8Rng,
    ) -> Vec<usize> {
        let wanted = self.finally.key(fluent);
        let is_wrong = |option: &usize| {
            *option != fluent && self.initially.key(*option).is_some_and(|key| Some(key) != wanted)
        };
        let mut wrong: Vec<usize> = sayable.fluents.iter().copied().filter(is_wrong).collect();
        wrong.shuffle(rng);
        let own: Vec<&str> = terms[fluent].constants().collect();
        let shared = |option: &usize| terms[*option].constants().filter(|one| own.contains(one)).count();
        wrong.sort_by_cached_key(|option| usize::MAX - shared(option));
        wrong
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
        stage: &Simulator,
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
        let engine = &stage.engine;
        let terms = &engine.fluents;
        let objects = &stage.layout().objects;
        let mut asked: Vec<SettlingAsked> = Vec::new();
        for (part, settling) in &told {
            let is_open = |fluent: &&usize| settling.finally.key(**fluent).is_some();
            let mut open: Vec<usize> = sayable.fluents.iter().filter(is_open).copied().collect();
            open.shuffle(rng);
            let mut left = [SETTLED; 2];
            for fluent in open {
                // What settles it, if something does that would not if nothing happened, is asked about as such.
                let own = settling.settling(fluent);
                let is_plain = own[0].is_empty();
                let right = &own[usize::from(is_plain)];
                if right.is_empty() || left[usize::from(is_plain)] == 0 {
                    continue;
                }
                left[usize::from(is_plain)] -= 1;
                let plan = part.story.plan.iter().map(|action| &engine.actions[*action]);
                let left_out = part.telling.left_out.iter().map(|object| &*objects[*object].id).collect();
                let lister = OptionLister::new(terms, (vec![&terms[fluent]], left_out), plan)
                    .beside_facts(part.facts.iter().map(|fact| &terms[fact]));
                let right = lister.of_looks(right, RIGHT, rng);
                asked.push(SettlingAsked { part, settling, fluent, is_plain, right, lister });
            }
        }
        // What is wrong is to look like what is right in other questions that look the same.
        let mut wanted: HashMap<u64, HashSet<OptionLook>> = HashMap::default();
        for one in &asked {
            let looks = one.right.iter().map(|right| one.lister.look(*right));
            wanted.entry(one.lister.pattern()).or_default().extend(looks);
        }
        let mut made: [Vec<(OfferCell, OfferedQuestion)>; 2] = Default::default();
        for SettlingAsked { part, settling, fluent, is_plain, right, lister } in asked {
            let wrong = settling.wrong(fluent, sayable, terms, rng);
            // What would settle it if nothing happened stands against what does.
            let first = |option: usize| !is_plain && settling.is_plain(fluent, option);
            let detail = terms[fluent].functor().to_owned();
            let cell = OfferCell { kind: Kind::Other, family: *family, detail };
            for right in right {
                let lists = lister.any(right, &wrong, (&first, &wanted[&lister.pattern()]), rng);
                let offer = |OptionList { all, rivalry, .. }| {
                    let asked = PartAsked::Settles(fluent, all);
                    let plain = part.offer(asked, Given::Fluents(vec![right]), is_plain, 1);
                    OfferedQuestion { rivalry: Some(rivalry), ..plain }
                };
                made[usize::from(is_plain)].extend(lists.into_iter().map(|list| (cell.clone(), offer(list))));
            }
        }
        for (cell, offer) in no_more(made, rng) {
            offers.entry(cell).or_default().push(offer);
        }
    }
}

/// A question about a telling: what it is about, and what would settle that.
struct SettlingAsked<'t> {
    part: &'t PartStory<'t>,
    settling: &'t Settling,
    fluent: usize,
    /// Would it settle it if nothing happened?
    is_plain: bool,
    right: Vec<usize>,
    lister: OptionLister<'t>,
}

/// Of those that whoever overlooks the actions answers rightly, no more than of the others that may be asked; first those that have
/// one of the others for a mate.
fn no_more(
    [other, mut same]: [Vec<(OfferCell, OfferedQuestion)>; 2],
    rng: &mut ChaCha8Rng,
) -> Vec<(OfferCell, OfferedQuestion)> {
    let keys = |some: &[(OfferCell, OfferedQuestion)]| -> HashSet<u64> {
        some.iter().filter_map(|(_, offer)| Some(offer.rivalry?.between)).collect()
    };
    let others = keys(&other);
    let all: Vec<OfferedQuestion> = other.iter().chain(&same).map(|(_, offer)| offer.clone()).collect();
    let rivals = Rivals::of(&all);
    let most = other.iter().filter(|(_, offer)| rivals.may_ask(offer)).count();
    same.shuffle(rng);
    same.sort_by_key(|(_, offer)| offer.rivalry.is_none_or(|rivalry| !others.contains(&rivalry.between)));
    same.truncate(most);
    other.into_iter().chain(same).collect()
}
