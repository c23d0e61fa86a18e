//! A game, an agent and a budget to the agent's value in it: the two phases of section 2.3 of the paper.
//!
//! The agent learns as long as it likes, then switches, once and for all. At the switch the game is reset and what was
//! earned is forgotten. V is the mean reward of the episodes that were completed from then on; where none was, what was
//! accumulated; where the agent never switched, 0.

use rand::rngs::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::games::play::ground_game::Board;
use crate::iq::play::agents::agent::{AgentView, Decision, IqAgent, Loss, Phase};
use crate::iq::play::choosing::random;
use crate::iq::play::table::GameTable;

/// The time of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialClock {
    /// All of it: ticks, or steps of the game.
    pub budget: u64,
    /// Is the budget a number of steps, rather than of ticks?
    pub in_steps: bool,
    /// In asynchronous play, after how long the game goes on without the agent: ticks, or milliseconds for a program of
    /// somebody else's. 0 is synchronous play.
    pub pace: u64,
}

impl TrialClock {
    /// What a step of a game takes of the budget.
    pub fn step_price(&self, table: &GameTable) -> u64 {
        if self.in_steps { 1 } else { table.step_ticks() }
    }

    /// What ticks of thought take of it: those of programs are not counted.
    pub fn thought_price(&self, ticks: u64) -> u64 {
        if self.in_steps { 0 } else { ticks }
    }
}

/// How an agent did in a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialResult {
    /// V, from 0 to 1.
    pub value: f64,
    /// Did it switch?
    pub switched: bool,
    /// Episodes completed before and after the switch.
    pub learned: u64,
    /// Those after it.
    pub evaluated: u64,
    /// Standard deviation of the rewards of the episodes completed after the switch.
    pub deviation: f64,
    /// Steps of the game.
    pub steps: u64,
    /// Time spent, as the budget counts it.
    pub spent: u64,
    /// Steps that the game went on without the agent.
    pub passes: u64,
    /// Those of them that were random moves, for want of a move that does nothing.
    pub random_passes: u64,
    /// How it lost the game, if it did; in a table, an empty text if it did not.
    #[serde(with = "lost_as_text")]
    pub lost: Option<Loss>,
}

/// A loss as its name, and none as an empty text.
mod lost_as_text {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::iq::play::agents::agent::Loss;

    #[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)]
    pub fn serialize<S: Serializer>(lost: &Option<Loss>, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(lost.map_or("", Loss::name))
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Loss>, D::Error> {
        let name = String::deserialize(from)?;
        Ok(Loss::ALL.into_iter().find(|loss| loss.name() == name))
    }
}

/// A trial under way.
struct GameTrial<'t> {
    table: &'t GameTable,
    clock: TrialClock,
    board: Board<'t>,
    rng: ChaCha8Rng,
    role: usize,
    phase: Phase,
    /// Does it end at the switch?
    learns_only: bool,
    left: u64,
    step: u32,
    /// Earned in this episode.
    earned: f64,
    /// Earned since the agent decided last, and whether an episode has ended since.
    reward: f64,
    ended: bool,
    /// Sums over completed episodes of the evaluation, of rewards and of their squares.
    sum: f64,
    squares: f64,
    result: TrialResult,
}

/// Has an agent play a game with a budget. The random numbers are those of the adversary and of passes.
pub fn trial(table: &GameTable, agent: &mut dyn IqAgent, clock: TrialClock, rng: ChaCha8Rng) -> TrialResult {
    let mut trial = GameTrial::new(table, table.own_role(), clock, rng);
    if let Err(loss) = trial.play(agent) {
        trial.result.lost = Some(loss);
    }
    trial.finish()
}

/// Has an agent learn a game in a role, against the fixed adversary in the other; returns the time that is left when it
/// switches, and none if it never does.
///
/// # Errors
/// A loss.
pub fn learn(
    table: &GameTable,
    role: usize,
    agent: &mut dyn IqAgent,
    clock: TrialClock,
    rng: ChaCha8Rng,
) -> Result<Option<u64>, Loss> {
    let mut trial = GameTrial::new(table, role, clock, rng);
    trial.learns_only = true;
    trial.play(agent)?;
    Ok(trial.result.switched.then_some(trial.left))
}

