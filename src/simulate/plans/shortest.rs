//! A plan to the length of a shortest one to the same situation, where it is found within a bound.
//!
//! The search goes from the initial situation by best first (A*), with a bound from below on the steps that are left:
//! fluents that differ and no two of which any one action can change need an action each. Where that bound meets the
//! length of the plan without its loops, no search is needed.

use std::cmp::Reverse;
use std::collections::binary_heap::{BinaryHeap, PeekMut};

use rustc_hash::FxHashMap as HashMap;

use crate::simulate::error::SimulationError;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::theory::changers::Changers;
use crate::simulate::transitions::compiled_layout::CompiledLayout;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How often steps are evaluated for one plan, and how many of equal promise at once. Most plans of up to five actions
/// need a few. Where clingo evaluates each step, none is: that would take longer than all else.
const MOST_ROUNDS: usize = 8;
const AT_ONCE: usize = 64;

/// The length of a shortest plan from the first of the situations to the last, which a plan passes one after the
/// other; `possible` can be carried out in the first. None where the bound does not let it be found.
///
/// # Errors
/// Solver failures.
pub(crate) fn shortest(
    engine: &mut TransitionSystem,
    passed: &[&Situation],
    possible: &[usize],
) -> Result<Option<usize>, SimulationError> {
    let (Some(first), Some(last)) = (passed.first(), passed.last()) else { return Ok(None) };
    let compiled = engine.compiled().clone();
    let [first, last] = [first, last].map(|situation| situation.intersection(&compiled.inertial));
    let mut search = ShortestSearch::new(&compiled, &last, without_loops(passed));
    search.add(first, possible, 0);
    search.run(engine)
}

/// How many steps are left when loops are cut out of what is passed.
fn without_loops(passed: &[&Situation]) -> usize {
    let last: HashMap<&Situation, usize> = passed.iter().enumerate().map(|(at, here)| (*here, at)).collect();
    let (mut at, mut steps) = (0, 0);
    while let Some(again) = last.get(passed[at]).copied() {
        if again + 1 == passed.len() {
            break;
        }
        (at, steps) = (again + 1, steps + 1);
    }
    steps
}

/// A step that was not evaluated yet: the least that a plan with it can come to, the steps before it, the place of the
/// situation and the action. In this order the least is preferred, and of equals the one nearer to the end.
type Open = Reverse<(usize, Reverse<usize>, usize, usize)>;

struct ShortestSearch<'s> {
    compiled: &'s CompiledLayout,
    changers: &'s Changers,
    target: &'s Situation,
    /// The length of the shortest plan that is known.
    known: usize,
    /// Situations that were reached, and after how many steps.
    reached: Vec<(Situation, usize)>,
    fewest: HashMap<Situation, usize>,
    open: BinaryHeap<Open>,
}

impl<'s> ShortestSearch<'s> {
    fn new(compiled: &'s CompiledLayout, target: &'s Situation, known: usize) -> ShortestSearch<'s> {
        let (reached, fewest, open) = (Vec::new(), HashMap::default(), BinaryHeap::new());
        ShortestSearch { compiled, changers: compiled.changers(), target, known, reached, fewest, open }
    }

    /// Evaluates steps until no plan can be shorter than the one known, or the bound is met.
    fn run(mut self, engine: &mut TransitionSystem) -> Result<Option<usize>, SimulationError> {
        let most = if self.compiled.is_native() { MOST_ROUNDS } else { 0 };
        for round in 0.. {
            let promising = self.most_promising();
            if promising.is_empty() {
                break;
            }
            if round == most {
                return Ok(None);
            }
            let asked: Vec<(&Situation, usize)> =
                promising.iter().map(|(from, action)| (&self.reached[*from].0, *action)).collect();
            let outcomes = engine.bare_steps(&asked)?;
            for ((from, _), next) in promising.into_iter().zip(outcomes) {
                let steps = self.reached[from].1 + 1;
                let Some(next) = next else { continue };
                if next.situation == *self.target {
                    return Ok(Some(steps));
                }
                self.add(next.situation, &next.executable, steps);
            }
        }
        Ok(Some(self.known))
    }

    /// The steps that the shortest plans may have, as the situations to go on from and the actions.
    fn most_promising(&mut self) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let Some(Reverse((best, ..))) = self.open.peek().copied() else { return found };
        while found.len() < AT_ONCE
            && let Some(next) = self.open.peek_mut().filter(|next| next.0.0 == best)
        {
            let Reverse((_, _, from, action)) = PeekMut::pop(next);
            found.push((from, action));
        }
        found
    }

    /// Adds a situation with the steps that go on from it, unless it was reached as soon, or no plan through it can be
    /// shorter than the one known.
    fn add(&mut self, situation: Situation, possible: &[usize], steps: usize) {
        let fewest = self.fewest.entry(situation.clone()).or_insert(usize::MAX);
        if *fewest <= steps {
            return;
        }
        *fewest = steps;
        let wanted = self.wanted(&situation);
        let left = self.least(&wanted, None);
        if steps.saturating_add(left) >= self.known {
            return;
        }
        let from = self.reached.len();
        for action in possible.iter().copied() {
            let after = if self.matters(&wanted, action) { self.least(&wanted, Some(action)) } else { left };
            let least = steps.saturating_add(left.max(after.saturating_add(1)));
            if least < self.known {
                self.open.push(Reverse((least, Reverse(steps), from, action)));
            }
        }
        self.reached.push((situation, steps));
    }

    /// The inertial fluents in which a situation differs from the one to be reached, and the values they have there;
    /// those that the fewest actions change first.
    fn wanted(&self, situation: &Situation) -> Vec<(usize, bool)> {
        let inertial = self.compiled.inertial.iter();
        let differing = inertial.filter(|f| situation.contains(*f) != self.target.contains(*f));
        let mut wanted: Vec<(usize, bool)> = differing.map(|f| (f, self.target.contains(f))).collect();
        wanted.sort_by_key(|(f, value)| self.changers.of(*f, *value).map_or(usize::MAX, <[usize]>::len));
        wanted
    }

    /// Can the action bring about anything of what is wanted?
    fn matters(&self, wanted: &[(usize, bool)], action: usize) -> bool {
        wanted.iter().any(|(fluent, value)| self.brings(*fluent, *value, action))
    }

    fn brings(&self, fluent: usize, value: bool, action: usize) -> bool {
        self.changers.of(fluent, value).is_none_or(|actions| actions.binary_search(&action).is_ok())
    }

    /// The least number of steps that bring about what is wanted, with all that an action may bring about done: as many
    /// as there are fluents among these no two of which the same action can change.
    fn least(&self, wanted: &[(usize, bool)], done: Option<usize>) -> usize {
        let mut taken = BitSet::new(self.compiled.actions.len());
        let mut least = 0;
        for (fluent, value) in wanted.iter().copied() {
            if done.is_some_and(|action| self.brings(fluent, value, action)) {
                continue;
            }
            match self.changers.of(fluent, value) {
                // Nothing ever makes it so.
                Some([]) => return usize::MAX,
                Some(actions) if actions.iter().all(|action| !taken.contains(*action)) => {
                    actions.iter().for_each(|action| taken.insert(*action));
                    least += 1;
                }
                Some(_) => {}
                None => least = least.max(1),
            }
        }
        least
    }
}
