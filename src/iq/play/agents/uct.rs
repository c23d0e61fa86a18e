//! Upper confidence bounds applied to trees (Kocsis and Szepesvari 2006), by the rules: each role has its own bounds.
//!
//! States hold the step, so that none comes twice in an episode; what is known of a state is kept for the whole game.

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashMap as HashMap;

use crate::games::play::ground_game::Board;
use crate::iq::play::agents::agent::{AgentView, Decided, Decision, IqAgent, Loss, Phase};
use crate::iq::play::choosing::{play_out, random};
use crate::iq::play::table::GameTable;

/// Weight of what is little known. Rewards are from 0 to 1.
const EXPLORATION: f64 = 1.0;
/// States that are kept at most.
const MOST_STATES: usize = 200_000;

/// Searches.
#[derive(Debug)]
pub struct Uct {
    rng: ChaCha8Rng,
    /// Episodes that the time is meant to suffice for.
    episodes: u64,
    known: HashMap<Box<[u64]>, UctState>,
}

/// What is known of a state: visits, and role by role what came of each move.
#[derive(Debug)]
struct UctState {
    visits: u32,
    moves: Vec<Vec<UctMove>>,
}

#[derive(Clone, Copy, Debug)]
struct UctMove {
    made: u32,
    tried: u32,
    sum: f64,
}

impl UctState {
    fn new(table: &GameTable, board: &Board) -> UctState {
        let of = |role| {
            let legal = table.legal(board, role).into_iter();
            legal.map(|made| UctMove { made, tried: 0, sum: 0.0 }).collect()
        };
        UctState { visits: 0, moves: (0..table.roles()).map(of).collect() }
    }

    /// The place of the move that a role tries next.
    fn choose(&self, role: usize, rng: &mut ChaCha8Rng) -> usize {
        let moves = &self.moves[role];
        if moves.len() < 2 {
            return 0;
        }
        let first = rng.random_range(0..moves.len());
        let log = f64::from(self.visits.max(1)).ln();
        let bound = |option: &UctMove| match option.tried {
            0 => f64::INFINITY,
            n => option.sum / f64::from(n) + EXPLORATION * (log / f64::from(n)).sqrt(),
        };
        let (mut most, mut found) = (f64::NEG_INFINITY, first);
        for rank in 0..moves.len() {
            let place = (first + rank) % moves.len();
            let worth = bound(&moves[place]);
            if worth > most {
                (most, found) = (worth, place);
            }
        }
        found
    }
}

impl Uct {
    /// With random numbers of this seed; the time is spent on so many episodes.
    pub fn new(seed: u64, episodes: u64) -> Uct {
        Uct { rng: stream(seed, &["iq", "uct"]), episodes, known: HashMap::default() }
    }

    /// Plays once from a state to the end, and takes note; returns the steps.
    fn simulate(&mut self, table: &GameTable, from: &Board) -> u64 {
        let mut board = from.clone();
        let mut path: Vec<(Box<[u64]>, Vec<usize>)> = Vec::new();
        let mut steps = 0;
        let mut moves = Vec::with_capacity(table.roles());
        while !board.terminal() {
            let key: Box<[u64]> = board.state().into();
            let fresh = !self.known.contains_key(&key);
            let state = self.known.entry(key.clone()).or_insert_with(|| UctState::new(table, &board));
            let places: Vec<usize> =
                (0..table.roles()).map(|role| state.choose(role, &mut self.rng)).collect();
            moves.clear();
            for (role, place) in places.iter().enumerate() {
                moves.extend(state.moves[role].get(*place).map(|option| option.made));
            }
            if moves.len() < table.roles() {
                break;
            }
            path.push((key, places));
            board.advance(&moves);
            steps += 1;
            if fresh {
                steps += play_out(table, &mut board, &mut self.rng);
                break;
            }
        }
        let values: Vec<f64> = (0..table.roles()).map(|role| table.value(&board, role)).collect();
        for (key, places) in path {
            if let Some(state) = self.known.get_mut(&key) {
                state.visits += 1;
                for (role, place) in places.into_iter().enumerate() {
                    let option = &mut state.moves[role][place];
                    option.tried += 1;
                    option.sum += values[role];
                }
            }
        }
        if self.known.len() > MOST_STATES {
            self.known.clear();
        }
        steps
    }
}

impl IqAgent for Uct {
    fn decide(&mut self, view: &AgentView) -> Result<Decided, Loss> {
        if view.phase == Phase::Learning {
            return Ok(Decided::after(0, Decision::Switch));
        }
        let table = view.table;
        if let [only] = view.legal {
            return Ok(Decided::moving(1, Some(*only)));
        }
        // Moves of an episode that are the agent's, at most; each gets the same time.
        let steps = u64::from(table.grammar.derived.horizon);
        let own = steps.div_ceil(table.roles() as u64).max(1);
        let reserve = steps * table.step_ticks();
        let share = view.budget.saturating_sub(self.episodes * reserve) / (self.episodes * own);
        let share = share.min(view.left.saturating_sub(reserve));
        let mut ticks = 1;
        while ticks < share {
            ticks += self.simulate(table, view.board).max(1) * table.step_ticks();
        }
        let known = self.known.get(view.board.state());
        let best = known.and_then(|state| {
            let most = state.moves[view.role].iter().max_by(|a, b| {
                let mean = |option: &UctMove| option.sum / f64::from(option.tried.max(1));
                // Often tried moves are those that looked good; the mean decides between equally often tried ones.
                a.tried.cmp(&b.tried).then(mean(a).total_cmp(&mean(b)))
            });
            most.filter(|option| option.tried > 0).map(|option| option.made)
        });
        let drawn = random(view.board, view.role, &mut self.rng);
        Ok(Decided::moving(ticks, best.or(drawn)))
    }

    fn knows_rules(&self) -> bool {
        true
    }
}
