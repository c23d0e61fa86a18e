//! A maze: free cells that form a tree, a start and a goal; as rows of characters, and as a key that its mirror images
//! share.

use racgen_logic::seed::digest;

use crate::halma::maze::grid::{CELLS, GridCell, SIDE};

/// A maze. That its free cells form a tree is not checked here but by clingo ([`Chart`](super::chart::Chart)).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Maze {
    free: u128,
    /// Where each trial begins.
    pub start: GridCell,
    /// Where each trial is to end.
    pub goal: GridCell,
}

/// What is wrong with the rows of a maze: in which row, counted from 0, if in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRows {
    /// The row.
    pub row: Option<usize>,
    /// What is wrong there.
    pub cause: String,
}

impl Maze {
    /// A maze of which nothing is free but the cells given, start and goal.
    pub fn new(free: impl IntoIterator<Item = GridCell>, start: GridCell, goal: GridCell) -> Maze {
        let mut maze = Maze { free: 0, start, goal };
        free.into_iter().chain([start, goal]).for_each(|cell| maze.open(cell));
        maze
    }

    /// Makes a cell free.
    pub fn open(&mut self, cell: GridCell) {
        self.free |= 1 << cell.index();
    }

    /// Can the cell be stood on?
    pub fn is_free(&self, cell: GridCell) -> bool {
        self.free >> cell.index() & 1 == 1
    }

    /// The free cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = GridCell> + '_ {
        (0..CELLS).map(GridCell::of).filter(|cell| self.is_free(*cell))
    }

    /// Ten rows of ten characters: `#` a wall, `.` free, `S` the start and `G` the goal.
    pub fn rows(&self) -> Vec<String> {
        let character = |cell: GridCell| match cell {
            cell if cell == self.start => 'S',
            cell if cell == self.goal => 'G',
            cell if self.is_free(cell) => '.',
            _ => '#',
        };
        let row = |y: u8| (0..SIDE).map(|x| character(GridCell { x, y })).collect();
        (0..SIDE).map(row).collect()
    }

    /// Reads the rows that [`Maze::rows`] writes.
    ///
    /// # Errors
    /// Another number of rows or characters, other characters, no or several starts and goals.
    pub fn from_rows<S: AsRef<str>>(rows: &[S]) -> Result<Maze, BadRows> {
        let side = usize::from(SIDE);
        let wrong = |row, cause: String| BadRows { row, cause };
        if rows.len() != side {
            return Err(wrong(None, format!("a maze has {side} rows, and this one {}", rows.len())));
        }
        let (mut free, mut starts, mut goals) = (Vec::new(), Vec::new(), Vec::new());
        for (y, row) in rows.iter().enumerate() {
            let characters = row.as_ref().chars().count();
            if characters != side {
                return Err(wrong(
                    Some(y),
                    format!("a row has {side} characters, and this one {characters}"),
                ));
            }
            for (x, character) in row.as_ref().chars().enumerate() {
                let cell = GridCell { x: x as u8, y: y as u8 };
                match character {
                    '#' => continue,
                    '.' => {}
                    'S' => starts.push(cell),
                    'G' => goals.push(cell),
                    other => {
                        let cause = format!("`{other}` means nothing here; there are `#`, `.`, `S` and `G`");
                        return Err(wrong(Some(y), cause));
                    }
                }
                free.push(cell);
            }
        }
        match (&starts[..], &goals[..]) {
            ([start], [goal]) => Ok(Maze::new(free, *start, *goal)),
            _ => {
                let cause = format!(
                    "a maze has one start, S, and one goal, G; here are {} and {}",
                    starts.len(),
                    goals.len()
                );
                Err(wrong(None, cause))
            }
        }
    }

    /// A key that two mazes share if and only if one is the other moved, turned or mirrored: they look the same from
    /// everywhere, up to the names of directions.
    pub fn key(&self) -> String {
        let images = (0..8).map(|image| {
            let turned = |cell: GridCell| {
                let (mut x, mut y) = (i32::from(cell.x), i32::from(cell.y));
                if image & 4 != 0 {
                    x = -x;
                }
                for _ in 0..image & 3 {
                    (x, y) = (-y, x);
                }
                (x, y)
            };
            let mut cells: Vec<(i32, i32)> = self.cells().map(turned).collect();
            let left = cells.iter().map(|(x, _)| *x).min().unwrap_or(0);
            let top = cells.iter().map(|(_, y)| *y).min().unwrap_or(0);
            cells.sort_unstable();
            let text = |(x, y): (i32, i32)| format!("{},{};", x - left, y - top);
            let ends = text(turned(self.start)) + &text(turned(self.goal));
            ends + &cells.into_iter().map(text).collect::<String>()
        });
        digest([images.min().unwrap_or_default()])
    }
}
