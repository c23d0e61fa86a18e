//! A game for two and two agents to who got how many points: the relative measure of section 4 of the paper.
//!
//! Each agent has a budget, and learns the game in its role against the fixed adversary, as in the absolute measure,
//! until it switches. Then the two play each other with the time that they have left, and the episodes that are completed
//! count. Who has no time left when it is to decide ends the match, and has lost it if no episode was completed. Who never
//! switched has lost, too.

use racgen_logic::seed::stream;
use rand::rngs::ChaCha8Rng;

use crate::games::play::ground_game::Board;
use crate::iq::play::agents::agent::{AgentView, Decision, IqAgent, Phase};
use crate::iq::play::table::GameTable;
use crate::iq::play::trial::{TrialClock, learn};

/// One side of a match.
struct Side<'a> {
    agent: &'a mut dyn IqAgent,
    clock: TrialClock,
    left: u64,
    reward: f64,
    ended: bool,
    earned: f64,
    points: f64,
}

impl<'a> Side<'a> {
    fn new(agent: &'a mut dyn IqAgent, clock: TrialClock, left: u64) -> Side<'a> {
        Side { agent, clock, left, reward: 0.0, ended: false, earned: 0.0, points: 0.0 }
    }
}

/// A match under way.
struct GameMatch<'m> {
    table: &'m GameTable,
    board: Board<'m>,
    sides: [Side<'m>; 2],
    step: u32,
    completed: u64,
}

/// The points of two agents, each with its clock, in a game for two: the mean of completed episodes, of which so many count at
/// most, from 0 to 1. The first agent has the first role.
pub fn play_match(
    table: &GameTable,
    agents: [(&mut dyn IqAgent, TrialClock); 2],
    episodes: u64,
    seed: u64,
) -> [f64; 2] {
    let [first, second] = agents;
    let rng = |side: &str| -> ChaCha8Rng { stream(seed, &["iq", "match", side]) };
    let learned = [
        learn(table, 0, first.0, first.1, rng("first")).ok().flatten(),
        learn(table, 1, second.0, second.1, rng("second")).ok().flatten(),
    ];
    let [Some(left), Some(other)] = learned else {
        return match learned {
            [Some(_), None] => [1.0, 0.0],
            [None, Some(_)] => [0.0, 1.0],
            _ => [0.5, 0.5],
        };
    };
    let sides = [Side::new(first.0, first.1, left), Side::new(second.0, second.1, other)];
    let mut played = GameMatch { table, board: table.board(), sides, step: 0, completed: 0 };
    let lost = played.play(episodes);
    match (played.completed, lost) {
        (0, Some(0)) => [0.0, 1.0],
        (0, Some(_)) => [1.0, 0.0],
        (0, None) => [0.5, 0.5],
        (episodes, _) => played.sides.map(|side| side.points / episodes as f64),
    }
}

impl GameMatch<'_> {
    /// Plays until enough episodes are completed; returns the role that ended the match before.
    fn play(&mut self, episodes: u64) -> Option<usize> {
        while self.completed < episodes {
            if self.board.terminal() {
                self.end_episode();
                continue;
            }
            let mut moves = Vec::with_capacity(2);
            for role in 0..2 {
                match self.decide(role) {
                    Some(made) => moves.push(made),
                    None => return Some(role),
                }
            }
            self.board.advance(&moves);
            self.step += 1;
            for (role, side) in self.sides.iter_mut().enumerate() {
                side.left = side.left.saturating_sub(side.clock.step_price(self.table));
                let now = self.table.value(&self.board, role);
                side.reward += now - side.earned;
                side.earned = now;
            }
        }
        None
    }

    fn end_episode(&mut self) {
        for (role, side) in self.sides.iter_mut().enumerate() {
            side.points += self.table.value(&self.board, role);
            (side.ended, side.earned) = (true, 0.0);
        }
        self.completed += 1;
        self.step = 0;
        self.board.reset();
    }

    /// The move of a role; none if it has no time left, or loses by what it does.
    fn decide(&mut self, role: usize) -> Option<u32> {
        let legal = self.table.legal(&self.board, role);
        let side = &mut self.sides[role];
        if let [only] = legal[..]
            && self.step > 0
        {
            return Some(only);
        }
        if side.left < side.clock.step_price(self.table) {
            return None;
        }
        let view = AgentView {
            table: self.table,
            board: &self.board,
            role,
            legal: &legal,
            phase: Phase::Evaluation,
            episode: self.completed,
            step: self.step,
            reward: std::mem::take(&mut side.reward),
            ended: std::mem::take(&mut side.ended),
            left: side.left,
            budget: side.clock.budget,
        };
        let decided = side.agent.decide(&view).ok()?;
        side.left = side.left.saturating_sub(side.clock.thought_price(decided.ticks));
        match decided.decision {
            Decision::Move(made) if legal.contains(&made) => Some(made),
            _ => None,
        }
    }
}
