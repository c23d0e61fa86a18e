//! What is around a situation, by what is true there and can be carried out.

use crate::factory::further::aims::Aim;
use crate::simulate::search::surroundings::{NearSituation, Surroundings};
use crate::simulate::situation::BitSet;
use crate::simulate::story::Simulator;

/// Places among what is around a situation.
pub(super) struct Whereabouts<'s> {
    pub(super) around: &'s Surroundings,
    /// By fluent, where it is true, and by action, where it can be carried out.
    facts: Vec<BitSet>,
    actions: Vec<BitSet>,
}

impl<'s> Whereabouts<'s> {
    pub(super) fn of(around: &'s Surroundings, stage: &Simulator) -> Whereabouts<'s> {
        let places = around.reached.len();
        let none = |count: usize| vec![BitSet::new(places); count];
        let (mut facts, mut actions) = (none(stage.engine.fluents.len()), none(stage.engine.actions.len()));
        for (place, near) in around.reached.iter().enumerate() {
            near.situation.iter().for_each(|fluent| facts[fluent].insert(place));
            near.executable.iter().for_each(|action| actions[*action].insert(place));
        }
        Whereabouts { around, facts, actions }
    }

    pub(super) fn count(&self) -> usize {
        self.around.reached.len()
    }

    /// The places at which a condition is met.
    pub(super) fn that(&self, is_met: impl Fn(usize, &NearSituation) -> bool) -> BitSet {
        let mut found = BitSet::new(self.count());
        let met = self.around.reached.iter().enumerate().filter(|(place, near)| is_met(*place, near));
        met.for_each(|(place, _)| found.insert(place));
        found
    }

    /// The places at which something is so.
    pub(super) fn of_aim(&self, aim: &Aim) -> BitSet {
        match aim {
            Aim::Fact(fluent) => self.facts[*fluent].clone(),
            Aim::Action(action) => self.actions[*action].clone(),
            Aim::Goal(goal) => {
                let mut found = self.that(|_, _| true);
                for (fluent, truth) in goal {
                    match truth {
                        true => found = found.intersection(&self.facts[*fluent]),
                        false => found.take_out(&self.facts[*fluent]),
                    }
                }
                found
            }
        }
    }

    /// Is something so at one of some places?
    pub(super) fn is_in(&self, aim: &Aim, places: &BitSet) -> bool {
        match aim {
            Aim::Fact(fluent) => self.facts[*fluent].common(places) > 0,
            Aim::Action(action) => self.actions[*action].common(places) > 0,
            Aim::Goal(_) => self.of_aim(aim).common(places) > 0,
        }
    }
}
