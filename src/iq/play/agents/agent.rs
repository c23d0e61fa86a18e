//! What an agent is told, what it answers, and how it can lose a game besides playing badly.

use serde::{Deserialize, Serialize};

use crate::games::play::ground_game::Board;
use crate::iq::play::table::GameTable;

/// The two phases of section 2.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// What is earned does not count.
    Learning,
    /// What is earned counts.
    Evaluation,
}

impl Phase {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Learning => "learning",
            Phase::Evaluation => "evaluation",
        }
    }
}

/// What an agent is told where it has to decide.
#[derive(Debug)]
pub struct AgentView<'a> {
    /// The game. Who learns from experience alone does not look at it.
    pub table: &'a GameTable,
    /// The state.
    pub board: &'a Board<'a>,
    /// The agent's role.
    pub role: usize,
    /// Its legal moves.
    pub legal: &'a [u32],
    /// The phase.
    pub phase: Phase,
    /// The episode of this phase, counted from 0.
    pub episode: u64,
    /// The step of the episode.
    pub step: u32,
    /// What was earned since the last decision.
    pub reward: f64,
    /// Did an episode end since then?
    pub ended: bool,
    /// Time that is left, and all that there was.
    pub left: u64,
    /// Time for the whole game.
    pub budget: u64,
}

/// What an agent decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A move.
    Move(u32),
    /// To be evaluated from now on. This cannot be taken back.
    Switch,
}

/// A decision, and the time that it took besides the step itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// What.
    pub decision: Decision,
    /// Ticks of thought.
    pub ticks: u64,
    /// How long the game went on meanwhile, where it does: ticks, or milliseconds of somebody else's program.
    pub elapsed: u64,
}

/// How an agent loses a game at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// Its process ended.
    Crash,
    /// It did not answer in time.
    Silence,
    /// It made a move that is not legal, or said something that is no move.
    Illegal,
    /// It wrote more than it was asked for.
    Flood,
}

impl Loss {
    /// All of them.
    pub const ALL: [Loss; 4] = [Loss::Crash, Loss::Silence, Loss::Illegal, Loss::Flood];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Loss::Crash => "crash",
            Loss::Silence => "silence",
            Loss::Illegal => "illegal",
            Loss::Flood => "flood",
        }
    }
}

/// Plays one game.
pub trait IqAgent {
    /// Decides.
    ///
    /// # Errors
    /// A loss.
    fn decide(&mut self, view: &AgentView) -> Result<Decided, Loss>;

    /// Does it know the rules?
    fn knows_rules(&self) -> bool {
        false
    }
}

impl Decided {
    /// A decision after so many ticks.
    pub fn after(ticks: u64, decision: Decision) -> Decided {
        Decided { decision, ticks, elapsed: ticks }
    }

    /// A move after so many ticks. Where there is none, which the rules exclude, the switch is what is left.
    pub fn moving(ticks: u64, made: Option<u32>) -> Decided {
        Decided::after(ticks, made.map_or(Decision::Switch, Decision::Move))
    }
}
