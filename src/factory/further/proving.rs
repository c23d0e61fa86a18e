//! What is around a situation to proofs that something is never reached from it.
//!
//! A proof is a set of values that no action leaves. The ground rules tell one that mostly is the least there is; where it is not,
//! walks and clingo find that.

use std::cell::OnceCell;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::FxHashMap as HashMap;

use crate::factory::error::FactoryError;
use crate::factory::further::aims::Aim;
use crate::factory::further::compared_values::Comparisons;
use crate::factory::further::judging_searches::invariant_search;
use crate::factory::further::lasting_facts::LastingFacts;
use crate::factory::further::search_families::LastingFunctors;
use crate::simulate::error::SimulationError;
use crate::simulate::search::by_clingo::{Sought, TermLiteral};
use crate::simulate::search::by_invariant::InvariantSearch;
use crate::simulate::search::goal::{self, GoalFact};
use crate::simulate::search::kept_ways::{Distances, KeptWays};
use crate::simulate::search::step_bounds::ClosedValues;
use crate::simulate::search::surroundings::{NearSituation, Surroundings};
use crate::simulate::search::values::{Values, values_of, widen};
use crate::simulate::search::wandering::wander;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::story::Simulator;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// What is known of a layout to proofs about any of its stories.
#[derive(Default)]
pub struct KnownProofs {
    /// The program that they are found with, once it is needed.
    search: Option<InvariantSearch>,
    /// How the sets of values that the rules tell compare with the least ones.
    pub(in crate::factory) compared: Comparisons,
    /// Which facts put something out of reach while they stay true.
    pub(super) lasting: LastingFacts,
    /// Situations that some values admitted, and what can be carried out in each.
    admitted: Vec<(Situation, BitSet)>,
}

impl KnownProofs {
    /// To proofs of whatever any fact puts out of reach by staying true, those that were so from the beginning as well.
    pub(in crate::factory) fn of_all_facts() -> KnownProofs {
        let mut known = KnownProofs::default();
        known.lasting.ask_all();
        known
    }
}

/// Proofs about the stories of a layout.
pub(super) struct FutureInvariants<'g> {
    /// By family, functors of facts that may stay so in its questions; all where there is none.
    pub(super) lasting: &'g LastingFunctors,
    pub(super) known: &'g mut KnownProofs,
}

/// What is around a situation, as far as it is reached while one fact or another stays so.
pub(super) struct ConfinedWays<'s> {
    pub(super) near: &'s Surroundings,
    by_held: HashMap<Option<GoalFact>, Confined<'s>>,
    /// What was followed ahead.
    ahead: Vec<KeptWays>,
}

impl<'s> ConfinedWays<'s> {
    pub(super) fn of(near: &'s Surroundings) -> ConfinedWays<'s> {
        ConfinedWays { near, by_held: HashMap::default(), ahead: Vec::new() }
    }

    /// As far as it is reached while a fact, if any, stays so.
    pub(super) fn by(&mut self, held: Option<GoalFact>) -> &mut Confined<'s> {
        match self.by_held.entry(held) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(open) => {
                let kept = match held {
                    None => self.near.distances(),
                    Some(fact) => {
                        let known = self.ahead.iter().find_map(|kept| kept.of(fact));
                        known.unwrap_or_else(|| self.near.keeping_one(fact))
                    }
                };
                open.insert(Confined { near: self.near, kept, held, met: OnceCell::new(), closed: None })
            }
        }
    }

    /// Works out together how far it is reached while one or another of some facts stays so, which may be asked for.
    pub(super) fn follow(&mut self, facts: Vec<GoalFact>) {
        self.ahead.push(self.near.keeping(facts));
    }
}

/// The ways on which a fact, if any, stays so, and the values that fluents come to have on them.
pub(super) struct Confined<'s> {
    pub(super) near: &'s Surroundings,
    /// By place, the fewest actions that reach it so.
    kept: Distances,
    pub(super) held: Option<GoalFact>,
    met: OnceCell<Values>,
    /// Values out of which no action leads, once they are needed; are they the least such set?
    closed: Option<(ClosedValues, bool)>,
}

impl<'s> Confined<'s> {
    /// The fewest actions that lead to one of some places, as far as that is known.
    pub(super) fn distance(&self, places: &BitSet) -> Option<usize> {
        places.iter().filter_map(|place| self.kept.to(place)).min()
    }

    /// Is it known to lead to a place?
    pub(super) fn leads_to(&self, place: usize) -> bool {
        self.kept.leads_to(place)
    }

    /// The places that are reached so, by so many actions at most.
    pub(super) fn within(&self, most: usize) -> BitSet {
        self.kept.within(most)
    }

