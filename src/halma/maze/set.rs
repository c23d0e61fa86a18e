//! Sets of mazes, split by split, and the file that keeps them: one JSON object a line.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use racgen_logic::fault::Fault;
use racgen_logic::unread::Unread;
use serde::{Deserialize, Serialize};

use crate::halma::error::HalmaError;
use crate::halma::maze::chart::Chart;
use crate::halma::maze::generate::{Branching, maze};
use crate::halma::maze::tree::Maze;
use crate::halma::play::panel::Panel;

/// A maze as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MazeRecord {
    /// Its name, as `train-0001`.
    pub id: String,
    /// Its split.
    pub split: String,
    /// What it shares with its mirror images.
    #[serde(default)]
    pub key: String,
    /// Ten rows: `#` wall, `.` free, `S` start, `G` goal.
    pub rows: Vec<String>,
    /// The legs of the way from start to goal, as `["right", 5]`.
    #[serde(default)]
    pub way: Vec<(String, u8)>,
    /// The fewest moves from start to goal, by the most primitives of an option.
    #[serde(default)]
    pub optimum: BTreeMap<u8, u32>,
    /// The depths of its deceptive branches.
    #[serde(default)]
    pub branches: Vec<u8>,
}

/// A maze with its record and its chart.
#[derive(Clone, Debug)]
pub struct ChartedMaze {
    /// The record.
    pub record: MazeRecord,
    /// What clingo derives of it.
    pub chart: Chart,
}

/// How many mazes a split has, and how their branches are drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MazeSplit {
    /// Its name.
    pub name: String,
    /// Its number of mazes.
    pub mazes: u64,
    /// How branches are drawn.
    pub branching: Branching,
}

/// Mazes drawn for one place of a set before it is given up: another is drawn where an image of it is in the set already.
const MOST_DRAWN: u64 = 1000;
/// The most digits of a panel (appendix C).
const MOST_DIGITS: usize = 8;

impl ChartedMaze {
    /// Has clingo derive the chart of a maze, and writes the record.
    ///
    /// # Errors
    /// What makes it no maze; those of the solver.
    pub fn new(maze: &Maze, id: String, split: &str, branches: Vec<u8>) -> Result<ChartedMaze, HalmaError> {
        let chart = Chart::of(maze)?;
        let record = MazeRecord {
            id,
            split: split.to_owned(),
            key: maze.key(),
            rows: maze.rows(),
            way: chart.legs.iter().map(|(direction, units)| (direction.word().to_owned(), *units)).collect(),
            optimum: chart.optimum.iter().copied().collect(),
            branches,
        };
        Ok(ChartedMaze { record, chart })
    }

    /// Has a panel more digits than it has room for?
    fn is_crowded(&self) -> bool {
        self.chart.cells().any(|(_, cell)| Panel::of(cell).digits().len() > MOST_DIGITS)
    }
}

/// Mazes of several splits, of which no two are images of each other.
///
/// # Errors
/// A grid too small for so many; those of the solver.
pub fn maze_set(splits: &[MazeSplit], seed: u64) -> Result<Vec<ChartedMaze>, HalmaError> {
    let mut met: HashSet<String> = HashSet::new();
    let mut set = Vec::new();
    for split in splits {
        let mut drawn = 0;
        for place in 0..split.mazes {
            let last = drawn + MOST_DRAWN;
            loop {
                if drawn == last {
                    return Err(HalmaError::Settings(format!(
                        "no other maze was found for `{}` after {place}; ask for fewer, or for more branches",
                        split.name
                    )));
                }
                let sampled = maze(seed, &split.name, drawn, split.branching);
                drawn += 1;
                if met.contains(&sampled.maze.key()) {
                    continue;
                }
                let id = format!("{}-{:04}", split.name, place + 1);
                let charted = ChartedMaze::new(&sampled.maze, id, &split.name, sampled.branches)?;
                if charted.is_crowded() {
                    continue;
                }
                met.insert(charted.record.key.clone());
                set.push(charted);
                break;
            }
        }
    }
    Ok(set)
}

/// The maze of a number, for a purpose such as the name of a split, whichever others are drawn: two numbers may have mazes that
/// are images of each other.
///
/// # Errors
/// None of many draws makes a maze whose panels have room for their digits; those of the solver.
pub fn single_maze(
    seed: u64,
    purpose: &str,
    number: u64,
    branching: Branching,
) -> Result<ChartedMaze, HalmaError> {
    let purpose = format!("{purpose} alone {number}");
    for draw in 0..MOST_DRAWN {
        let sampled = maze(seed, &purpose, draw, branching);
        let charted = ChartedMaze::new(&sampled.maze, purpose.clone(), &purpose, sampled.branches)?;
        if !charted.is_crowded() {
            return Ok(charted);
        }
    }
    Err(HalmaError::Settings(format!("no maze was found for `{purpose}`; take another number")))
}

/// Reads the mazes of a file, or of the file `mazes.jsonl` of a folder.
///
/// # Errors
/// A file that cannot be read; a line that is no record, with its number; what makes a maze none.
pub fn read_mazes(path: &Path) -> Result<Vec<ChartedMaze>, HalmaError> {
    let file: PathBuf = if path.is_dir() { path.join(MAZES) } else { path.to_owned() };
    let text = std::fs::read_to_string(&file).map_err(Unread::at(&file))?;
    let name = file.display().to_string();
    let mut ids: HashSet<String> = HashSet::new();
    let mut set = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fault = |cause: String, remedy: &str| Fault::new(&name, number + 1, cause, remedy);
        let record: MazeRecord = serde_json::from_str(line).map_err(|error| {
            fault(format!("this is no maze: {error}"), "a line is an object with `id`, `split` and `rows`")
        })?;
        if !ids.insert(record.id.clone()) {
            return Err(fault(format!("`{}` comes a second time", record.id), "give it another id").into());
        }
        let maze = Maze::from_rows(&record.rows).map_err(|bad| {
            let row = bad.row.map(|row| format!("row {row}: ")).unwrap_or_default();
            fault(row + &bad.cause, "correct the rows")
        })?;
        let MazeRecord { id, split, branches, .. } = record;
        let charted = ChartedMaze::new(&maze, id, &split, branches).map_err(|error| match error {
            HalmaError::Settings(cause) => HalmaError::Fault(fault(cause, "correct the rows")),
            other => other,
        })?;
        set.push(charted);
    }
    match set.is_empty() {
        true => Err(Fault::new(&name, 0, "it holds no maze", "make some with `racgen halma gen`").into()),
        false => Ok(set),
    }
}

/// The file of mazes in its folder.
pub const MAZES: &str = "mazes.jsonl";
