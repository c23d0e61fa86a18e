//! An episode: trials in one maze, each from its start, with rewards and an end (section 3.3, appendix F.1).

use serde::{Deserialize, Serialize};

use crate::halma::error::HalmaError;
use crate::halma::maze::chart::{CellChart, Chart};
use crate::halma::maze::grid::{Direction, GridCell};
use crate::halma::play::panel::Panel;

/// The most units that a primitive moves.
pub const MOST_UNITS: u8 = 3;
/// The most primitives of an option that any task allows.
pub const MOST_PRIMITIVES: usize = 5;

/// The parameters of the task, as in the paper's table S3.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HalmaTask {
    /// The most primitives of an option: 1, 3 or 5.
    pub max_option: u8,
    /// Steps of an episode at most.
    pub steps: u32,
    /// Accomplished trials that end an episode.
    pub trials: u32,
    /// Steps of a trial at most.
    pub trial_steps: u32,
    /// What a reward is worth a step later.
    pub discount: f64,
    /// The reward at the goal.
    pub goal_reward: f64,
    /// The reward of a move that fails.
    pub failure_reward: f64,
    /// The reward of each unit that the goal comes nearer.
    pub nearer_reward: f64,
}

/// A direction and an option: primitives that move 0 to 3 units each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HalmaMove {
    direction: Direction,
    primitives: [u8; MOST_PRIMITIVES],
    length: u8,
}

/// What came of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveOutcome {
    /// Was it affordable?
    pub valid: bool,
    /// The reward.
    pub reward: f64,
    /// Is the goal reached?
    pub reached: bool,
    /// Is the trial over, at the goal or for want of steps?
    pub trial_over: bool,
    /// Is the episode over?
    pub episode_over: bool,
}

/// An episode in the maze of a chart.
#[derive(Clone, Debug)]
pub struct Episode<'c> {
    chart: &'c Chart,
    task: HalmaTask,
    at: GridCell,
    /// Steps done in all.
    pub steps: u32,
    /// Steps done in this trial.
    pub trial_steps: u32,
    /// Trials that are over.
    pub trials: u32,
    /// Trials that ended at the goal.
    pub accomplished: u32,
}

/// All of an episode but its maze, for whoever keeps the two apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SavedEpisode {
    task: HalmaTask,
    at: GridCell,
    steps: u32,
    trial_steps: u32,
    trials: u32,
    accomplished: u32,
}

impl Default for HalmaTask {
    fn default() -> HalmaTask {
        HalmaTask {
            max_option: 5,
            steps: 500,
            trials: 10,
            trial_steps: 200,
            discount: 0.95,
            goal_reward: 100.0,
            failure_reward: -5.0,
            nearer_reward: 1.0,
        }
    }
}

impl HalmaTask {
    /// The task where an option has at most so many primitives.
    ///
    /// # Errors
    /// Another number than 1, 3 and 5.
    pub fn of(max_option: u8) -> Result<HalmaTask, HalmaError> {
        match max_option {
            1 | 3 | 5 => Ok(HalmaTask { max_option, ..HalmaTask::default() }),
            other => Err(HalmaError::Settings(format!(
                "an option has at most 1, 3 or 5 primitives, not {other}; choose one of these"
            ))),
        }
    }
}

impl HalmaMove {
    /// A move of these primitives.
    ///
    /// # Errors
    /// No primitive or more than five, one of more than 3 units.
    pub fn new(direction: Direction, primitives: &[u8]) -> Result<HalmaMove, HalmaError> {
        let length = primitives.len();
        if !(1..=MOST_PRIMITIVES).contains(&length) {
            return Err(HalmaError::Settings(format!(
                "an option has one to {MOST_PRIMITIVES} primitives, and this one {length}"
            )));
        }
        if let Some(units) = primitives.iter().find(|units| **units > MOST_UNITS) {
            return Err(HalmaError::Settings(format!(
                "a primitive moves 0 to {MOST_UNITS} units, not {units}"
            )));
        }
        let mut all = [0; MOST_PRIMITIVES];
        all[..length].copy_from_slice(primitives);
        Ok(HalmaMove { direction, primitives: all, length: length as u8 })
    }

