//! A maze to its chart: what clingo derives of each cell from `asp/halma.lp`, for episodes to look up.

use racgen_logic::clingo::{Program, Source};

use crate::domain::embedded::axioms;
use crate::halma::error::HalmaError;
use crate::halma::maze::grid::{CELLS, Direction, GridCell};
use crate::halma::maze::tree::Maze;

/// What there is to know of a free cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellChart {
    /// Free cells up to the wall, by direction.
    pub wall: [u8; 4],
    /// Units to the nearest crossing, by direction; 0 where there is none.
    pub crossing: [u8; 4],
    /// How far the goal is off, by direction; 0 where it lies in the other one or straight across.
    pub goal: [u8; 4],
    /// Where the hint points that stands here.
    pub hint: Option<Direction>,
    /// The way to the goal, which the goal has not.
    pub way: Option<Direction>,
}

/// All that clingo derives of a maze.
#[derive(Clone, Debug)]
pub struct Chart {
    cells: Vec<Option<CellChart>>,
    /// The legs of the optimal path: directions, and how many units.
    pub legs: Vec<(Direction, u8)>,
    /// The fewest moves from start to goal by the most primitives of an option.
    pub optimum: Vec<(u8, u32)>,
    /// Where trials begin.
    pub start: GridCell,
    /// Where they are to end.
    pub goal: GridCell,
}

/// The predicates read, with their numbers of places.
const SHOWN: [(&str, usize); 8] = [
    ("wall", 4),
    ("nearest", 4),
    ("goalward", 4),
    ("hint", 3),
    ("way", 3),
    ("leg", 4),
    ("optimum", 2),
    ("fault", 3),
];

/// The program of a maze: what all share, and its own facts.
pub fn program(maze: &Maze) -> Program {
    let fact = |name: &str, cell: GridCell| format!("{name}({},{}).", cell.x, cell.y);
    let free: String = maze.cells().map(|cell| fact("free", cell)).collect();
    let facts = format!("{free}\n{}\n{}\n", fact("start", maze.start), fact("goal", maze.goal));
    Program { sources: vec![axioms("halma.lp"), Source::new("maze", facts)], ..Program::default() }
}

/// What is wrong with a maze, by the number that `asp/halma.lp` gives it.
fn what_is_wrong(fault: u32, at: &str) -> String {
    match fault {
        0 => format!("{at} is cut off from the goal"),
        1 => format!("two ways lead from {at} to the goal, and a maze has no loops"),
        2 => format!("the way to the goal goes a step away from it at {at}"),
        3 => format!("at {at}, on the way, two directions lead nearer to the goal, and there is no hint"),
        _ => format!("start and goal must be two free cells, unlike {at}"),
    }
}

impl Chart {
    /// Has clingo derive it.
    ///
    /// # Errors
    /// The first thing for which it is no maze, as a sentence without a place; those of the solver.
    pub fn of(maze: &Maze) -> Result<Chart, HalmaError> {
        let mut cells: Vec<Option<CellChart>> = vec![None; CELLS];
        maze.cells().for_each(|cell| cells[cell.index()] = Some(CellChart::default()));
        let mut chart =
            Chart { cells, legs: Vec::new(), optimum: Vec::new(), start: maze.start, goal: maze.goal };
        let mut legs: Vec<(u32, Direction, u8)> = Vec::new();
        let mut faults: Vec<(u32, u32, u32)> = Vec::new();
        for (place, args) in program(maze).facts(&SHOWN)? {
            let direction = |n: u32| Direction::ALL[n as usize % 4];
            let at = |x: u32, y: u32| GridCell::new(x as i32, y as i32);
            match (SHOWN[place].0, &args[..]) {
                ("optimum", [most, moves]) => chart.optimum.push((*most as u8, *moves)),
                ("fault", [kind, x, y]) => faults.push((*kind, *x, *y)),
                ("leg", [x, y, d, units]) => {
                    let from = at(*x, *y).map_or(0, |cell| maze.start.manhattan(cell));
                    legs.push((from, direction(*d), *units as u8));
                }
                (name, [x, y, rest @ ..]) => {
                    let Some(cell) = at(*x, *y).and_then(|cell| chart.cells[cell.index()].as_mut()) else {
                        continue;
                    };
                    match (name, rest) {
                        ("wall", [d, units]) => cell.wall[direction(*d).index()] = *units as u8,
                        ("nearest", [d, units]) => cell.crossing[direction(*d).index()] = *units as u8,
                        ("goalward", [d, units]) => cell.goal[direction(*d).index()] = *units as u8,
                        ("hint", [d]) => cell.hint = Some(direction(*d)),
                        ("way", [d]) => cell.way = Some(direction(*d)),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        if let Some((kind, x, y)) = faults.iter().min() {
            return Err(HalmaError::Settings(what_is_wrong(*kind, &format!("the cell x {x}, y {y}"))));
        }
        // On a monotone path, whoever is further from the start comes later.
        legs.sort_unstable();
        chart.legs = legs.into_iter().map(|(_, direction, units)| (direction, units)).collect();
        chart.optimum.sort_unstable();
        Ok(chart)
    }

    /// What there is to know of a cell; none of a wall.
    pub fn at(&self, cell: GridCell) -> Option<&CellChart> {
        self.cells[cell.index()].as_ref()
    }

    /// The free cells with what there is to know of them.
    pub fn cells(&self) -> impl Iterator<Item = (GridCell, &CellChart)> {
        let numbered = self.cells.iter().enumerate();
        numbered.filter_map(|(index, chart)| Some((GridCell::of(index), chart.as_ref()?)))
    }

    /// The fewest moves where an option has at most so many primitives, 1, 3 or 5.
    pub fn optimum(&self, most: u8) -> Option<u32> {
        self.optimum.iter().find(|(of, _)| *of == most).map(|(_, moves)| *moves)
    }
}
