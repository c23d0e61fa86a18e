//! Values that the ground rules leave to fluents beside the least ones out of which no action leads: where do they differ?
//!
//! To find the least ones takes much longer. So a few are compared, and what the rules tell is taken for the least where it was.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap as HashMap;

use crate::factory::further::aims::Aim;
use crate::simulate::search::goal::GoalFact;
use crate::simulate::search::step_bounds::ClosedValues;
use crate::simulate::search::values::Values;
use crate::simulate::situation::BitSet;
use crate::simulate::story::Simulator;

/// So many sets of values are compared before others are taken for the least ones.
const COMPARED: usize = 3;

/// By the truth of what stays so, if anything does, what was found.
#[derive(Clone, Debug, Default)]
pub struct Comparisons(HashMap<Option<bool>, Compared>);

/// Sets of values that the rules tell beside the least ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Compared {
    times: usize,
    /// Functors of fluents, each with a value that the rules left to it and the least set did not.
    fluents: BTreeSet<(String, bool)>,
    /// Functors of actions that the rules left executable and the least set did not.
    actions: BTreeSet<String>,
}

impl Comparisons {
    /// Those of sets in which a fact, if any, stays so.
    pub(super) fn of(&mut self, held: Option<GoalFact>) -> &mut Compared {
        self.0.entry(held.map(|(_, truth)| truth)).or_default()
    }

    /// Adds those of another layout.
    pub(in crate::factory) fn add(&mut self, other: Comparisons) {
        for (held, Compared { times, fluents, actions }) in other.0 {
            let known = self.0.entry(held).or_default();
            known.times += times;
            known.fluents.extend(fluents);
            known.actions.extend(actions);
        }
    }
}

impl Compared {
    /// May the least set, which has all values that were `met`, rule something out that the set which the rules tell does not?
    pub(super) fn may_be_less(&self, stage: &Simulator, met: &Values, aim: &Aim) -> bool {
        let (fluents, actions) = (&stage.engine.fluents, &stage.engine.actions);
        let is_more = |(fluent, truth): (usize, bool)| {
            !met[fluent][usize::from(truth)]
                && self.fluents.contains(&(fluents[fluent].functor().to_owned(), truth))
        };
        self.times < COMPARED
            || match aim {
                Aim::Fact(fluent) => is_more((*fluent, true)),
                Aim::Goal(goal) => goal.iter().copied().any(is_more),
                Aim::Action(action) => self.actions.contains(actions[*action].functor()),
            }
    }

    /// Compares what the rules tell with the least set.
    pub(super) fn note(&mut self, stage: &Simulator, told: &ClosedValues, least: &ClosedValues) {
        self.times += 1;
        for (fluent, (all, few)) in told.values.iter().zip(&least.values).enumerate() {
            let more = [false, true]
                .into_iter()
                .filter(|truth| all[usize::from(*truth)] != few[usize::from(*truth)]);
            self.fluents.extend(more.map(|truth| (stage.engine.fluents[fluent].functor().to_owned(), truth)));
        }
        let [told, least] = [told, least].map(|values| values.able.iter().flat_map(BitSet::iter));
        let least: BTreeSet<usize> = least.collect();
        let more = told.filter(|action| !least.contains(action));
        self.actions.extend(more.map(|action| stage.engine.actions[action].functor().to_owned()));
    }
}
