//! Initial situations of a layout to those that actions lead to, each with the way there.

use std::time::Duration;

use rustc_hash::FxHashMap as HashMap;

use crate::simulate::error::SimulationError;
use crate::simulate::situation::Situation;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Situations that are met in one layout; fewer where clingo evaluates each step.
const MOST: usize = 400;
const MOST_BY_CLINGO: usize = 30;
/// Executable actions that are tried in each.
const MOST_STEPS: usize = 24;

/// Situations that were met, those that come first before those that follow from them.
pub(crate) struct Reached {
    /// All fluents of each, and the situation and the action before it; initial ones have neither.
    pub(crate) all: Vec<(Situation, Option<(usize, usize)>)>,
}

impl Reached {
    /// Goes on from these situations, breadth first.
    pub(crate) fn from(
        engine: &mut TransitionSystem,
        starts: &[Situation],
        limit: Duration,
    ) -> Result<Reached, SimulationError> {
        let mut engine = TransitionSystem::of(engine.compiled().clone(), limit);
        let most = if engine.is_native() { MOST } else { MOST_BY_CLINGO };
        let mut reached = Reached { all: Vec::new() };
        let mut known: HashMap<Situation, ()> = HashMap::default();
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        for start in starts {
            let Some((outcome, _)) = engine.consider(start, None)? else { continue };
            if known.insert(outcome.situation.clone(), ()).is_none() {
                open.push((reached.all.len(), outcome.executable));
                reached.all.push((outcome.situation, None));
            }
        }
        while !open.is_empty() && reached.all.len() < most {
            let mut steps: Vec<(usize, usize)> = Vec::new();
            for (place, executable) in &open {
                let stride = executable.len().div_ceil(MOST_STEPS).max(1);
                let tried = executable.iter().step_by(stride);
                let deeds = tried.flat_map(|action| engine.deeds.of(*action));
                steps.extend(deeds.map(|deed| (*place, deed)));
            }
            steps.truncate(most);
            let situations: Vec<(Situation, usize)> =
                steps.iter().map(|(place, action)| (reached.all[*place].0.clone(), *action)).collect();
            let asked: Vec<(&Situation, usize)> = situations.iter().map(|(s, action)| (s, *action)).collect();
            open.clear();
            for ((place, deed), outcome) in steps.into_iter().zip(engine.steps(&asked)?) {
                let Some(outcome) = outcome else { continue };
                let step = (place, engine.deeds.action_of(deed));
                if reached.all.len() < most && known.insert(outcome.situation.clone(), ()).is_none() {
                    open.push((reached.all.len(), outcome.executable));
                    reached.all.push((outcome.situation, Some(step)));
                }
            }
        }
        Ok(reached)
    }

    /// The initial situation from which one was met, and the actions that lead to it.
    pub(crate) fn way(&self, mut place: usize) -> (usize, Vec<usize>) {
        let mut actions = Vec::new();
        while let Some((before, action)) = self.all[place].1 {
            actions.push(action);
            place = before;
        }
        actions.reverse();
        (place, actions)
    }
}
