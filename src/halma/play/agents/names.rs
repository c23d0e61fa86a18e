//! Names to the agents that come with racgen.

use crate::halma::play::agents::agent::HalmaAgent;
use crate::halma::play::agents::explorer::Explorer;
use crate::halma::play::agents::oracle::Oracle;
use crate::halma::play::agents::random::RandomAgent;

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
