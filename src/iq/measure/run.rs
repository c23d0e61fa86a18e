//! Agents and numbers of games to rows: each game is sampled once, and played by all agents.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};

use racgen_logic::seed::stream;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::iq::error::IqError;
use crate::iq::grammar::code::printed;
use crate::iq::measure::results::ResultRow;
use crate::iq::measure::schedule::ScheduledGame;
use crate::iq::play::agents::agent::IqAgent;
use crate::iq::play::agents::names::IqAgentName;
use crate::iq::play::external::{ExternalAgent, ExternalSettings};
use crate::iq::play::replay::replay;
use crate::iq::play::trial::{TrialClock, TrialResult, trial};
use crate::iq::sample::sampler::{GameChoice, SampledGame, Sampler};

/// Of so many games clingo judges the steps of an episode of one.
const JUDGED: u64 = 16;

/// How agents are measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measuring {
    /// The seed of games and of agents.
    pub seed: u64,
    /// Ticks below which games count as equally fast.
    pub tau0: f64,
    /// The budget T0 of agents that come with racgen, in ticks.
    pub budget: u64,
    /// The budget T0 of programs, in steps of the game.
    pub steps: u64,
    /// In asynchronous play, ticks of thought after which the game goes on; 0 for synchronous play.
    pub pace: u64,
    /// The same for programs, in milliseconds.
    pub pace_time: u64,
    /// Iterations of the schedule.
    pub iterations: u32,
    /// Which games.
    pub games: GameChoice,
}

/// An agent that is measured.
#[derive(Clone, Debug)]
pub enum MeasuredAgent {
    /// One that comes with racgen.
    Own(IqAgentName),
    /// A program, under a name.
    Program(String, Box<ExternalSettings>),
}

impl MeasuredAgent {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            MeasuredAgent::Own(own) => own.name(),
            MeasuredAgent::Program(name, _) => name,
        }
    }
}

/// Programs that wait for their next game, by agent.
#[derive(Debug)]
pub struct AgentPrograms {
    waiting: Vec<Mutex<Vec<ExternalAgent>>>,
}

impl AgentPrograms {
    /// Of so many agents, none of which runs yet.
    pub fn new(agents: usize) -> AgentPrograms {
        AgentPrograms { waiting: (0..agents).map(|_| Mutex::default()).collect() }
    }

    fn take(&self, agent: usize, settings: &ExternalSettings) -> Result<ExternalAgent, IqError> {
        let waiting = self.waiting[agent].lock().unwrap_or_else(PoisonError::into_inner).pop();
        waiting.map_or_else(|| ExternalAgent::new(settings.clone()), Ok)
    }

    fn put_back(&self, agent: usize, program: ExternalAgent) {
        self.waiting[agent].lock().unwrap_or_else(PoisonError::into_inner).push(program);
    }
}

/// An agent that plays a game.
pub enum Player {
    /// One that comes with racgen.
    Own(Box<dyn IqAgent>),
    /// A program, and its place among the agents.
    Program(usize, Box<ExternalAgent>),
}

impl Player {
    /// The agent for the game with a number, fresh or waiting.
    ///
    /// # Errors
    /// A program that cannot be started.
    pub fn begin(
        agent: &MeasuredAgent,
        place: usize,
        seed: u64,
        number: u64,
        programs: &AgentPrograms,
    ) -> Result<Player, IqError> {
        Ok(match agent {
            MeasuredAgent::Own(own) => Player::Own(own.agent(seed, &number.to_string())),
            MeasuredAgent::Program(_, settings) => {
                Player::Program(place, Box::new(programs.take(place, settings)?))
            }
        })
    }

    /// Who decides.
    pub fn agent(&mut self) -> &mut dyn IqAgent {
        match self {
            Player::Own(own) => &mut **own,
            Player::Program(_, program) => &mut **program,
        }
    }

    /// The game is over, with a result where the agent played alone.
    pub fn end(self, result: Option<&TrialResult>, programs: &AgentPrograms) {
        if let Player::Program(place, mut program) = self {
            program.end(result);
            programs.put_back(place, *program);
        }
    }
}

impl Measuring {
    /// How games are drawn.
    pub fn sampler(&self) -> Sampler {
        Sampler { seed: self.seed, tau0: self.tau0, games: self.games }
    }

    /// The time of an agent in a game whose budget is T0, doubled so often.
    fn clock(&self, agent: &MeasuredAgent, doublings: u32) -> TrialClock {
        match agent {
            MeasuredAgent::Own(_) => {
                TrialClock { budget: self.budget << doublings, in_steps: false, pace: self.pace }
            }
            MeasuredAgent::Program(..) => {
                TrialClock { budget: self.steps << doublings, in_steps: true, pace: self.pace_time }
            }
        }
    }

    fn play(
        &self,
        place: usize,
        agent: &MeasuredAgent,
        game: &SampledGame,
        clock: TrialClock,
        programs: &AgentPrograms,
    ) -> Result<(TrialResult, bool), IqError> {
        let number = game.number.to_string();
        let rng = stream(self.seed, &["iq", "trial", agent.name(), &number]);
        let mut player = Player::begin(agent, place, self.seed, game.number, programs)?;
        let knows = player.agent().knows_rules();
        let result = trial(&game.table, player.agent(), clock, rng);
        player.end(Some(&result), programs);
        Ok((result, knows))
    }

    /// The rows of some games, game by game and agent by agent.
    ///
    /// # Errors
    /// Games that cannot be played, Ctrl-C.
    pub fn rows(
        &self,
        games: &[ScheduledGame],
        agents: &[MeasuredAgent],
        programs: &AgentPrograms,
        stop: &AtomicBool,
    ) -> Result<Vec<ResultRow>, IqError> {
        let of_game = |scheduled: &ScheduledGame| -> Result<Vec<ResultRow>, IqError> {
            if stop.load(Ordering::Relaxed) {
                return Err(IqError::Interrupted);
            }
            let game = self.sampler().game(scheduled.number)?;
            if scheduled.number.is_multiple_of(JUDGED) {
                let words = ["iq", "judge", &scheduled.number.to_string()];
                replay(&game.table, &mut stream(self.seed, &words))?;
            }
            let all = agents.iter().enumerate().map(|(place, agent)| {
                let clock = self.clock(agent, scheduled.doublings);
                let (result, knows) = self.play(place, agent, &game, clock, programs)?;
                Ok(row((agent.name(), knows), &game, scheduled, clock, result))
            });
            all.collect()
        };
        let rows: Vec<Vec<ResultRow>> = games.par_iter().map(of_game).collect::<Result<_, _>>()?;
        Ok(rows.into_iter().flatten().collect())
    }
}

fn row(
    (agent, knows_rules): (&str, bool),
    game: &SampledGame,
    scheduled: &ScheduledGame,
    clock: TrialClock,
    result: TrialResult,
) -> ResultRow {
    let grammar = &game.table.grammar;
    ResultRow {
        agent: agent.to_owned(),
        knows_rules,
        number: game.number,
        game: grammar.id(),
        kind: grammar.derived.kind.clone(),
        players: game.table.roles() as u64,
        opponent: game.table.opponent().map_or(String::new(), |opponent| opponent.name().to_owned()),
        derivation: printed(&grammar.bits),
        length: u64::from(grammar.length()),
        tau: game.play.tau,
        complexity: game.complexity,
        iteration: scheduled.iteration,
        doublings: scheduled.doublings,
        budget: clock.budget,
        in_steps: clock.in_steps,
        result,
    }
}
