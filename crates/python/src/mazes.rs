//! A maze of HALMA to an episode in it, for Python.

use std::sync::{Mutex, PoisonError};

use pyo3::{PyResult, Python, pyclass, pymethods};
use racgen::halma::maze::generate::Branching;
use racgen::halma::maze::grid::Direction;
use racgen::halma::maze::set::{ChartedMaze, single_maze};
use racgen::halma::play::episode::{Episode, HalmaMove, HalmaTask, SavedEpisode};

use crate::failure::CallFailure;
use crate::waiting::wait;

/// What came of a move: valid, reward, goal reached, trial over, episode over.
type MadeMove = (bool, f64, bool, bool, bool);

/// An episode in the maze of a number.
#[pyclass(frozen, module = "racgen._native")]
pub struct MazeGame {
    maze: ChartedMaze,
    task: HalmaTask,
    episode: Mutex<SavedEpisode>,
}

impl MazeGame {
    fn look<T>(&self, of: impl FnOnce(&Episode) -> T) -> T {
        let saved = *self.episode.lock().unwrap_or_else(PoisonError::into_inner);
        of(&Episode::go_on(&self.maze.chart, saved))
    }
}

#[pymethods]
impl MazeGame {
    /// Branches are short for the splits `train` and `random`, and long for `test`.
    #[new]
    fn new(py: Python<'_>, seed: u64, split: String, number: u64, max_option: u8) -> PyResult<MazeGame> {
        let made = wait(py, move |_| {
            let task = HalmaTask::of(max_option).map_err(CallFailure::usage)?;
            let branching = match split.as_str() {
                "train" | "random" => Branching::TRAINING,
                "test" => Branching::TEST,
                other => {
                    let text =
                        format!("there is no split `{other}` of mazes; there are train, random and test");
                    return Err(CallFailure::Usage(text));
                }
            };
            let maze = single_maze(seed, &split, number, branching).map_err(CallFailure::other)?;
            let episode = Mutex::new(Episode::new(&maze.chart, task).saved());
            Ok(MazeGame { maze, task, episode })
        })?;
        made.map_err(|error| error.raised(py))
    }

    /// Begins anew.
    fn reset(&self) {
        let begun = Episode::new(&self.maze.chart, self.task).saved();
        *self.episode.lock().unwrap_or_else(PoisonError::into_inner) = begun;
    }

    /// Moves by an option, in the direction of a number: left, up, right, down.
    fn act(&self, py: Python<'_>, direction: usize, primitives: Vec<u8>) -> PyResult<MadeMove> {
        let Some(direction) = Direction::ALL.get(direction) else {
            return Err(
                CallFailure::usage("a direction is 0 (left), 1 (up), 2 (right) or 3 (down)").raised(py)
            );
        };
        let made =
            HalmaMove::new(*direction, &primitives).map_err(|error| CallFailure::usage(error).raised(py))?;
        let mut saved = self.episode.lock().unwrap_or_else(PoisonError::into_inner);
        let mut episode = Episode::go_on(&self.maze.chart, *saved);
        let outcome = episode.make(&made);
        *saved = episode.saved();
        Ok((outcome.valid, outcome.reward, outcome.reached, outcome.trial_over, outcome.episode_over))
    }

    /// The panel as eleven numbers.
    fn symbols(&self) -> Vec<i64> {
        self.look(|episode| episode.panel().symbols().map(i64::from).into())
    }

    /// Steps, trials, and trials that ended at the goal.
    fn counts(&self) -> (u32, u32, u32) {
        self.look(|episode| (episode.steps, episode.trials, episode.accomplished))
    }

    /// The fewest moves from start to goal.
    fn optimum(&self) -> Option<u32> {
        self.maze.chart.optimum(self.task.max_option)
    }

    /// The maze itself, which whoever plays does not see.
    fn rows(&self) -> Vec<String> {
        self.maze.record.rows.clone()
    }
}
