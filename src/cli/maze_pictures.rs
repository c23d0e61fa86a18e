//! The command `racgen halma render`: a maze, a panel or a trial to a picture.

use std::path::{Path, PathBuf};

use clap::Args;
use racgen_data::write::text::stream as write_file;
use racgen_logic::seed::stream;

use crate::cli::output::exit::Exit;
use crate::halma::maze::grid::{GridCell, SIDE};
use crate::halma::maze::set::{ChartedMaze, read_mazes};
use crate::halma::pictures::maze::{DrawnMove, maze, trial};
use crate::halma::pictures::panel::panel;
use crate::halma::play::log::PlayLog;
use crate::halma::play::panel::Panel;
use crate::pictures::digits::DigitShapes;
use crate::pictures::drawing::Drawing;
use crate::pictures::error::PictureError;
use crate::pictures::idx::ScannedDigits;
use crate::pictures::raster::png;

/// What is drawn.
#[derive(Clone, Debug, Args)]
pub struct MazePictures {
    /// Folder of a set of mazes, or a file of mazes
    pub mazes: PathBuf,
    /// The maze, by its id; the first if none is named
    #[arg(long, value_name = "ID")]
    pub maze: Option<String>,
    /// The panel that is seen from this cell, both counted from 1, instead of the map
    #[arg(long, value_name = "COLUMN,ROW", conflicts_with = "log")]
    pub panel: Option<String>,
    /// Draw a trial of this log on the map
    #[arg(long, value_name = "LOG")]
    pub log: Option<PathBuf>,
    /// Which trial, counted from 1
    #[arg(long, default_value_t = 1, value_name = "N", requires = "log")]
    pub trial: u32,
    /// Digits of a folder with IDX files, as MNIST's, instead of drawn ones
    #[arg(long, value_name = "FOLDER", requires = "panel")]
    pub digits: Option<PathBuf>,
    /// Seed of where and how digits are drawn
    #[arg(long, short, default_value_t = 0)]
    pub seed: u64,
    /// Output file, by whose ending it is SVG or PNG
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    pub force: bool,
}

/// What digits look like: those of a folder, if one is named.
///
/// # Errors
/// A folder that has no digits.
pub fn digit_shapes(folder: Option<&Path>) -> Result<DigitShapes, Exit> {
    let read = |folder: &Path| ScannedDigits::read(folder).map(|read| DigitShapes::Scanned(Box::new(read)));
    folder.map_or(Ok(DigitShapes::Drawn), read).map_err(|error: PictureError| Exit::usage(error))
}

impl MazePictures {
    /// Draws it.
    ///
    /// # Errors
    /// Mazes, cells, trials or digits that are not there, another ending of the file, a file that is in the way.
    pub fn make(&self) -> Result<(), Exit> {
        let ending = self.out.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let is_png = match ending.as_deref() {
            Some("svg") => false,
            Some("png") => true,
            _ => {
                let out = self.out.display();
                return Err(Exit::usage(format!(
                    "--out takes a file that ends in .svg or .png, not `{out}`"
                )));
            }
        };
        if self.out.exists() && !self.force {
            let out = self.out.display();
            return Err(Exit::usage(format!(
                "`{out}` is there already; choose another --out, or give --force"
            )));
        }
        let mazes = read_mazes(&self.mazes)?;
        let found = match &self.maze {
            Some(id) => mazes.iter().find(|maze| maze.record.id == *id),
            None => mazes.first(),
        };
        let Some(found) = found else {
            let id = self.maze.as_deref().unwrap_or_default();
            let first = mazes.first().map_or("", |maze| maze.record.id.as_str());
            return Err(Exit::usage(format!("there is no maze `{id}`; the first is `{first}`")));
        };
        let drawing = match (&self.panel, &self.log) {
            (Some(cell), _) => self.seen(found, cell)?,
            (None, Some(log)) => self.trial(found, log)?,
            (None, None) => maze(&found.chart),
        };
        let bytes = if is_png { png(&drawing).map_err(Exit::failure)? } else { drawing.svg().into_bytes() };
        write_file(&self.out, |file| file.write_all(&bytes))?;
        Ok(())
    }

    /// The panel of a cell.
    fn seen(&self, found: &ChartedMaze, cell: &str) -> Result<Drawing, Exit> {
        let numbers =
            cell.split_once(',').and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
        let Some((x, y)) = numbers
            .filter(|(x, y): &(i32, i32)| (1..=SIDE.into()).contains(x) && (1..=SIDE.into()).contains(y))
        else {
            return Err(Exit::usage(format!(
                "--panel takes COLUMN,ROW, each from 1 to {SIDE}, not `{cell}`"
            )));
        };
        let seen = GridCell::new(x - 1, y - 1).and_then(|cell| found.chart.at(cell)).map(Panel::of);
        let Some(seen) = seen else {
            let start = found.chart.start;
            let id = &found.record.id;
            return Err(Exit::usage(format!(
                "column {x} of row {y} is wall in `{id}`; its start is at {},{}",
                start.x + 1,
                start.y + 1
            )));
        };
        let shapes = digit_shapes(self.digits.as_deref())?;
        let mut rng = stream(self.seed, &["halma", "render", &found.record.id, cell]);
        Ok(panel(&seen.digits(), seen.hint(), &shapes, &mut rng))
    }

    /// A trial in the first episode of the maze.
    fn trial(&self, found: &ChartedMaze, path: &Path) -> Result<Drawing, Exit> {
        let log = PlayLog::read(path)?;
        let episodes = log.episodes();
        let id = &found.record.id;
        let episode = episodes.into_iter().find(|moves| moves.first().is_some_and(|made| made.maze == *id));
        let Some(episode) = episode else {
            let path = path.display();
            return Err(Exit::usage(format!(
                "`{path}` has no finished episode in `{id}`; name another --maze"
            )));
        };
        let made = episode.iter().filter(|made| made.trial == self.trial);
        let moves: Vec<DrawnMove> = made
            .map(|made| {
                (
                    made.direction,
                    made.option.iter().fold(0, |sum: u8, units| sum.saturating_add(*units)),
                    made.valid,
                )
            })
            .collect();
        if moves.is_empty() {
            let last = episode.last().map_or(0, |made| made.trial);
            return Err(Exit::usage(format!("--trial takes 1 to {last} in `{id}`, not {}", self.trial)));
        }
        Ok(trial(&found.chart, &moves))
    }
}
