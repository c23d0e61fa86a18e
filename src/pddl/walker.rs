//! A world to the situations that random walks of actions lead to in it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use racgen_logic::clingo::Program;
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::domain::package::Package;
use crate::pddl::vocabulary::PackageWords;
use crate::pddl::world::ImportedWorld;
use crate::simulate::error::SimulationError;
use crate::simulate::layout::{Layout, Object};
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Steps of all walks in a world, for each situation that is wanted.
const STEPS_EACH: usize = 40;
/// How many steps a walk makes before another begins.
const LONGEST: usize = 60;

/// A world made ready for walks.
pub(crate) struct Walker {
    engine: TransitionSystem,
}

/// The layout of a world.
pub(crate) fn layout(world: &ImportedWorld, vocabulary: &PackageWords, number: i64) -> Layout {
    let counts = world.counts(vocabulary.kinds.len());
    let mut parameters = BTreeMap::from([(WORLD.to_owned(), number)]);
    let mut objects = Vec::new();
    for (kind, (of, count)) in vocabulary.kinds.iter().zip(counts).enumerate() {
        parameters.insert(of.count.clone(), count as i64);
        objects.extend((1..=count).map(|n| Object { id: format!("{}{n}", of.id).into(), kind }));
    }
    Layout { parameters, objects, statics: world.statics.iter().cloned().collect() }
}

/// The parameter that says which of the given worlds a layout is.
pub(crate) const WORLD: &str = "world";

/// The program of the steps of a world.
pub(crate) fn steps(package: &Package, world: &ImportedWorld, vocabulary: &PackageWords) -> Program {
    layout(world, vocabulary, 1).bare_step_program(package)
}

impl Walker {
    /// Grounds a world.
    ///
    /// # Errors
    /// Solver failures.
    pub(crate) fn new(
        package: &Package,
        world: &ImportedWorld,
        vocabulary: &PackageWords,
        limit: Duration,
    ) -> Result<Walker, SimulationError> {
        Ok(Walker { engine: TransitionSystem::new(steps(package, world, vocabulary), limit)? })
    }

    /// The fluents and the actions that there are.
    pub(crate) fn terms(&self) -> (&[Term], &[Term]) {
        (&self.engine.fluents, &self.engine.actions)
    }

    fn situation(&self, fluents: &BTreeSet<Term>) -> Situation {
        let mut situation = BitSet::new(self.engine.fluents.len());
        let numbers = fluents.iter().filter_map(|fluent| self.engine.fluents.binary_search(fluent).ok());
        numbers.for_each(|number| situation.insert(number));
        situation
    }

    /// The world's own situation and others, as many as are wanted and met: each has an action that can be carried out.
    ///
    /// # Errors
    /// Solver failures.
    pub(crate) fn walk(
        &mut self,
        world: &ImportedWorld,
        wanted: usize,
        rng: &mut ChaCha8Rng,
    ) -> Result<Vec<BTreeSet<Term>>, SimulationError> {
        let start = self.situation(&world.fluents);
        let Some((begin, _)) = self.engine.consider(&start, None)? else { return Ok(Vec::new()) };
        let (mut known, mut found) = (BTreeSet::new(), Vec::new());
        let (mut here, mut length) = (begin.clone(), 0);
        for _ in 0..=wanted * STEPS_EACH {
            let inertial = here.situation.intersection(&self.engine.inertial);
            if !here.executable.is_empty() && known.insert(inertial.clone()) {
                found.push(inertial.iter().map(|number| self.engine.fluents[number].clone()).collect());
            }
            if found.len() >= wanted || begin.executable.is_empty() {
                break;
            }
            let action = here.executable.choose(rng).copied().filter(|_| length < LONGEST);
            length += 1;
            let next = match action {
                Some(action) => self.engine.bare_steps(&[(&inertial, action)])?.pop().flatten(),
                None => None,
            };
            here = next.unwrap_or_else(|| {
                length = 0;
                begin.clone()
            });
        }
        Ok(found)
    }
}