impl<'t> GameTrial<'t> {
    fn new(table: &'t GameTable, role: usize, clock: TrialClock, rng: ChaCha8Rng) -> GameTrial<'t> {
        GameTrial {
            table,
            clock,
            board: table.board(),
            rng,
            role,
            phase: Phase::Learning,
            learns_only: false,
            left: clock.budget,
            step: 0,
            earned: 0.0,
            reward: 0.0,
            ended: false,
            sum: 0.0,
            squares: 0.0,
            result: TrialResult::default(),
        }
    }

    fn play(&mut self, agent: &mut dyn IqAgent) -> Result<(), Loss> {
        while self.left >= self.step_price() && !(self.learns_only && self.result.switched) {
            if self.board.terminal() {
                self.end_episode();
                continue;
            }
            let legal = self.table.legal(&self.board, self.role);
            // Who has no choice is not asked, but for the start of an episode, where it may switch.
            let made = match legal[..] {
                [] => return Ok(()),
                [only] if self.step > 0 => Some(only),
                _ => self.ask(agent, &legal)?,
            };
            if let Some(made) = made {
                self.advance(made);
                self.left = self.left.saturating_sub(self.step_price());
            }
        }
        if self.board.terminal() && self.step > 0 {
            self.end_episode();
        }
        Ok(())
    }

    fn step_price(&self) -> u64 {
        self.clock.step_price(self.table)
    }

    /// Asks the agent; none if it switched, or if the game went on meanwhile and its move came too late.
    fn ask(&mut self, agent: &mut dyn IqAgent, legal: &[u32]) -> Result<Option<u32>, Loss> {
        let view = AgentView {
            table: self.table,
            board: &self.board,
            role: self.role,
            legal,
            phase: self.phase,
            episode: if self.phase == Phase::Learning { self.result.learned } else { self.result.evaluated },
            step: self.step,
            reward: std::mem::take(&mut self.reward),
            ended: std::mem::take(&mut self.ended),
            left: self.left,
            budget: self.clock.budget,
        };
        let decided = agent.decide(&view)?;
        self.left = self.left.saturating_sub(self.clock.thought_price(decided.ticks));
        let late = decided.elapsed.checked_div(self.clock.pace).unwrap_or(0);
        match decided.decision {
            Decision::Switch if self.phase == Phase::Evaluation => Err(Loss::Illegal),
            Decision::Switch => {
                self.phase = Phase::Evaluation;
                self.result.switched = true;
                self.reset();
                (self.reward, self.ended) = (0.0, false);
                Ok(None)
            }
            Decision::Move(made) if !legal.contains(&made) => Err(Loss::Illegal),
            // What did not fit into the budget is not made.
            Decision::Move(_) if self.left == 0 => Ok(None),
            Decision::Move(made) => Ok(self
                .go_on_without(late)
                .then_some(made)
                .filter(|made| self.table.legal(&self.board, self.role).contains(made))),
        }
    }

    /// Goes on without the agent for some of its turns; false if the episode ended meanwhile.
    fn go_on_without(&mut self, turns: u64) -> bool {
        let mut gone = 0;
        while gone < turns && self.left > 0 {
            if self.board.terminal() {
                return false;
            }
            let legal = self.table.legal(&self.board, self.role);
            let wait = legal.iter().copied().find(|made| self.table.is_wait(*made));
            let Some(made) = wait.or_else(|| random(&self.board, self.role, &mut self.rng)) else {
                return false;
            };
            // The turn of another is none that the agent missed.
            if legal.len() > 1 || wait.is_none() {
                gone += 1;
                self.result.passes += 1;
                self.result.random_passes += u64::from(wait.is_none());
            }
            self.advance(made);
            // Ticks of thought are paid for already; steps are not.
            self.left = self.left.saturating_sub(u64::from(self.clock.in_steps));
        }
        !self.board.terminal()
    }

    /// Makes a step with this move of the agent.
    fn advance(&mut self, made: u32) {
        let mut moves = Vec::with_capacity(self.table.roles());
        for role in 0..self.table.roles() {
            let chosen = match self.table.opponent() {
                // The opponent's time is the game's, not the agent's.
                Some(opponent) if role != self.role => {
                    opponent.choose(self.table, &self.board, role, &mut self.rng, &mut 0)
                }
                _ => Some(made),
            };
            moves.extend(chosen);
        }
        self.board.advance(&moves);
        self.step += 1;
        self.result.steps += 1;
        let now = self.table.value(&self.board, self.role);
        self.reward += now - self.earned;
        self.earned = now;
    }

    fn end_episode(&mut self) {
        if self.step == 0 {
            // A game that is over before it begins takes time all the same.
            self.left = self.left.saturating_sub(self.step_price());
            self.earned = self.table.value(&self.board, self.role);
        }
        match self.phase {
            Phase::Learning => self.result.learned += 1,
            Phase::Evaluation => {
                self.result.evaluated += 1;
                self.sum += self.earned;
                self.squares += self.earned * self.earned;
            }
        }
        self.ended = true;
        self.reset();
    }

    fn reset(&mut self) {
        self.board.reset();
        self.step = 0;
        self.earned = 0.0;
    }

    fn finish(mut self) -> TrialResult {
        self.result.spent = self.clock.budget - self.left;
        self.result.value = match self.result {
            TrialResult { lost: Some(_), .. } | TrialResult { switched: false, .. } => 0.0,
            TrialResult { evaluated: 0, .. } => self.earned,
            TrialResult { evaluated, .. } => self.sum / evaluated as f64,
        };
        let episodes = self.result.evaluated.max(1) as f64;
        let mean = self.sum / episodes;
        self.result.deviation = (self.squares / episodes - mean * mean).max(0.0).sqrt();
        self.result
    }
}

#[cfg(test)]
mod tests {
    use racgen_logic::seed::stream;

