//! The cells of the grid, and the four directions between them.

use serde::{Deserialize, Serialize};

/// Cells of the grid in a row or column (section 3.2).
pub const SIDE: u8 = 10;
/// Cells of the grid.
pub const CELLS: usize = SIDE as usize * SIDE as usize;

/// A way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// To smaller x.
    Left,
    /// To smaller y.
    Up,
    /// To larger x.
    Right,
    /// To larger y.
    Down,
}

/// A cell of the grid, x to the right and y downwards, each from 0 to 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GridCell {
    /// Its column.
    pub x: u8,
    /// Its row.
    pub y: u8,
}

impl Direction {
    /// All of them, as logic programs number them.
    pub const ALL: [Direction; 4] = [Direction::Left, Direction::Up, Direction::Right, Direction::Down];

    /// Its number in logic programs, and in tables.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The way back.
    pub fn opposite(self) -> Direction {
        Direction::ALL[(self.index() + 2) % 4]
    }

    /// What one unit adds to x and y.
    pub fn unit(self) -> (i8, i8) {
        match self {
            Direction::Left => (-1, 0),
            Direction::Up => (0, -1),
            Direction::Right => (1, 0),
            Direction::Down => (0, 1),
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Left => "left",
            Direction::Up => "up",
            Direction::Right => "right",
            Direction::Down => "down",
        }
    }
}

impl GridCell {
    /// The cell at x and y, if they are inside.
    pub fn new(x: i32, y: i32) -> Option<GridCell> {
        let inside = |at: i32| u8::try_from(at).ok().filter(|at| *at < SIDE);
        Some(GridCell { x: inside(x)?, y: inside(y)? })
    }

    /// Its number, from 0 to 99, row by row.
    pub fn index(self) -> usize {
        usize::from(self.y) * usize::from(SIDE) + usize::from(self.x)
    }

    /// The cell of a number.
    pub fn of(index: usize) -> GridCell {
        let side = usize::from(SIDE);
        GridCell { x: (index % side) as u8, y: (index / side % side) as u8 }
    }

    /// The cell so many units on, if it is inside.
    pub fn toward(self, direction: Direction, units: u8) -> Option<GridCell> {
        let (dx, dy) = direction.unit();
        let units = i32::from(units);
        GridCell::new(i32::from(self.x) + i32::from(dx) * units, i32::from(self.y) + i32::from(dy) * units)
    }

    /// The cells beside it.
    pub fn neighbors(self) -> impl Iterator<Item = GridCell> {
        Direction::ALL.into_iter().filter_map(move |direction| self.toward(direction, 1))
    }

    /// Units between two cells, where nothing is in the way.
    pub fn manhattan(self, other: GridCell) -> u32 {
        u32::from(self.x.abs_diff(other.x)) + u32::from(self.y.abs_diff(other.y))
    }
}
