//! Random moves: of an agent that asks to be evaluated at once, and of one that never does.

use rand::rngs::ChaCha8Rng;

use crate::iq::play::agents::agent::{AgentView, Decided, Decision, IqAgent, Loss, Phase};
use crate::iq::play::choosing::random;

/// Moves at random.
#[derive(Debug)]
pub struct RandomMover {
    rng: ChaCha8Rng,
    switches: bool,
}

impl RandomMover {
    /// Switches at once, or never.
    pub fn new(rng: ChaCha8Rng, switches: bool) -> RandomMover {
        RandomMover { rng, switches }
    }
}

impl IqAgent for RandomMover {
    fn decide(&mut self, view: &AgentView) -> Result<Decided, Loss> {
        if self.switches && view.phase == Phase::Learning {
            return Ok(Decided::after(0, Decision::Switch));
        }
        Ok(Decided::moving(1, random(view.board, view.role, &mut self.rng)))
    }
}