    use super::*;
    use crate::iq::grammar::derive::GrammarGame;
    use crate::iq::grammar::derived::{DerivedGame, Seats};
    use crate::iq::play::agents::agent::Decided;

    /// Two steps; the second decides: `good` is worth 100, `bad` nothing. After the first step there is 30 to be had.
    const RULES: &str = "(role player) (init (step 0)) (after 0 1) (after 1 2) (legal player good) (legal player bad)
        (<= (next (step ?n)) (true (step ?m)) (after ?m ?n)) (<= (next won) (true (step 1)) (does player good))
        (<= terminal (true (step 2))) (<= (goal player 100) (true won)) (<= (goal player 30) (true (step 1)))
        (<= some (true won)) (<= some (true (step 1))) (<= (goal player 0) (not some))";

    fn table() -> GameTable {
        let derived = DerivedGame { kind: "test".into(), rules: RULES.into(), horizon: 2, seats: Seats::One };
        GameTable::new(GrammarGame { bits: Vec::new(), derived }).unwrap()
    }

    /// Does what a script says of phase, episode and step: `g`ood, `b`ad, `s`witch, a move that is none.
    struct Scripted<F>(F, u64);

    impl<F: Fn(&AgentView) -> char> IqAgent for Scripted<F> {
        fn decide(&mut self, view: &AgentView) -> Result<Decided, Loss> {
            let named = |name: &str| view.legal.iter().copied().find(|made| view.table.told(*made) == name);
            let decision = match (self.0)(view) {
                's' => Decision::Switch,
                'g' => Decision::Move(named("good").unwrap()),
                'b' => Decision::Move(named("bad").unwrap()),
                _ => Decision::Move(99),
            };
            Ok(Decided::after(self.1, decision))
        }
    }

    fn played(script: impl Fn(&AgentView) -> char, steps: u64) -> TrialResult {
        let clock = TrialClock { budget: steps, in_steps: true, pace: 0 };
        trial(&table(), &mut Scripted(script, 0), clock, stream(0, &["test"]))
    }

    fn learning(view: &AgentView) -> bool {
        view.phase == Phase::Learning
    }

