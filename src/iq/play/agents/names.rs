//! Names of the agents that come with racgen to the agents.

use racgen_logic::seed::stream;
use rand::Rng;

use crate::iq::play::agents::agent::IqAgent;
use crate::iq::play::agents::never::RandomMover;
use crate::iq::play::agents::one_step::OneStep;
use crate::iq::play::agents::planner::Planner;
use crate::iq::play::agents::tabular::Tabular;
use crate::iq::play::agents::uct::Uct;

/// Episodes that UCT spends its time on: more would each be searched less.
const UCT_EPISODES: u64 = 2;

/// An agent that comes with racgen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum IqAgentName {
    /// Makes random moves.
    Random,
    /// By the rules, makes the move whose next state is worth most.
    Greedy,
    /// By the rules, searches with upper confidence bounds.
    Uct,
    /// Learns values of states and moves from experience.
    Tabular,
    /// Makes random moves, and never switches to the evaluation.
    Never,
    /// By the rules, has clingo find a plan; for games for one.
    Planner,
}

impl IqAgentName {
    /// All of them.
    pub const ALL: [IqAgentName; 6] = [
        IqAgentName::Random,
        IqAgentName::Greedy,
        IqAgentName::Uct,
        IqAgentName::Tabular,
        IqAgentName::Never,
        IqAgentName::Planner,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            IqAgentName::Random => "random",
            IqAgentName::Greedy => "greedy",
            IqAgentName::Uct => "uct",
            IqAgentName::Tabular => "tabular",
            IqAgentName::Never => "never",
            IqAgentName::Planner => "planner",
        }
    }

    /// The agent, fresh for a game.
    pub fn agent(self, seed: u64, game: &str) -> Box<dyn IqAgent> {
        let mut rng = stream(seed, &["iq", "agent", self.name(), game]);
        match self {
            IqAgentName::Random => Box::new(RandomMover::new(rng, true)),
            IqAgentName::Never => Box::new(RandomMover::new(rng, false)),
            IqAgentName::Greedy => Box::new(OneStep::new(rng)),
            IqAgentName::Uct => Box::new(Uct::new(rng.next_u64(), UCT_EPISODES)),
            IqAgentName::Tabular => Box::new(Tabular::new(rng.next_u64())),
            IqAgentName::Planner => Box::new(Planner::new(rng)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iq::play::trial::{TrialClock, trial};
    use crate::iq::sample::sampler::{GameChoice, Sampler};

    /// In games for one, clingo's plan is worth what can be had: nobody does better, and who searches long does nearly as
    /// well. Its ticks are choices and conflicts, of which there are some.
    #[test]
    fn plans_are_the_best_that_can_be_done() {
        let sampler = Sampler { seed: 4, tau0: 1024.0, games: GameChoice::Solo };
        let (mut planned, mut searched) = (0.0, 0.0);
        for number in 0..12 {
            let game = sampler.game(number).unwrap();
            let clock = TrialClock { budget: 1 << 18, in_steps: false, pace: 0 };
            let value = |name: IqAgentName| {
                let mut agent = name.agent(1, "test");
                trial(&game.table, &mut *agent, clock, stream(2, &["test"])).value
            };
            let (plan, search) = (value(IqAgentName::Planner), value(IqAgentName::Uct));
            assert!(plan > 0.0, "{}", game.table.grammar.text());
            for name in [IqAgentName::Greedy, IqAgentName::Tabular, IqAgentName::Uct, IqAgentName::Random] {
                assert!(value(name) <= plan + 1e-9, "{}: {}", name.name(), game.table.grammar.text());
            }
            planned += plan;
            searched += search;
        }
        assert!(searched > 0.6 * planned, "{searched} of {planned}");
    }
}
