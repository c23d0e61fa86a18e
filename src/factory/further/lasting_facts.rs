//! Which facts are to stay true in questions about what can be meanwhile.
//!
//! Most facts put nothing out of reach by staying true, so that all that is asked would be answered yes. Which do is learned from one
//! story of a layout to the next: where one truck alone serves a city, much cannot be while that truck stays where it is. Facts that the
//! told actions made true come before those that were so from the beginning, of which the initial situation alone says what can be.

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rustc_hash::FxHashMap as HashMap;

use crate::factory::further::search_profile::kinds;
use crate::simulate::story::Simulator;

/// How many facts are to stay true, one after the other, of each story.
const HELD: usize = 6;
/// How often a fact, and how often facts of a kind, are tried before it is known what they are good for. Kinds that put nothing out of
/// reach by then are given up.
const OF_FACT: usize = 6;
const OF_KIND: usize = 64;
/// The first stories are all looked at.
const FIRST_STORIES: usize = 12;
/// And so is one after so many that were not.
const PASSED_OVER: usize = 6;
/// What comes first has to put something out of reach in one of so many stories.
const ONE_IN: usize = 4;
/// Where what the told actions made true puts nothing out of reach in the first so many stories, or later in fewer than one of so many,
/// facts that were so from the beginning are to stay true, too.
const IN_VAIN: usize = 6;
const ENDS_IN: usize = 32;

/// The functor of a fact, and the types of the objects that it names.
type FactKind = (String, Vec<usize>);

/// Do facts name no objects? Then each is the only one of its kind, and few stories have anything to ask.
pub(in crate::factory) fn names_nothing(stage: &Simulator) -> bool {
    stage.engine.fluents.iter().all(|fluent| fluent.args().is_empty())
}

/// Which facts of a story are to stay true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lasting {
    /// None: the story is passed over.
    None,
    /// Such as the told actions made true. What can be so while they stay true is not told by the initial situation.
    New,
    /// Others, too.
    All,
}

/// How often a fact, or facts of a kind, were to stay true.
#[derive(Clone, Copy, Default)]
struct Lasted {
    tried: usize,
    /// In so many stories something is never reached meanwhile.
    ending: usize,
}

impl Lasted {
    fn note(&mut self, ends: bool) {
        self.tried += 1;
        self.ending += usize::from(ends);
    }

    /// Does one in so many put something out of reach, as far as that is known after so many?
    fn is_first(self, known_after: usize) -> bool {
        self.tried < known_after || ONE_IN * self.ending >= self.tried
    }
}

/// What is known of the facts of a layout that were to stay true.
#[derive(Default)]
pub(super) struct LastingFacts {
    /// How many stories were met, and how many were passed over since one was looked at.
    stories: usize,
    passed_over: usize,
    /// In how many was anything out of reach while a fact stayed true that the told actions made true; in the last one, too?
    ended: (usize, bool),
    /// Are facts that were so from the beginning as good as others, whatever is known?
    asks_all: bool,
    facts: HashMap<usize, Lasted>,
    kinds: HashMap<FactKind, Lasted>,
}

impl LastingFacts {
    /// Has facts stay true that were so from the beginning, too.
    pub(super) fn ask_all(&mut self) {
        self.asks_all = true;
    }

    /// Notes that a fact was to stay true; did the told actions make it so, and is anything never reached meanwhile?
    pub(super) fn note(&mut self, stage: &Simulator, (fact, is_new): (usize, bool), ends: bool) {
        if ends && is_new && !self.ended.1 {
            self.ended = (self.ended.0 + 1, true);
        }
        self.facts.entry(fact).or_default().note(ends);
        self.kinds.entry(kind(stage, fact)).or_default().note(ends);
    }

    /// Some of those facts of a story that might be tried: no more than half of them such as the told actions made true, if there are
    /// others, and of either first what matters in other stories, or of which little is known.
    pub(super) fn chosen(
        &self,
        stage: &Simulator,
        (new, old): (Vec<usize>, Vec<usize>),
        rng: &mut ChaCha8Rng,
    ) -> Vec<usize> {
        let [mut new, old] = [new, old].map(|mut some| {
            some.shuffle(rng);
            let known = some.into_iter().filter_map(|fact| Some((fact, self.is_first(stage, fact)?)));
            let (mut first, others): (Vec<_>, Vec<_>) = known.partition(|(_, is_first)| *is_first);
            first.extend(others);
            first
        });
        new.truncate(HELD / 2);
        new.into_iter().chain(old).map(|(fact, _)| fact).take(HELD).collect()
    }

    /// Which facts of the next story are to stay true? None, if all are given up; and once something is known to be out of reach in a
    /// story, only where the told actions made a fact true that comes first, or once in a while.
    pub(super) fn look_at(&mut self, stage: &Simulator, (new, old): (&[usize], &[usize])) -> Lasting {
        let may_matter = |facts: &[usize]| facts.iter().any(|fact| self.is_first(stage, *fact).is_some());
        let comes_first = |fact: &usize| self.is_first(stage, *fact) == Some(true);
        let in_vain = self.stories >= IN_VAIN && ENDS_IN * self.ended.0 < self.stories;
        let is_due =
            in_vain || self.ended.0 == 0 || self.stories < FIRST_STORIES || self.passed_over >= PASSED_OVER;
        let (found, looks) = match self.asks_all || in_vain || new.is_empty() {
            true => (Lasting::All, (self.asks_all || is_due) && (may_matter(new) || may_matter(old))),
            false => (Lasting::New, may_matter(new) && (is_due || new.iter().any(comes_first))),
        };
        let found = if looks { found } else { Lasting::None };
        self.stories += 1;
        self.ended.1 = false;
        self.passed_over = if found == Lasting::None { self.passed_over + 1 } else { 0 };
        found
    }

