//! Situations of a layout that were met, and where their actions lead: each is worked out once, since most of what is around one
//! situation is around others, too.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::simulate::error::SimulationError;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How many situations are kept.
const MOST_KEPT: usize = 50_000;
/// None is kept after so many steps if fewer than one of so many were known by then.
const KNOWN_AFTER: usize = 20_000;
const KNOWN_ONE_IN: usize = 4;

/// The situations that were met, by their numbers.
#[derive(Default)]
pub(crate) struct KnownSteps {
    /// All their true fluents.
    situations: Vec<Situation>,
    /// Where it stands what can be carried out in each, and where that leads, once that is known.
    executable: Vec<Range<usize>>,
    leads: Vec<Option<Range<usize>>>,
    /// Actions, and numbers of situations.
    all_executable: Vec<u32>,
    all_leads: Vec<u32>,
    /// The numbers, found by the words of their situations, with the hash of these.
    numbers: HashTable<(u64, u32)>,
    /// How many steps were asked for, and how many of them were not known.
    steps: (usize, usize),
}

impl KnownSteps {
    /// A situation.
    pub(crate) fn situation(&self, number: u32) -> &Situation {
        &self.situations[number as usize]
    }

    /// What can be carried out in it.
    pub(crate) fn executable(&self, number: u32) -> &[u32] {
        &self.all_executable[self.executable[number as usize].clone()]
    }

    /// The numbers of the situations where that leads, in the same order.
    pub(crate) fn leads(&self, number: u32) -> &[u32] {
        self.leads[number as usize].clone().map_or(&[], |leads| &self.all_leads[leads])
    }

    /// The number of a situation; is it new, so that it has to be told next what can be carried out there?
    fn number_of(&mut self, words: &[u64]) -> (u32, bool) {
        let KnownSteps { situations, numbers, .. } = self;
        let hash = hashed(words);
        let is_it = |(_, number): &(u64, u32)| situations[*number as usize].words() == words;
        if let Some((_, number)) = numbers.find(hash, is_it) {
            return (*number, false);
        }
        let number = situations.len() as u32;
        numbers.insert_unique(hash, (hash, number), |(hash, _)| *hash);
        situations.push(BitSet::of_words(words.to_vec()));
        self.leads.push(None);
        (number, true)
    }

    /// Forgets all situations where there are very many, or where few steps come again.
    fn forget(&mut self) {
        let (asked, new) = self.steps;
        if self.situations.len() <= MOST_KEPT
            && (asked < KNOWN_AFTER || (asked - new) * KNOWN_ONE_IN >= asked)
        {
            return;
        }
        self.situations.clear();
        self.executable.clear();
        self.leads.clear();
        self.all_executable.clear();
        self.all_leads.clear();
        self.numbers.clear();
    }

    /// Says of the next situation what can be carried out there.
    fn tell_executable(&mut self, actions: &[usize]) {
        let first = self.all_executable.len();
        self.all_executable.extend(actions.iter().map(|action| *action as u32));
        self.executable.push(first..self.all_executable.len());
    }
}

impl TransitionSystem {
    /// The situations that were met.
    pub(crate) fn known_steps(&self) -> &KnownSteps {
        &self.known_steps
    }

    /// The number of a situation, of which it is known what can be carried out. Others may be forgotten first: earlier numbers say
    /// nothing then.
    pub(crate) fn meet(&mut self, situation: &Situation, executable: &[usize]) -> u32 {
        let known = &mut self.known_steps;
        known.forget();
        let (number, is_new) = known.number_of(situation.words());
        if is_new {
            known.tell_executable(executable);
        }
        number
    }

    /// Works out where the actions of situations lead that can be carried out there, and what can be carried out then.
    ///
    /// # Errors
    /// Solver failures; an action that cannot be carried out where it should.
    pub(crate) fn explore(&mut self, numbers: &[u32]) -> Result<(), SimulationError> {
        let mut known = std::mem::take(&mut self.known_steps);
        // What is half known is forgotten.
        self.explore_among(&mut known, numbers)?;
        self.known_steps = known;
        Ok(())
    }

