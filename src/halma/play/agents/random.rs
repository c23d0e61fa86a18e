//! Chance to moves.

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::halma::maze::grid::Direction;
use crate::halma::play::agents::agent::HalmaAgent;
use crate::halma::play::episode::{HalmaMove, HalmaTask, MOST_UNITS, MoveOutcome};
use crate::halma::play::panel::Panel;

/// Plays at random.
#[derive(Debug)]
pub struct RandomAgent {
    seed: u64,
    rng: ChaCha8Rng,
    affordable: bool,
    task: HalmaTask,
}

impl RandomAgent {
    /// A player who chooses among all words, or only among what is affordable.
    pub fn new(seed: u64, affordable: bool) -> RandomAgent {
        RandomAgent { seed, rng: stream(seed, &["halma", "agent"]), affordable, task: HalmaTask::default() }
    }
}

impl HalmaAgent for RandomAgent {
    fn begin(&mut self, task: &HalmaTask, episode: u64) {
        self.task = *task;
        self.rng = stream(self.seed, &["halma", "agent", &episode.to_string()]);
    }

    fn choose(&mut self, panel: &Panel) -> HalmaMove {
        if self.affordable {
            let free: Vec<Direction> = Direction::ALL.into_iter().filter(|d| panel.wall(*d) > 0).collect();
            let direction = free.choose(&mut self.rng).copied().unwrap_or(Direction::Left);
            let most = panel.wall(direction).min(MOST_UNITS * self.task.max_option);
            let units = if most > 0 { self.rng.random_range(1..=most) } else { 0 };
            return HalmaMove::of_units(direction, units, &self.task);
        }
        let direction = Direction::ALL[self.rng.random_range(0..4)];
        let length = self.rng.random_range(1..=self.task.max_option);
        let primitives: Vec<u8> = (0..length).map(|_| self.rng.random_range(0..=MOST_UNITS)).collect();
        // One to five primitives of 0 to 3 units are a move.
        HalmaMove::new(direction, &primitives).unwrap_or(HalmaMove::of_units(direction, 0, &self.task))
    }

    fn told(&mut self, _: &HalmaMove, _: &MoveOutcome) {}
}
