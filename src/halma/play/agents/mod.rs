//! Who plays: the oracle, a player who learns, and two at random, of whom the figures show what the measures are worth.

mod explorer;
mod oracle;
mod random;
mod replay;

use crate::halma::play::agents::explorer::Explorer;
use crate::halma::play::agents::oracle::Oracle;
pub use crate::halma::play::agents::oracle::explore;
use crate::halma::play::agents::random::RandomAgent;
use crate::halma::play::episode::{HalmaMove, MoveOutcome, Task};
use crate::halma::play::panel::Panel;

/// Whoever plays. It sees panels and what came of its moves, never the maze.
pub trait HalmaAgent {
    /// An episode begins, in another maze perhaps. Random choices depend on its number.
    fn begin(&mut self, task: &Task, episode: u64);

    /// The next move.
    fn choose(&mut self, panel: &Panel) -> HalmaMove;

    /// What came of it.
    fn told(&mut self, made: &HalmaMove, outcome: &MoveOutcome);

    /// Does it take anything from one episode to the next? Then a log can only be continued by playing what is in it again.
    fn learns(&self) -> bool {
        false
    }
}

/// The agents that come with racgen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum AgentName {
    /// Reads panels as they are meant, explores in the first trial and takes the fewest moves afterwards
    Oracle,
    /// Counts what its moves did, colour by colour and digit by digit, and goes again where it came through
    Explorer,
    /// Any direction that is free, with any units up to the wall
    Affordable,
    /// Any direction, with any primitives
    Random,
}

impl AgentName {
    /// The agent, with a seed for its choices.
    pub fn agent(self, seed: u64) -> Box<dyn HalmaAgent + Send> {
        match self {
            AgentName::Oracle => Box::<Oracle>::default(),
            AgentName::Explorer => Box::new(Explorer::new(seed)),
            AgentName::Affordable => Box::new(RandomAgent::new(seed, true)),
            AgentName::Random => Box::new(RandomAgent::new(seed, false)),
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            AgentName::Oracle => "oracle",
            AgentName::Explorer => "explorer",
            AgentName::Affordable => "affordable",
            AgentName::Random => "random",
        }
    }
}
