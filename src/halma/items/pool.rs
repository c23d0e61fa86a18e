//! Settings to the panels and mazes that the questions of a group are asked about.

use std::collections::HashSet;

use crate::halma::error::HalmaError;
use crate::halma::items::settings::{MazeItemSettings, PANELS};
use crate::halma::items::story::{MazeStory, ToldPanel};
use crate::halma::maze::chart::Chart;
use crate::halma::maze::generate::maze;
use crate::halma::maze::tree::Maze;
use crate::items::source::Stream;

/// Mazes of a group.
const MAZES: usize = 16;
/// Panels of a group, at least.
const PANELS_WANTED: usize = 160;
/// Panels with a hint, at least: more than a group has questions.
const HINTED_PANELS: usize = 60;
/// Mazes with a hint at the start, at least, where no moves lead to another: with options of three lengths more than a
/// group has questions.
const HINTED_STARTS: usize = 20;
/// Mazes drawn before a split is found to be too small.
const MOST_DRAWN: u64 = 20_000;

/// What the questions of a group are asked about: all of it belongs to the split of its stream.
#[derive(Default)]
pub(crate) struct MazePool {
    /// Panels, where the level is that of panels.
    pub(crate) panels: Vec<ToldPanel>,
    /// Mazes with their charts, at other levels.
    pub(crate) mazes: Vec<(Maze, Chart)>,
}

impl MazePool {
    /// Are there questions enough for a group?
    fn is_enough(&self, stream: Stream) -> bool {
        if stream.level == PANELS {
            let hinted = self.panels.iter().filter(|panel| panel.hint.is_some()).count();
            return self.panels.len() >= PANELS_WANTED && hinted >= HINTED_PANELS;
        }
        let at_start = |chart: &Chart| chart.at(chart.start).is_some_and(|start| start.hint.is_some());
        let hinted = self.mazes.iter().filter(|(_, chart)| at_start(chart)).count();
        self.mazes.len() >= MAZES && (stream.depth > 0 || hinted >= HINTED_STARTS)
    }

    /// Draws it. What is drawn depends on the stream and on the number of the group alone.
    ///
    /// # Errors
    /// A split that has hardly any; those of clingo.
    pub(crate) fn draw(
        settings: &MazeItemSettings,
        stream: Stream,
        group: u64,
    ) -> Result<MazePool, HalmaError> {
        let purpose = format!("items {} {} {} {group}", stream.split, stream.level, stream.depth);
        let branching = MazeItemSettings::branching(stream.level);
        let mut pool = MazePool::default();
        let mut met = HashSet::new();
        for number in 0..MOST_DRAWN {
            if pool.is_enough(stream) {
                return Ok(pool);
            }
            let maze = maze(settings.seed, &purpose, number, branching).maze;
            if stream.level != PANELS {
                let key = maze.key();
                if settings.split_of(&key) == stream.split && met.insert(key) {
                    let chart = Chart::of(&maze)?;
                    pool.mazes.push((maze, chart));
                }
                continue;
            }
            for (_, cell) in Chart::of(&maze)?.cells() {
                let panel = ToldPanel::of(cell);
                let key = MazeStory::Panel(panel.clone()).world();
                if settings.split_of(&key) == stream.split && met.insert(key) {
                    pool.panels.push(panel);
                }
            }
        }
        let name = settings.splits.get(stream.split).map_or("", |split| split.name.as_str());
        Err(HalmaError::Settings(format!(
            "the split `{name}` has too few mazes among {MOST_DRAWN} that were drawn; give it more weight in --splits"
        )))
    }
}
