//! Values that fluents may have to those that one action after the other may add, by the ground rules alone.
//!
//! The rules tell of each action what surely holds after it and what may, where fluents have any of some values at once. What
//! comes of that is closed under all actions: what it rules out is never reached. It contains the least such set, which clingo
//! finds, and mostly is that set.

use racgen_logic::evaluate::bounds::{bounds, possibly, surely};
use racgen_logic::evaluate::lanes::{LaneEvaluator, LaneValues, Word};
use racgen_logic::ground::GroundProgram;
use racgen_logic::term::Term;
use rustc_hash::FxHashSet;

use crate::simulate::search::goal::GoalFact;
use crate::simulate::search::values::Values;
use crate::simulate::situation::BitSet;
use crate::simulate::theory::named_atoms::{AtomPlace, NamedAtoms};
use crate::simulate::transitions::lanes::truth;

/// How many actions are looked at at once, in words.
const WIDTH: usize = 4;

/// Where it stands that something is surely so, and that it may be.
#[derive(Clone, Copy)]
struct BothPlaces {
    sure: AtomPlace,
    possible: AtomPlace,
}

impl BothPlaces {
    fn of(place: AtomPlace) -> BothPlaces {
        match place.atom() {
            // What stands in no rule is never so.
            Some(0) => BothPlaces { sure: AtomPlace::Never, possible: AtomPlace::Never },
            Some(atom) => {
                BothPlaces { sure: AtomPlace::Atom(surely(atom)), possible: AtomPlace::Atom(possibly(atom)) }
            }
            None => BothPlaces { sure: place, possible: place },
        }
    }

    fn atoms(self) -> impl Iterator<Item = u32> {
        [self.sure, self.possible].into_iter().filter_map(|place| place.atom())
    }
}

/// The rules of one step of a layout.
pub struct StepBounds {
    evaluator: LaneEvaluator,
    /// By fluent that is an input.
    now: Vec<(usize, BothPlaces)>,
    /// By fluent.
    next: Vec<BothPlaces>,
    /// By action, that it takes place, and that it can.
    occ: Vec<BothPlaces>,
    can: Vec<BothPlaces>,
}

/// Values that no action adds to.
pub struct ClosedValues {
    /// By fluent, whether it may come to be false, and whether true.
    pub values: Values,
    /// The actions that may come to be executable, where that is known.
    pub able: Option<BitSet>,
}

impl StepBounds {
    /// What the rules of a program over one step tell, in which `holds/2`, `occ/2` and `executable/2` are named; none where
    /// they do not decide all of it.
    pub fn new(ground: &GroundProgram, fluents: &[Term], actions: &[Term]) -> Option<StepBounds> {
        let both = bounds(ground).ok()??;
        let names = NamedAtoms::new(&ground.named);
        let places = |functor: &str, terms: &[Term], time: i32| -> Vec<BothPlaces> {
            names.timed(functor, terms, time).into_iter().map(BothPlaces::of).collect()
        };
        let mut chosen: Vec<u32> =
            ground.rules.iter().filter(|rule| rule.choice).flat_map(|rule| rule.head.clone()).collect();
        chosen.sort_unstable();
        let is_input =
            |place: &AtomPlace| place.atom().is_some_and(|atom| chosen.binary_search(&atom).is_ok());
        let at_first = names.timed("holds", fluents, 0);
        let now = at_first.iter().enumerate().filter(|(_, place)| is_input(place));
        let now = now.map(|(fluent, place)| (fluent, BothPlaces::of(*place))).collect();
        let (next, occ) = (places("holds", fluents, 1), names.timed("occ", actions, 0));
        if !occ.iter().all(is_input) {
            return None;
        }
        // Whatever else a program leaves open may be so or not, which is left to clingo; what is open to proofs alone is not read.
        let in_proofs = names.predicate("open", 1).map(|(_, place)| place);
        let known = in_proofs.chain(at_first.iter().copied()).chain(occ.iter().copied());
        let known: FxHashSet<u32> = known.filter_map(|place| place.atom()).collect();
        if !chosen.iter().all(|atom| known.contains(atom)) {
            return None;
        }
        let can = places("executable", actions, 0);
        let targets: Vec<u32> = next.iter().chain(&can).flat_map(|places| places.atoms()).collect();
        let evaluator = LaneEvaluator::new(&both, &targets).ok()?;
        Some(StepBounds { evaluator, now, next, occ: occ.into_iter().map(BothPlaces::of).collect(), can })
    }

    /// Adds to some values what actions may add, through situations in all of which one fact, if any, is so. None where the
    /// rules do not decide it.
    pub fn closed(&self, from: &Values, held: Option<GoalFact>) -> Option<ClosedValues> {
        let (mut values, mut able) = (from.clone(), BitSet::new(self.occ.len()));
        if let Some((fluent, truth)) = held {
            values[fluent] = [!truth, truth];
        }
        let mut lanes: LaneValues<WIDTH> = self.evaluator.values();
        let actions: Vec<usize> = (0..self.occ.len()).collect();
        loop {
            let before = values.clone();
            for some in actions.chunks(Word::<WIDTH>::LANES) {
                self.widen(&mut lanes, some, held, (&mut values, &mut able))?;
            }
            if values == before {
                return Some(ClosedValues { values, able: Some(able) });
            }
        }
    }

    /// Adds what some actions may add.
    fn widen(
        &self,
        lanes: &mut LaneValues<WIDTH>,
        actions: &[usize],
        held: Option<GoalFact>,
        (values, able): (&mut Values, &mut BitSet),
    ) -> Option<()> {
        let mut set = |place: AtomPlace, word: Word<WIDTH>| {
            if let AtomPlace::Atom(atom) = place {
                lanes.set(atom, word);
            }
        };
        let all = |is_so: bool| if is_so { Word::ALL } else { Word::NONE };
        for (fluent, places) in &self.now {
            let [no, yes] = values[*fluent];
            set(places.sure, all(!no));
            set(places.possible, all(yes));
        }
        self.occ.iter().for_each(|places| places.set(&mut set, Word::NONE));
        for (lane, action) in actions.iter().enumerate() {
            self.occ[*action].set(&mut set, Word::lane(lane));
        }
        let verdict = self.evaluator.run(lanes);
        let used = Word::first(actions.len());
        if !(verdict.undecided & used).is_none() {
            return None;
        }
        let mut taken = used & !verdict.inconsistent;
        for (lane, action) in actions.iter().enumerate() {
            if truth(lanes, self.can[*action].possible).get(lane) {
                able.insert(*action);
            } else {
                taken = taken & !Word::lane(lane);
            }
        }
        if let Some((fluent, is_true)) = held {
            let BothPlaces { sure, possible } = self.next[fluent];
            taken = taken & if is_true { truth(lanes, possible) } else { !truth(lanes, sure) };
        }
        for (fluent, places) in self.next.iter().enumerate() {
            if held.is_some_and(|(held, _)| held == fluent) {
                continue;
            }
            let [no, yes] = &mut values[fluent];
            *no |= !(taken & !truth(lanes, places.sure)).is_none();
            *yes |= !(taken & truth(lanes, places.possible)).is_none();
        }
        Some(())
    }
}

impl BothPlaces {
    /// Decides an input.
    fn set(self, set: &mut impl FnMut(AtomPlace, Word<WIDTH>), word: Word<WIDTH>) {
        set(self.sure, word);
        set(self.possible, word);
    }
}
