//! Logs to the paper's three measures (section 3.3), each a mean over episodes, in percent.
//!
//! - `rho_a`, the ratio of valid moves: valid moves / moves.
//! - `rho_g`, the rate of goals reached: accomplished trials / N, with N the number of trials that end an episode.
//! - `rho_p`, the efficiency: 1/N times the sum over trials of len(optimal) / len(trial). The formula does not say what an
//!   unfinished trial counts. Here it counts nothing, so that rho_p is never above rho_g; `rho_p (all trials)` is the mean
//!   over all trials that were begun, finished or not, as the paper's tables must have it, whose rho_p is above rho_g in
//!   places. The paper's figures are therefore not strictly comparable.

use std::collections::BTreeMap;

use racgen_data::table::{Cell, Table};

use crate::halma::dynamic::kinds::TestKind;
use crate::halma::error::HalmaError;
use crate::halma::maze::set::ChartedMaze;
use crate::halma::play::log::{LoggedMove, PlayLog};

/// The measures of one episode, or their means, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rho {
    /// Valid moves / moves.
    pub valid: f64,
    /// Accomplished trials / N.
    pub goals: f64,
    /// Efficiency, unfinished trials counting nothing.
    pub efficiency: f64,
    /// Efficiency over all trials that were begun.
    pub efficiency_begun: f64,
}

/// The measures of an episode whose maze needs so many moves at best, where an episode has at most so many trials.
pub fn rho(moves: &[LoggedMove], optimum: u32, trials: u32) -> Rho {
    let valid = moves.iter().filter(|made| made.valid).count() as f64 / moves.len().max(1) as f64;
    let (mut reached, mut efficiency, mut begun, mut of_begun) = (0u32, 0.0, 0u32, 0.0);
    for trial in moves.chunk_by(|a, b| a.trial == b.trial) {
        let share = f64::from(optimum) / trial.len() as f64;
        begun += 1;
        of_begun += share.min(1.0);
        if trial.last().is_some_and(|made| made.reached) {
            reached += 1;
            efficiency += share;
        }
    }
    let most = f64::from(trials);
    Rho {
        valid,
        goals: f64::from(reached) / most,
        efficiency: efficiency / most,
        efficiency_begun: of_begun / f64::from(begun.max(1)),
    }
}

/// The measures of a log, split by split.
///
/// # Errors
/// A log of mazes that are not among those given.
pub fn score(log: &PlayLog, mazes: &[ChartedMaze]) -> Result<BTreeMap<String, Vec<Rho>>, HalmaError> {
    let charts: BTreeMap<&str, &ChartedMaze> =
        mazes.iter().map(|maze| (maze.record.id.as_str(), maze)).collect();
    let mut scores: BTreeMap<String, Vec<Rho>> = BTreeMap::new();
    for (split, episodes) in log.splits() {
        for moves in episodes {
            let id = moves[0].maze.as_str();
            let maze = charts.get(id).ok_or_else(|| {
                HalmaError::Settings(format!(
                    "the log tells of a maze `{id}` that is not in the set; give the set it was played in"
                ))
            })?;
            let optimum = maze.chart.optimum(log.head.task.max_option).unwrap_or(0);
            scores.entry(split.to_owned()).or_default().push(rho(moves, optimum, log.head.task.trials));
        }
    }
    Ok(scores)
}

/// Mean and half the width of its 95 % interval, in percent.
fn mean(values: impl Iterator<Item = f64> + Clone) -> Cell {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    let spread = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    Cell::PlusMinus(100.0 * mean, 100.0 * 1.96 * (spread / count).sqrt())
}

/// The splits in the order of the paper's table: those of sets of mazes, then the kinds of tests, then others.
fn place(split: &str) -> (usize, &str) {
    let sets = ["train", "random", "test"].into_iter();
    let mut known = sets.chain(TestKind::ALL.map(TestKind::name));
    (known.position(|known| known == split).unwrap_or(usize::MAX), split)
}

/// The splits of some scores, each once, in order.
pub fn splits_of(scores: &[(String, BTreeMap<String, Vec<Rho>>)]) -> Vec<&str> {
    let mut splits: Vec<&str> = scores.iter().flat_map(|(_, of)| of.keys().map(String::as_str)).collect();
    splits.sort_by_key(|split| place(split));
    splits.dedup();
    splits
}

/// The scores of several logs as a table, one row an agent and split.
pub fn table(scores: &[(String, BTreeMap<String, Vec<Rho>>)]) -> Table {
    let head = ["agent", "split", "episodes", "rho_a", "rho_g", "rho_p", "rho_p (all trials)"];
    let mut rows = Vec::new();
    for (agent, splits) in scores {
        let mut splits: Vec<(&String, &Vec<Rho>)> = splits.iter().collect();
        splits.sort_by_key(|(split, _)| place(split));
        for (split, all) in splits {
            let of = |measure: fn(&Rho) -> f64| mean(all.iter().map(measure));
            rows.push(vec![
                Cell::Text(agent.clone()),
                Cell::Text(split.clone()),
                Cell::Count(all.len() as u64),
                of(|rho| rho.valid),
                of(|rho| rho.goals),
                of(|rho| rho.efficiency),
                of(|rho| rho.efficiency_begun),
            ]);
        }
    }
    Table { head: head.map(Into::into).to_vec(), rows, ..Table::default() }
}
