//! Q-learning with a table, from experience alone (Watkins 1989): a value for each state and move that was met.
//!
//! An episode is gone over backwards when it ends, so that what came of it reaches its first state at once. Moves that
//! were never made are thought to be worth all that there is, so that each is tried.

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashMap as HashMap;

use crate::iq::play::agents::agent::{AgentView, Decided, Decision, IqAgent, Loss, Phase};

/// How far a value moves towards what was met last.
const RATE: f64 = 0.5;
/// Share of random moves while learning.
const CURIOSITY: f64 = 0.1;
/// Of the time, the part spent on learning, in quarters.
const LEARNING_QUARTERS: u64 = 3;

/// Learns a table.
#[derive(Debug)]
pub struct Tabular {
    rng: ChaCha8Rng,
    values: HashMap<Box<[u64]>, HashMap<u32, f64>>,
    /// The decisions of the episode so far: state, legal moves, move, and what was earned until the next decision.
    course: Vec<MadeDecision>,
}

#[derive(Debug)]
struct MadeDecision {
    state: Box<[u64]>,
    legal: usize,
    made: u32,
    reward: f64,
}

impl Tabular {
    /// With random numbers of this seed.
    pub fn new(seed: u64) -> Tabular {
        Tabular { rng: stream(seed, &["iq", "tabular"]), values: HashMap::default(), course: Vec::new() }
    }

    /// The greatest value of a state: of moves not made yet it is 1.
    fn hope(&self, state: &[u64], legal: usize) -> f64 {
        let known = self.values.get(state);
        let made = known.map_or(0, HashMap::len);
        let most = known.into_iter().flat_map(HashMap::values).copied().fold(0.0, f64::max);
        if made < legal { 1.0 } else { most }
    }

    /// Goes over an episode that has ended.
    fn note(&mut self) {
        let mut then = 0.0;
        for step in std::mem::take(&mut self.course).into_iter().rev() {
            let target = step.reward + then;
            let moves = self.values.entry(step.state.clone()).or_default();
            let value = moves.entry(step.made).or_insert(target);
            *value += RATE * (target - *value);
            then = self.hope(&step.state, step.legal);
        }
    }

    fn choose(&mut self, view: &AgentView) -> Option<u32> {
        let learning = view.phase == Phase::Learning;
        if learning && self.rng.random_bool(CURIOSITY) {
            return view.legal.get(self.rng.random_range(0..view.legal.len())).copied();
        }
        let known = self.values.get(view.board.state());
        let unknown = if learning { 1.0 } else { -1.0 };
        let value = |made: &u32| known.and_then(|values| values.get(made)).copied().unwrap_or(unknown);
        let most = view.legal.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<u32> = view.legal.iter().copied().filter(|made| value(made) >= most).collect();
        best.get(self.rng.random_range(0..best.len().max(1))).copied()
    }
}

impl IqAgent for Tabular {
    fn decide(&mut self, view: &AgentView) -> Result<Decided, Loss> {
        if let Some(last) = self.course.last_mut() {
            last.reward += view.reward;
        }
        if view.ended {
            self.note();
        }
        let ticks = view.legal.len() as u64;
        let spent = view.budget - view.left;
        if view.phase == Phase::Learning && spent >= view.budget / 4 * LEARNING_QUARTERS {
            // The episode is cut off: nothing is known of its end.
            self.course.clear();
            return Ok(Decided::after(0, Decision::Switch));
        }
        let made = self.choose(view);
        if let Some(made) = made {
            let state = view.board.state().into();
            self.course.push(MadeDecision { state, legal: view.legal.len(), made, reward: 0.0 });
        }
        Ok(Decided::moving(ticks, made))
    }
}
