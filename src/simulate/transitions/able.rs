//! Situations to the actions that can be carried out in them.

use crate::simulate::error::SimulationError;
use crate::simulate::situation::Situation;
use crate::simulate::transitions::lanes::{load, truth, unload};
use crate::simulate::transitions::transition_system::{LANES, TransitionSystem};

impl TransitionSystem {
    /// The actions that can be carried out in each of some situations; none where the rules allow no such situation.
    ///
    /// # Errors
    /// Solver failures.
    pub fn executable(&mut self, situations: &[&Situation]) -> Result<Vec<Vec<usize>>, SimulationError> {
        let mut found = Vec::with_capacity(situations.len());
        for some in situations.chunks(LANES) {
            match self.executable_in_lanes(some) {
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
    fn executable_in_lanes(&mut self, situations: &[&Situation]) -> Option<Vec<Vec<usize>>> {
        let compiled = &*self.compiled;
        let native = compiled.native.as_ref().filter(|_| !self.by_clingo)?;
        let evaluator = compiled.able(native);
        let values = self.values.able.get_or_insert_with(|| evaluator.values());
        load(values, &compiled.now, situations);
        let verdict = evaluator.run(values);
        if (0..situations.len()).any(|lane| verdict.undecided.get(lane)) {
            return None;
        }
        let can = unload(situations.len(), compiled.can.len(), |action| truth(values, compiled.can[action]));
        let listed = can.into_iter().enumerate();
        Some(
            listed
                .map(|(lane, can)| if verdict.inconsistent.get(lane) { Vec::new() } else { can.listed() })
                .collect(),
        )
    }
}