    /// A move of so many units with the fewest primitives; as many as the task allows if it does not allow so many.
    pub fn of_units(direction: Direction, units: u8, task: &HalmaTask) -> HalmaMove {
        let mut left = units.min(MOST_UNITS * task.max_option);
        let mut primitives = [0; MOST_PRIMITIVES];
        let mut length = 0;
        while left > 0 {
            primitives[length] = left.min(MOST_UNITS);
            left -= primitives[length];
            length += 1;
        }
        HalmaMove { direction, primitives, length: length.max(1) as u8 }
    }

    /// Where it goes.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Its primitives.
    pub fn primitives(&self) -> &[u8] {
        &self.primitives[..usize::from(self.length)]
    }

    /// The units of all primitives.
    pub fn units(&self) -> u8 {
        self.primitives.iter().sum()
    }
}

impl<'c> Episode<'c> {
    /// Begins at the start.
    pub fn new(chart: &'c Chart, task: HalmaTask) -> Episode<'c> {
        Episode { chart, task, at: chart.start, steps: 0, trial_steps: 0, trials: 0, accomplished: 0 }
    }

    /// What [`Episode::go_on`] needs besides the chart.
    pub fn saved(&self) -> SavedEpisode {
        let Episode { chart: _, task, at, steps, trial_steps, trials, accomplished } = self.clone();
        SavedEpisode { task, at, steps, trial_steps, trials, accomplished }
    }

    /// Goes on with an episode that was saved in the maze of this chart.
    pub fn go_on(chart: &'c Chart, saved: SavedEpisode) -> Episode<'c> {
        let SavedEpisode { task, at, steps, trial_steps, trials, accomplished } = saved;
        Episode { chart, task, at, steps, trial_steps, trials, accomplished }
    }

    /// What is seen.
    pub fn panel(&self) -> Panel<'c> {
        Panel::of(self.cell())
    }

    fn cell(&self) -> &'c CellChart {
        static NOWHERE: CellChart =
            CellChart { wall: [0; 4], crossing: [0; 4], goal: [0; 4], hint: None, way: None };
        // Moves end on free cells only, and the start is one.
        self.chart.at(self.at).unwrap_or(&NOWHERE)
    }

    /// The cell, which whoever plays does not see.
    pub fn at(&self) -> GridCell {
        self.at
    }

    /// The task.
    pub fn task(&self) -> &HalmaTask {
        &self.task
    }

    /// The maze's chart.
    pub fn chart(&self) -> &'c Chart {
        self.chart
    }

    /// Is it over? Then moves change nothing.
    pub fn over(&self) -> bool {
        self.steps >= self.task.steps || self.accomplished >= self.task.trials
    }

    /// Makes a move. It fails as a whole if its units go beyond the wall. Only the last cell counts, so that who runs over
    /// the goal has not reached it (ours, as is that a move without units is valid).
    pub fn make(&mut self, made: &HalmaMove) -> MoveOutcome {
        let units = made.units();
        let allowed = made.primitives().len() <= usize::from(self.task.max_option);
        let valid = allowed && units <= self.cell().wall[made.direction.index()];
        let next = Some(units).filter(|_| valid).and_then(|units| self.at.toward(made.direction, units));
        let reward = match next {
            Some(next) => {
                let before = self.panel().goal_distance();
                self.at = next;
                self.task.nearer_reward * (f64::from(before) - f64::from(self.panel().goal_distance()))
            }
            None => self.task.failure_reward,
        };
        let reached = self.at == self.chart.goal;
        self.steps += 1;
        self.trial_steps += 1;
        let trial_over = reached || self.trial_steps >= self.task.trial_steps;
        if trial_over {
            self.at = self.chart.start;
            self.trial_steps = 0;
            self.trials += 1;
            self.accomplished += u32::from(reached);
        }
        MoveOutcome {
            valid,
            reward: reward + if reached { self.task.goal_reward } else { 0.0 },
            reached,
            trial_over,
            episode_over: self.over(),
        }
    }
}
