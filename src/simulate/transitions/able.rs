//! Situations to the actions that can be carried out in them.

use racgen_logic::evaluate::lanes::LaneValues;

use crate::simulate::error::SimulationError;
use crate::simulate::situation::{Situation, numbers};
use crate::simulate::transitions::lanes::{load, truth, unload_words};
use crate::simulate::transitions::transition_system::{LANES, MANY, StepValues, TransitionSystem};

impl TransitionSystem {
    /// The actions that can be carried out in each of some situations; none where the rules allow no such situation.
    ///
    /// # Errors
    /// Solver failures.
    pub fn executable(&mut self, situations: &[&Situation]) -> Result<Vec<Vec<usize>>, SimulationError> {
        let mut found = Vec::with_capacity(situations.len());
        self.tell_executable(situations, &mut |able| found.push(able.to_vec()))?;
        Ok(found)
    }

    /// Tells of each of some situations, in order, the actions that can be carried out in it, as [`TransitionSystem::executable`]
    /// lists them.
    ///
    /// # Errors
    /// Solver failures.
    pub(super) fn tell_executable(
        &mut self,
        situations: &[&Situation],
        tell: &mut dyn FnMut(&[usize]),
    ) -> Result<(), SimulationError> {
        let mut rest = situations;
        while !rest.is_empty() {
            let (some, others) = rest.split_at(rest.len().min(if rest.len() > LANES { MANY } else { LANES }));
            rest = others;
            let is_told = match some.len() > LANES {
                true => self.executable_in_lanes(some, |values| &mut values.many, tell),
                false => self.executable_in_lanes(some, |values| &mut values.few, tell),
            };
            if !is_told {
                let asked: Vec<(&Situation, Option<usize>)> = some.iter().map(|here| (*here, None)).collect();
                for here in self.sheets(&asked)? {
                    tell(here.as_ref().map_or(&[], |(here, _)| &here.executable));
                }
            }
        }
        Ok(())
    }

    /// Tells nothing where the evaluator cannot; does it?
    fn executable_in_lanes<const L: usize>(
        &mut self,
        situations: &[&Situation],
        among: impl Fn(&mut StepValues) -> &mut Option<LaneValues<L>>,
        tell: &mut dyn FnMut(&[usize]),
    ) -> bool {
        let compiled = &*self.compiled;
        let Some(native) = compiled.native.as_ref().filter(|_| !self.by_clingo) else { return false };
        let evaluator = compiled.able(native);
        let values = among(&mut self.values.able).get_or_insert_with(|| evaluator.values());
        load(values, &compiled.now, situations);
        let verdict = evaluator.run(values);
        if (0..situations.len()).any(|lane| verdict.undecided.get(lane)) {
            return false;
        }
        let (count, mut words) = (compiled.can.len(), Vec::new());
        unload_words(situations.len(), count, |action| truth(values, compiled.can[action]), &mut words);
        let width = count.div_ceil(64);
        let mut able = Vec::new();
        for lane in 0..situations.len() {
            able.clear();
            if !verdict.inconsistent.get(lane) {
                able.extend(numbers(&words[lane * width..(lane + 1) * width]));
            }
            tell(&able);
        }
        true
    }
}
