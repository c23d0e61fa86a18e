//! Mazes, sampled: an optimal path first, then deceptive branches (appendix A.2).

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

use crate::halma::maze::grid::{CELLS, Direction, GridCell};
use crate::halma::maze::shapes;
use crate::halma::maze::tree::Maze;

/// How branches are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branching {
    /// Their number, each as likely as another.
    pub number: (u8, u8),
    /// Their depths in cells, each as likely as another.
    pub depth: (u8, u8),
}

impl Branching {
    /// Mean number 5 and mean depth 2, as in the paper's training mazes.
    pub const TRAINING: Branching = Branching { number: (3, 7), depth: (1, 3) };
    /// Mean depth 5, as in its test mazes.
    pub const TEST: Branching = Branching { number: (3, 7), depth: (1, 9) };
}

/// A sampled maze, and what was asked for when its branches were drawn.
#[derive(Clone, Debug)]
pub struct SampledMaze {
    /// The maze.
    pub maze: Maze,
    /// The depths of the branches that found room.
    pub branches: Vec<u8>,
}

/// How often a branch is begun anew where it found no room.
const TRIES: usize = 40;

/// The maze of a number, for a purpose such as the name of a split.
pub fn maze(seed: u64, purpose: &str, number: u64, branching: Branching) -> SampledMaze {
    let mut rng = stream(seed, &["halma", purpose, &number.to_string()]);
    let path = place(&trace(&shapes::draw(&mut rng)), &mut rng).unwrap_or_default();
    let (start, goal) = (path[0], path[path.len() - 1]);
    let mut maze = Maze::new(path.iter().copied(), start, goal);
    let mut branches = Vec::new();
    for _ in 0..rng.random_range(branching.number.0..=branching.number.1) {
        let depth = rng.random_range(branching.depth.0..=branching.depth.1);
        let Some(branch) = branch_off(&maze, &path, depth, &mut rng) else { continue };
        branch.into_iter().for_each(|cell| maze.open(cell));
        branches.push(depth);
    }
    SampledMaze { maze, branches }
}

/// The cells that steps lead over, from (0, 0) on.
fn trace(steps: &[Direction]) -> Vec<(i32, i32)> {
    let mut cells = vec![(0, 0)];
    for step in steps {
        let ((x, y), (dx, dy)) = (cells[cells.len() - 1], step.unit());
        cells.push((x + i32::from(dx), y + i32::from(dy)));
    }
    cells
}

/// The same cells somewhere in the grid, where they are inside; none if they are too many for it.
pub(crate) fn place(cells: &[(i32, i32)], rng: &mut ChaCha8Rng) -> Option<Vec<GridCell>> {
    let lowest = |of: fn(&(i32, i32)) -> i32| cells.iter().map(of).min().unwrap_or(0);
    let (left, top) = (lowest(|cell| cell.0), lowest(|cell| cell.1));
    let places: Vec<Vec<GridCell>> = (0..CELLS)
        .map(GridCell::of)
        .filter_map(|at| {
            let moved =
                |(x, y): &(i32, i32)| GridCell::new(x - left + i32::from(at.x), y - top + i32::from(at.y));
            cells.iter().map(moved).collect()
        })
        .collect();
    places.choose(rng).cloned()
}

/// A branch of so many cells, if it finds room.
pub(crate) fn branch_off(
    maze: &Maze,
    path: &[GridCell],
    depth: u8,
    rng: &mut ChaCha8Rng,
) -> Option<Vec<GridCell>> {
    (0..TRIES).find_map(|_| branch(maze, path, depth, rng))
}

/// A walk of free cells away from the path that touches nothing but the cell that it leaves, so that the maze stays a
/// tree.
fn branch(maze: &Maze, path: &[GridCell], depth: u8, rng: &mut ChaCha8Rng) -> Option<Vec<GridCell>> {
    let mut maze = maze.clone();
    let mut at = *path.choose(rng)?;
    let mut cells = Vec::new();
    for _ in 0..depth {
        let touched = |cell: GridCell| cell.neighbors().filter(|other| maze.is_free(*other)).count();
        let room = |direction: &Direction| {
            at.toward(*direction, 1).filter(|cell| !maze.is_free(*cell) && touched(*cell) == 1)
        };
        let options: Vec<GridCell> = Direction::ALL.iter().filter_map(room).collect();
        at = *options.choose(rng)?;
        maze.open(at);
        cells.push(at);
    }
    Some(cells)
}