    #[test]
    fn scripted_agents_have_the_values_they_must() {
        // Good from the start.
        let good = played(|view| if learning(view) { 's' } else { 'g' }, 20);
        assert_eq!((good.value, good.evaluated, good.learned, good.lost), (1.0, 10, 0, None));
        // What is earned while learning does not count.
        let waster = |view: &AgentView| match (view.phase, view.episode) {
            (Phase::Learning, 0..4) => 'g',
            (Phase::Learning, _) => 's',
            (Phase::Evaluation, _) => 'b',
        };
        let wasted = played(waster, 20);
        assert_eq!((wasted.value, wasted.learned, wasted.evaluated), (0.0, 4, 6));
        // The mean, not the sum: every second episode is won, whatever the time.
        let half = |view: &AgentView| match learning(view) {
            true => 's',
            false if view.episode.is_multiple_of(2) => 'g',
            false => 'b',
        };
        assert_eq!(played(half, 40).value, 0.5);
        assert_eq!(played(half, 400).value, 0.5);
        assert_eq!(played(half, 40).deviation, 0.5);
        // Who never switches has nothing.
        let never = played(|_| 'g', 20);
        assert_eq!((never.value, never.switched, never.learned), (0.0, false, 10));
        // An episode that is not completed does not count where others are; where none is, what was accumulated does.
        assert_eq!(played(half, 3).value, 1.0);
        let started = played(|view| if learning(view) { 's' } else { 'g' }, 1);
        assert_eq!((started.value, started.evaluated), (0.3, 0));
    }

    /// Who switches just before a success has the game begin anew.
    #[test]
    fn the_switch_resets_the_game() {
        let sly = |view: &AgentView| match (view.phase, view.step) {
            (Phase::Learning, 0) => 'g',
            (Phase::Learning, _) => 's',
            (Phase::Evaluation, step) => {
                let seen = view.table.seen(view.board);
                assert_eq!(seen == "(step 0)", step == 0, "{seen}");
                assert!(step > 0 || view.ended || view.reward == 0.0);
                'g'
            }
        };
        let result = played(sly, 6);
        assert_eq!((result.steps, result.evaluated, result.value), (6, 2, 1.0));
    }

    #[test]
    fn a_second_switch_and_a_move_that_is_none_lose_the_game() {
        for script in [|_: &AgentView| 's', |view: &AgentView| if learning(view) { 's' } else { '?' }] {
            let result = played(script, 20);
            assert_eq!((result.value, result.lost), (0.0, Some(Loss::Illegal)));
        }
    }

    /// A slow agent's game goes on without it. There is no move that does nothing, so that it goes on at random.
    #[test]
    fn the_game_goes_on_while_an_agent_thinks() {
        let table = table();
        let good = |view: &AgentView| if learning(view) { 's' } else { 'g' };
        let run = |ticks, pace| {
            let clock = TrialClock { budget: 100_000, in_steps: false, pace };
            trial(&table, &mut Scripted(good, ticks), clock, stream(1, &["test"]))
        };
        let quick = run(9, 10);
        assert_eq!((quick.value, quick.passes), (1.0, 0));
        let paused = run(10_000, 0);
        assert_eq!((paused.value, paused.passes), (1.0, 0));
        // One step late, it still makes the step that decides; two steps late, chance makes both.
        let late = run(10, 10);
        assert!(late.passes > 100 && late.random_passes == late.passes && late.value == 1.0);
        let slow = run(20, 10);
        assert_eq!(slow.passes, 2 * slow.evaluated);
        assert!((0.45..0.55).contains(&slow.value), "{}", slow.value);
    }

    /// The time is what was given, in steps and in ticks.
    #[test]
    fn budgets_are_kept() {
        let table = table();
        for budget in [1, 7, 20, 333] {
            let good = |view: &AgentView| if learning(view) { 's' } else { 'g' };
            let result = played(good, budget);
            assert_eq!((result.steps, result.spent), (budget, budget));
            let clock = TrialClock { budget: budget * 10, in_steps: false, pace: 0 };
            let result = trial(&table, &mut Scripted(good, 3), clock, stream(0, &["test"]));
            assert!(result.spent <= budget * 10 && result.steps * table.step_ticks() <= result.spent);
        }
    }
}
