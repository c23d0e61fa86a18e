//! Who plays: the oracle, and players at random, of whom the figures show what the measures are worth.

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::halma::maze::grid::Direction;
use crate::halma::play::episode::{HalmaMove, MOST_UNITS, MoveOutcome, Task};
use crate::halma::play::panel::Panel;

/// Whoever plays. It sees panels and what came of its moves, never the maze.
pub trait HalmaAgent {
    /// An episode begins, in another maze perhaps. Random choices depend on its number, so that a log can be continued.
    fn begin(&mut self, task: &Task, episode: u64);

    /// The next move.
    fn choose(&mut self, panel: &Panel) -> HalmaMove;

    /// What came of it.
    fn told(&mut self, made: &HalmaMove, outcome: &MoveOutcome);
}

/// The agents that come with racgen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum AgentName {
    /// Reads panels as they are meant, explores in the first trial and takes the fewest moves afterwards
    Oracle,
    /// Any direction, with any primitives
    Random,
    /// Any direction that is free, with any units up to the wall
    Affordable,
}

/// Plays as the paper's oracle does (section 3.3, appendix A.3).
#[derive(Debug, Default)]
pub struct Oracle {
    task: Task,
    /// The moves of the first trial, merged: directions and units.
    legs: Vec<(Direction, u8)>,
    /// Is the way known?
    known: bool,
    /// The leg to go next, and the units of it that are left.
    next: usize,
    left: u8,
}

/// Plays at random.
#[derive(Debug)]
pub struct RandomAgent {
    seed: u64,
    rng: ChaCha8Rng,
    affordable: bool,
    task: Task,
}

impl AgentName {
    /// The agent, with a seed for its choices.
    pub fn agent(self, seed: u64) -> Box<dyn HalmaAgent + Send> {
        let random = |affordable| RandomAgent {
            seed,
            rng: stream(seed, &["halma", "agent"]),
            affordable,
            task: Task::default(),
        };
        match self {
            AgentName::Oracle => Box::<Oracle>::default(),
            AgentName::Random => Box::new(random(false)),
            AgentName::Affordable => Box::new(random(true)),
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            AgentName::Oracle => "oracle",
            AgentName::Random => "random",
            AgentName::Affordable => "affordable",
        }
    }
}

/// Where the oracle goes: at a crossing where the hint points, elsewhere in a free direction that brings the goal nearer;
/// as far as the nearest of wall, crossing and goal.
pub fn explore(panel: &Panel) -> (Direction, u8) {
    let toward = Direction::ALL.into_iter().find(|d| panel.wall(*d) > 0 && panel.goal(*d) > 0);
    let direction = panel.hint().or(toward).unwrap_or(Direction::Left);
    let goal = Some(panel.goal(direction)).filter(|units| *units > 0);
    let units = [panel.crossing(direction), goal].into_iter().flatten().fold(panel.wall(direction), u8::min);
    (direction, units)
}

impl HalmaAgent for Oracle {
    fn begin(&mut self, task: &Task, _: u64) {
        *self = Oracle { task: *task, ..Oracle::default() };
    }

    fn choose(&mut self, panel: &Panel) -> HalmaMove {
        if !self.known {
            let (direction, units) = explore(panel);
            return HalmaMove::of_units(direction, units, &self.task);
        }
        let Some((direction, units)) = self.legs.get(self.next).copied() else {
            return HalmaMove::of_units(Direction::Left, 0, &self.task);
        };
        if self.left == 0 {
            self.left = units;
        }
        HalmaMove::of_units(direction, self.left, &self.task)
    }

    fn told(&mut self, made: &HalmaMove, outcome: &MoveOutcome) {
        if self.known {
            self.left = self.left.saturating_sub(made.units());
            self.next += usize::from(self.left == 0);
        } else {
            match self.legs.last_mut() {
                Some((direction, units)) if *direction == made.direction() => *units += made.units(),
                _ => self.legs.push((made.direction(), made.units())),
            }
            self.known = outcome.reached;
        }
        if outcome.trial_over {
            (self.next, self.left) = (0, 0);
            if !self.known {
                self.legs.clear();
            }
        }
    }
}

impl HalmaAgent for RandomAgent {
    fn begin(&mut self, task: &Task, episode: u64) {
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