    /// Is it known of all places that they are reached so, of which it is true?
    pub(super) fn is_all_known(&self) -> bool {
        self.near.exhausted || self.kept.farthest().is_none_or(|distance| distance < self.near.radius)
    }

    fn reached(&self) -> Vec<&'s NearSituation> {
        let reached = self.near.reached.iter().enumerate();
        reached.filter(|(place, _)| self.kept.leads_to(*place)).map(|(_, here)| here).collect()
    }

    /// The values that are met there.
    fn met(&self, fluents: usize) -> &Values {
        self.met.get_or_init(|| {
            let mut values = values_of(&self.near.reached[0].situation, fluents);
            widen(&mut values, self.reached().into_iter().map(|here| &*here.situation));
            values
        })
    }

    /// The least values out of which no action leads; by the rules they `may` be no others than those.
    fn least(
        &self,
        stage: &Simulator,
        search: &mut InvariantSearch,
        may: Option<&Values>,
    ) -> Result<Values, SimulationError> {
        let mut values = self.met(stage.engine.fluents.len()).clone();
        let mut engine = TransitionSystem::of(Arc::clone(stage.engine.compiled()), stage.limit());
        wander(&mut engine, &self.reached(), self.held, &mut values, may)?;
        if may != Some(&values) {
            search.close(&mut values, self.held)?;
        }
        Ok(values)
    }
}

impl ClosedValues {
    /// Is something so in no situation with these values?
    fn rules_out(&self, aim: &Aim) -> bool {
        match aim {
            Aim::Fact(fluent) => !self.values[*fluent][1],
            Aim::Goal(goal) => goal.iter().any(|(fluent, truth)| !self.values[*fluent][usize::from(*truth)]),
            Aim::Action(action) => self.able.as_ref().is_some_and(|able| !able.contains(*action)),
        }
    }
}

impl FutureInvariants<'_> {
    /// Does an invariant prove that something is never reached?
    pub(super) fn never(
        &mut self,
        stage: &Simulator,
        confined: &mut Confined,
        aim: &Aim,
    ) -> Result<bool, FactoryError> {
        let search = match &mut self.known.search {
            Some(known) => known,
            open => open.insert(invariant_search(stage)?),
        };
        let (fluents, actions) = (&stage.engine.fluents, &stage.engine.actions);
        let (mut closed, mut is_least) = match confined.closed.take() {
            Some(known) => known,
            None => match search.by_rules(confined.met(fluents.len()), confined.held) {
                Some(closed) => (closed, false),
                None => (ClosedValues { values: confined.least(stage, search, None)?, able: None }, true),
            },
        };
        let compared = self.known.compared.of(confined.held);
        if !closed.rules_out(aim)
            && !is_least
            && compared.may_be_less(stage, confined.met(fluents.len()), aim)
        {
            let values = confined.least(stage, search, Some(&closed.values))?;
            let able = search.by_rules(&values, confined.held).and_then(|told| told.able);
            let least = ClosedValues { values, able };
            compared.note(stage, &closed, &least);
            (closed, is_least) = (least, true);
        }
        let (closed, _) = confined.closed.insert((closed, is_least));
        if closed.rules_out(aim) {
            return Ok(true);
        }
        let values = &closed.values;
        // What was met anywhere need not be searched for.
        let is_held =
            |here: &Situation| confined.held.is_none_or(|(fluent, truth)| here.contains(fluent) == truth);
        let fits = |here: &Situation| {
            is_held(here) && (0..values.len()).all(|f| values[f][usize::from(here.contains(f))])
        };
        let near = confined.near;
        if aim.places(near).iter().any(|place| fits(&near.reached[place].situation)) {
            return Ok(false);
        }
        let is_met = |(here, able): &(Situation, BitSet)| match aim {
            Aim::Fact(fluent) => here.contains(*fluent),
            Aim::Goal(goal) => goal::is_met(goal, here),
            Aim::Action(action) => able.contains(*action),
        };
        if self.known.admitted.iter().rev().any(|one| is_met(one) && fits(&one.0)) {
            return Ok(false);
        }
        let wanted: Vec<TermLiteral>;
        let sought = match aim {
            Aim::Fact(_) => return Ok(false),
            Aim::Goal(goal) => {
                wanted = goal.iter().map(|(f, truth)| (fluents[*f].clone(), *truth)).collect();
                Sought::Facts(&wanted)
            }
            Aim::Action(action) => Sought::Executable(&actions[*action]),
        };
        let found = search.witness(values, confined.held, sought).map_err(SimulationError::from)?;
        let is_never = found.is_none();
        self.known.admitted.extend(found);
        Ok(is_never)
    }
}
