//! Situations to where their actions lead: each is worked out once, since most of what is around one situation is around others, too.

use crate::simulate::error::SimulationError;
use crate::simulate::situation::Situation;
use crate::simulate::transitions::met_situations::MetSituations;
use crate::simulate::transitions::transition_system::TransitionSystem;

impl TransitionSystem {
    /// The situations that were met.
    pub(crate) fn met_situations(&self) -> &MetSituations {
        &self.met_situations
    }

    /// The number of a situation, of which it is known what can be carried out. Others may be forgotten first: earlier numbers say
    /// nothing then.
    pub(crate) fn meet(&mut self, situation: &Situation, executable: &[usize]) -> u32 {
        let known = &mut self.met_situations;
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
        let mut known = std::mem::take(&mut self.met_situations);
        // What is half known is forgotten.
        self.explore_among(&mut known, numbers)?;
        self.met_situations = known;
        Ok(())
    }

    fn explore_among(&mut self, known: &mut MetSituations, numbers: &[u32]) -> Result<(), SimulationError> {
        let new: Vec<u32> =
            numbers.iter().copied().filter(|number| known.leads[*number as usize].is_none()).collect();
        let steps =
            |numbers: &[u32]| numbers.iter().map(|number| known.executable(*number).len()).sum::<usize>();
        known.steps = (known.steps.0 + steps(numbers), known.steps.1 + steps(&new));
        // All are evaluated together, which fills the lanes.
        let of = |number: &u32| {
            let situation = &**known.situation(*number);
            known.executable(*number).iter().map(move |action| (situation, *action))
        };
        let ends = self.steps_to(&new.iter().flat_map(of).collect::<Vec<(&Situation, usize)>>())?;
        let (mut step, met) = (0, known.situations.len());
        for number in new {
            let first = known.all_leads.len();
            for action in known.executable(number).clone().iter() {
                let Some(words) = ends.of(step) else {
                    let action = &self.compiled().actions[*action];
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
        let MetSituations { situations, executable, .. } = known;
        let new: Vec<&Situation> = situations[met..].iter().map(|one| &**one).collect();
        self.tell_executable(&new, &mut |able| executable.push(able.into()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use crate::domain::package::Package;
    use crate::simulate::layout::Layout;
    use crate::simulate::plans::sampling::Sampling;
    use crate::simulate::story::Simulator;
    use crate::simulate::transitions::met_situations::KNOWN_AFTER;

    #[test]
    fn what_was_met_leads_where_its_actions_do() {
        let mut rng = racgen_logic::seed::stream(5, &["met situations"]);
        let limit = Duration::from_secs(60);
        let package = Package::load("blocks").unwrap();
        let layout = Layout::sample(&package, 2, &BTreeMap::new(), &mut rng, limit).unwrap();
        let mut stage = Simulator::new(&package, layout, Sampling::Walk, limit, &mut rng).unwrap();
        let (start, _) = stage.draw_world(&mut rng).unwrap();
        let engine = &mut stage.engine;
        let (here, _) = engine.consider(&start, None).unwrap().unwrap();
        let first = engine.meet(&here.situation, &here.executable);
        engine.explore(&[first]).unwrap();
        let mut all = engine.met_situations().leads(first).to_vec();
        all.push(first);
        engine.explore(&all).unwrap();
        let met = engine.met_situations().situations.len();
        for number in all {
            let known = engine.met_situations();
            let (situation, leads) = (known.situation(number).clone(), known.leads(number).to_vec());
            let executable: Vec<usize> = known.executable(number).to_vec();
            assert_eq!(engine.consider(&situation, None).unwrap().unwrap().0.executable, executable);
            assert_eq!(leads.len(), executable.len());
            for (action, to) in executable.into_iter().zip(leads) {
                let outcome = engine.step(&situation, action).unwrap().unwrap();
                assert_eq!(**engine.met_situations().situation(to), outcome.situation);
            }
        }
        // What is known is not worked out again, and leads to nothing new.
        let asked = engine.met_situations().steps;
        engine.explore(&[first]).unwrap();
        assert_eq!(engine.met_situations().steps, (asked.0 + here.executable.len(), asked.1));
        assert_eq!(engine.meet(&here.situation, &here.executable), first);
        assert_eq!(engine.met_situations().situations.len(), met);
        // Where hardly any step comes again, nothing is kept.
        engine.met_situations.steps = (KNOWN_AFTER, KNOWN_AFTER);
        assert_eq!(engine.meet(&here.situation, &here.executable), 0);
        assert_eq!(engine.met_situations().situations.len(), 1);
    }
}