    /// Is a fact to be tried before others? Nothing if it is not to be tried at all.
    fn is_first(&self, stage: &Simulator, fact: usize) -> Option<bool> {
        let of_kind = self.kinds.get(&kind(stage, fact)).copied().unwrap_or_default();
        let own = self.facts.get(&fact).copied().unwrap_or_default();
        let is_given_up = of_kind.ending == 0 && of_kind.tried >= OF_KIND;
        let is_first = match own.tried < OF_FACT {
            true => own.ending > 0 || of_kind.is_first(OF_KIND),
            false => own.is_first(OF_FACT),
        };
        (!is_given_up).then_some(is_first)
    }
}

fn kind(stage: &Simulator, fact: usize) -> FactKind {
    let term = &stage.engine.fluents[fact];
    (term.functor().to_owned(), kinds(stage, term))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::*;
    use crate::domain::package::Package;
    use crate::simulate::layout::Layout;
    use crate::simulate::plans::sampling::Sampling;

    /// A layout of blocks, and those of its fluents that say of a block that it is on another.
    fn stage<'p>(package: &'p Package, rng: &mut ChaCha8Rng) -> (Simulator<'p>, Vec<usize>) {
        let limit = Duration::from_secs(60);
        let layout = Layout::sample(package, 2, &BTreeMap::new(), rng, limit).unwrap();
        let stage = Simulator::new(package, layout, Sampling::Walk, limit, rng).unwrap();
        let all = stage.engine.fluents.iter().enumerate().filter(|(_, fluent)| fluent.functor() == "on");
        let on = all.map(|(number, _)| number).collect();
        (stage, on)
    }

    #[test]
    fn facts_that_matter_come_first() {
        let mut rng = racgen_logic::seed::stream(1, &["lasting"]);
        let package = Package::load("blocks").unwrap();
        let (stage, on) = stage(&package, &mut rng);
        let mut known = LastingFacts::default();
        let matters = on[1];
        (0..OF_FACT).for_each(|_| known.note(&stage, (matters, true), true));
        // Others of the kind, one in many of which matters.
        let others = on[2..14].iter().flat_map(|fact| [*fact; OF_FACT - 1]);
        others.for_each(|fact| known.note(&stage, (fact, true), false));
        let chosen = known.chosen(&stage, (Vec::new(), on[..10].to_vec()), &mut rng);
        assert_eq!((chosen.len(), chosen[0]), (HELD, matters));
        // Of what the told actions made true half at most.
        let chosen = known.chosen(&stage, (on[2..10].to_vec(), vec![matters]), &mut rng);
        assert_eq!((chosen.len(), chosen[HELD / 2]), (HELD / 2 + 1, matters));
    }

    #[test]
    fn a_kind_that_never_matters_is_given_up() {
        let mut rng = racgen_logic::seed::stream(1, &["lasting"]);
        let package = Package::load("blocks").unwrap();
        let (stage, on) = stage(&package, &mut rng);
        let mut known = LastingFacts::default();
        (0..OF_KIND).for_each(|n| known.note(&stage, (on[n % 12], true), false));
        assert!(known.chosen(&stage, (Vec::new(), vec![on[12]]), &mut rng).is_empty());
        assert_eq!(known.look_at(&stage, (&[on[12]], &[on[13]])), Lasting::None);
    }

    #[test]
    fn stories_are_passed_over_that_make_nothing_true_that_matters() {
        let mut rng = racgen_logic::seed::stream(1, &["lasting"]);
        let package = Package::load("blocks").unwrap();
        let (stage, on) = stage(&package, &mut rng);
        let mut known = LastingFacts::default();
        // The first are all looked at.
        for _ in 0..FIRST_STORIES {
            assert_eq!(known.look_at(&stage, (&on[..1], &on[1..2])), Lasting::New);
            known.note(&stage, (on[0], true), true);
        }
        (0..OF_FACT).for_each(|_| known.note(&stage, (on[1], true), false));
        assert_eq!(known.look_at(&stage, (&on[..1], &on[1..2])), Lasting::New);
        // Other facts will do once in a while.
        let looks: Vec<Lasting> =
            (0..2 * (PASSED_OVER + 1)).map(|_| known.look_at(&stage, (&on[1..2], &on[..1]))).collect();
        let is_due =
            |n: usize| if (n + 1).is_multiple_of(PASSED_OVER + 1) { Lasting::New } else { Lasting::None };
        assert_eq!(looks, (0..looks.len()).map(is_due).collect::<Vec<_>>());
        assert!((0..4 * PASSED_OVER).all(|_| known.look_at(&stage, (&[], &[])) == Lasting::None));
    }

    #[test]
    fn where_what_the_actions_made_true_matters_nowhere_other_facts_are_taken() {
        let mut rng = racgen_logic::seed::stream(1, &["lasting"]);
        let package = Package::load("blocks").unwrap();
        let (stage, on) = stage(&package, &mut rng);
        let mut known = LastingFacts::default();
        assert_eq!(known.look_at(&stage, (&[], &on[1..2])), Lasting::All);
        (1..IN_VAIN).for_each(|_| assert_eq!(known.look_at(&stage, (&on[..1], &on[1..2])), Lasting::New));
        // It stays so, as long as these alone put something out of reach.
        for _ in 0..2 * FIRST_STORIES {
            assert_eq!(known.look_at(&stage, (&on[..1], &on[1..2])), Lasting::All);
            known.note(&stage, (on[1], false), true);
        }
        known.note(&stage, (on[0], true), true);
        assert_eq!(known.look_at(&stage, (&on[..1], &on[1..2])), Lasting::New);
    }
}
