//! The move whose next state is worth most, by the rules.

use rand::rngs::ChaCha8Rng;

use crate::iq::play::agents::agent::{AgentView, Decided, Decision, IqAgent, Loss, Phase};
use crate::iq::play::choosing::best;

/// Looks one step ahead.
#[derive(Debug)]
pub struct OneStep {
    rng: ChaCha8Rng,
}

impl OneStep {
    /// With these random numbers.
    pub fn new(rng: ChaCha8Rng) -> OneStep {
        OneStep { rng }
    }
}

impl IqAgent for OneStep {
    fn decide(&mut self, view: &AgentView) -> Result<Decided, Loss> {
        if view.phase == Phase::Learning {
            return Ok(Decided::after(0, Decision::Switch));
        }
        let mut ticks = 1;
        let made = best(view.table, view.board, view.role, 0, &mut self.rng, &mut ticks);
        Ok(Decided::moving(ticks, made))
    }

    fn knows_rules(&self) -> bool {
        true
    }
}
