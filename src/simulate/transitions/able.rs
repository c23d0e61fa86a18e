//! Situations to the actions that can be carried out in them.

use racgen_logic::evaluate::lanes::LaneValues;

use crate::simulate::error::SimulationError;
use crate::simulate::situation::{Situation, listed};
use crate::simulate::transitions::lanes::{load, truth, unload_words};
use crate::simulate::transitions::transition_system::{LANES, MANY, StepValues, TransitionSystem};

impl TransitionSystem {
    /// The actions that can be carried out in each of some situations; none where the rules allow no such situation.
    ///
    /// # Errors
    /// Solver failures.
    pub fn executable(&mut self, situations: &[&Situation]) -> Result<Vec<Vec<usize>>, SimulationError> {
        let mut found = Vec::with_capacity(situations.len());
        let mut rest = situations;
        while !rest.is_empty() {
            let (some, others) = rest.split_at(rest.len().min(if rest.len() > LANES { MANY } else { LANES }));
            rest = others;
            let able = match some.len() > LANES {
                true => self.executable_in_lanes(some, |values| &mut values.many),
                false => self.executable_in_lanes(some, |values| &mut values.few),
            };
            match able {
                Some(all) => found.extend(all),
                None => {
                    let asked: Vec<(&Situation, Option<usize>)> =
                        some.iter().map(|here| (*here, None)).collect();
                    let considered = self.sheets(&asked)?.into_iter();
                    found.extend(
                        considered.map(|here| here.map_or_else(Vec::new, |(here, _)| here.executable)),
                    );
                }
            }
        }
        Ok(found)
    }

    /// None where the evaluator cannot tell.
    fn executable_in_lanes<const L: usize>(
        &mut self,
        situations: &[&Situation],
        among: impl Fn(&mut StepValues) -> &mut Option<LaneValues<L>>,
    ) -> Option<Vec<Vec<usize>>> {
        let compiled = &*self.compiled;
        let native = compiled.native.as_ref().filter(|_| !self.by_clingo)?;
        let evaluator = compiled.able(native);
        let values = among(&mut self.values.able).get_or_insert_with(|| evaluator.values());
        load(values, &compiled.now, situations);
        let verdict = evaluator.run(values);
        if (0..situations.len()).any(|lane| verdict.undecided.get(lane)) {
            return None;
        }
        let (count, mut words) = (compiled.can.len(), Vec::new());
        unload_words(situations.len(), count, |action| truth(values, compiled.can[action]), &mut words);
        let width = count.div_ceil(64);
        let can = |lane: usize| match verdict.inconsistent.get(lane) {
            true => Vec::new(),
            false => listed(&words[lane * width..(lane + 1) * width]),
        };
        Some((0..situations.len()).map(can).collect())
    }
}