    fn explore_among(&mut self, known: &mut KnownSteps, numbers: &[u32]) -> Result<(), SimulationError> {
        let new: Vec<u32> =
            numbers.iter().copied().filter(|number| known.leads[*number as usize].is_none()).collect();
        let steps =
            |numbers: &[u32]| numbers.iter().map(|number| known.executable(*number).len()).sum::<usize>();
        known.steps = (known.steps.0 + steps(numbers), known.steps.1 + steps(&new));
        // All are evaluated together, which fills the lanes.
        let of = |number: &u32| {
            let actions = known.executable(*number).iter().map(|action| *action as usize);
            let situation = known.situation(*number);
            actions.map(move |action| (situation, action)).collect::<Vec<_>>()
        };
        let ends = self.steps_to(&new.iter().flat_map(of).collect::<Vec<(&Situation, usize)>>())?;
        let (mut step, met) = (0, known.situations.len());
        for number in new {
            let first = known.all_leads.len();
            for place in known.executable[number as usize].clone() {
                let Some(words) = ends.of(step) else {
                    let action = &self.compiled().actions[known.all_executable[place] as usize];
                    let what = format!("whether `{action}` can be carried out");
                    return Err(SimulationError::Disagreement { what });
                };
                let (to, _) = known.number_of(words);
                known.all_leads.push(to);
                step += 1;
            }
            known.leads[number as usize] = Some(first..known.all_leads.len());
        }
        // Most steps lead to situations that are known, of which it need not be worked out again what can be done there.
        let able = self.executable(&known.situations[met..].iter().collect::<Vec<&Situation>>())?;
        able.iter().for_each(|can| known.tell_executable(can));
        Ok(())
    }
}

/// A hash of the words of a situation.
pub(crate) fn hashed(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    words.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::*;
    use crate::domain::package::Package;
    use crate::simulate::layout::Layout;
    use crate::simulate::plans::sampling::Sampling;
    use crate::simulate::story::Simulator;

    #[test]
    fn what_was_met_leads_where_its_actions_do() {
        let mut rng = racgen_logic::seed::stream(5, &["known steps"]);
        let limit = Duration::from_secs(60);
        let package = Package::load("blocks").unwrap();
        let layout = Layout::sample(&package, 2, &BTreeMap::new(), &mut rng, limit).unwrap();
        let mut stage = Simulator::new(&package, layout, Sampling::Walk, limit, &mut rng).unwrap();
        let (start, _) = stage.draw_world(&mut rng).unwrap();
        let engine = &mut stage.engine;
        let (here, _) = engine.consider(&start, None).unwrap().unwrap();
        let first = engine.meet(&here.situation, &here.executable);
        engine.explore(&[first]).unwrap();
        let mut all = engine.known_steps().leads(first).to_vec();
        all.push(first);
        engine.explore(&all).unwrap();
        let met = engine.known_steps().situations.len();
        for number in all {
            let known = engine.known_steps();
            let (situation, leads) = (known.situation(number).clone(), known.leads(number).to_vec());
            let executable: Vec<usize> = known.executable(number).iter().map(|a| *a as usize).collect();
            assert_eq!(engine.consider(&situation, None).unwrap().unwrap().0.executable, executable);
            assert_eq!(leads.len(), executable.len());
            for (action, to) in executable.into_iter().zip(leads) {
                let outcome = engine.step(&situation, action).unwrap().unwrap();
                assert_eq!(*engine.known_steps().situation(to), outcome.situation);
            }
        }
        // What is known is not worked out again, and leads to nothing new.
        let asked = engine.known_steps().steps;
        engine.explore(&[first]).unwrap();
        assert_eq!(engine.known_steps().steps, (asked.0 + here.executable.len(), asked.1));
        assert_eq!(engine.meet(&here.situation, &here.executable), first);
        assert_eq!(engine.known_steps().situations.len(), met);
        // Where hardly any step comes again, nothing is kept.
        engine.known_steps.steps = (KNOWN_AFTER, KNOWN_AFTER);
        assert_eq!(engine.meet(&here.situation, &here.executable), 0);
        assert_eq!(engine.known_steps().situations.len(), 1);
    }
}
