//! Everything that decides what questions about mazes are.

use racgen_logic::seed::digest;
use serde::{Deserialize, Serialize};

use crate::halma::error::HalmaError;
use crate::halma::maze::generate::Branching;
use crate::items::apportion::apportion;
use crate::items::source::{Split, Stream};

/// The level of panels alone.
pub const PANELS: i32 = 1;
/// The greatest level: mazes whose branches are deep.
pub const HARDEST: i32 = 3;
/// The most moves that are told.
pub const MOST_MOVES: i32 = 12;

/// What is made, how much, and of which seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MazeItemSettings {
    /// 1 panels, 2 mazes with short branches, 3 mazes with long ones.
    pub levels: Vec<i32>,
    /// Numbers of moves that are told of mazes.
    pub depths: Vec<i32>,
    /// Items in all.
    pub items: u64,
    /// Weights of verify, count and other questions.
    pub mix: [u32; 3],
    /// The splits.
    pub splits: Vec<Split>,
    /// The root seed.
    pub seed: u64,
    /// Are panels shown in pictures, and not told?
    pub pictures: bool,
    /// Splits may have answers that the first one lacks: which there are is not drawn.
    pub open_vocabulary: bool,
}

impl MazeItemSettings {
    /// Checks what the command line lets through.
    ///
    /// # Errors
    /// Levels or depths that there are not, and what leaves nothing to ask.
    pub fn check(&self) -> Result<(), HalmaError> {
        let settings = |text: String| Err(HalmaError::Settings(text));
        if let Some(level) = self.levels.iter().find(|level| !(PANELS..=HARDEST).contains(level)) {
            return settings(format!(
                "--level takes 1 for panels, 2 for mazes with short branches and 3 for mazes with long ones, not {level}"
            ));
        }
        if let Some(depth) = self.depths.iter().find(|depth| !(0..=MOST_MOVES).contains(depth)) {
            return settings(format!("--depth takes 0 to {MOST_MOVES} moves, not {depth}"));
        }
        if self.mix.iter().all(|weight| *weight == 0) {
            return settings("--mix leaves no type of question; give one of them a weight above 0".into());
        }
        if self.pictures && !self.levels.contains(&PANELS) {
            return settings("--pictures shows panels, which are level 1; ask for --level 1 as well".into());
        }
        Ok(())
    }

    /// The streams of a split with their numbers of items: panels, which have no moves, and mazes by moves.
    pub fn streams(&self, split: usize) -> Vec<(Stream, u64)> {
        let weights: Vec<f64> = self.splits.iter().map(|split| split.weight).collect();
        let items = apportion(self.items, &weights).get(split).copied().unwrap_or(0);
        let places: Vec<(i32, i32)> = self
            .levels
            .iter()
            .flat_map(|level| {
                let depths = if *level == PANELS { vec![0] } else { self.depths.clone() };
                depths.into_iter().map(|depth| (*level, depth)).collect::<Vec<_>>()
            })
            .collect();
        let shares = apportion(items, &vec![1.0; places.len()]);
        let stream = |(level, depth): (i32, i32)| Stream { member: 0, split, level, depth };
        places.into_iter().map(stream).zip(shares).filter(|(_, items)| *items > 0).collect()
    }

    /// The split that has whatever has this key, so that no other has it.
    pub(crate) fn split_of(&self, key: &str) -> usize {
        let drawn = digest([&*self.seed.to_string(), "halma", "split", key]);
        let share = u32::from_str_radix(&drawn[..8], 16).unwrap_or(0);
        let sum: f64 = self.splits.iter().map(|split| split.weight).sum();
        let mut left = f64::from(share) / (f64::from(u32::MAX) + 1.0) * sum;
        let found = self.splits.iter().position(|split| {
            left -= split.weight;
            left < 0.0
        });
        found.unwrap_or(0)
    }

    /// How branches are drawn at a level: also fewer of them than where mazes are played in, so that crossings are far off
    /// as well as near.
    pub(crate) fn branching(level: i32) -> Branching {
        let usual = if level == HARDEST { Branching::TEST } else { Branching::TRAINING };
        Branching { number: (1, usual.number.1), ..usual }
    }
}
