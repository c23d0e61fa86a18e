//! A maze to a map of it, which whoever plays never sees; and a trial on the map, move by move.

use crate::halma::maze::chart::Chart;
use crate::halma::maze::grid::{Direction, GridCell, SIDE};
use crate::halma::pictures::panel::hint;
use crate::pictures::drawing::{Drawing, Point};

/// Pixels of a side of a cell.
const CELL: f64 = 40.0;
/// Pixels around the cells.
const MARGIN: f64 = 10.0;

const WALL: &str = "#2b2b33";
const FREE: &str = "#f3efe6";
const START: &str = "#d02020";
const GOAL: &str = "#2a9d3a";
const HINT: &str = "#7a86b8";
const WAY: &str = "#1d4ed8";
const FAILED: &str = "#d02020";

/// A move of a trial: where to, how many units, and whether it was affordable.
pub type DrawnMove = (Direction, u8, bool);

fn middle(cell: GridCell) -> Point {
    let at = |number: u8| MARGIN + (f64::from(number) + 0.5) * CELL;
    (at(cell.x), at(cell.y))
}

/// The map of a maze: start as a red ring, goal as a green frame, hints as they are shown at their cells.
pub fn maze(chart: &Chart) -> Drawing {
    let side = (2.0 * MARGIN + f64::from(SIDE) * CELL) as u32;
    let mut drawing = Drawing::new(side, side, WALL);
    for (cell, known) in chart.cells() {
        let (x, y) = middle(cell);
        drawing.rectangle((x - CELL / 2.0, y - CELL / 2.0), (CELL, CELL), FREE);
        if cell == chart.start {
            drawing.disc((x, y), CELL * 0.42, START);
            drawing.disc((x, y), CELL * 0.33, FREE);
        }
        if let Some(to) = known.hint {
            hint(&mut drawing, to, (x, y), CELL * 0.5, HINT);
        }
    }
    let (x, y) = middle(chart.goal);
    let half = CELL * 0.36;
    let frame = [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)];
    let frame: Vec<Point> = frame.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
    drawing.line(&frame, GOAL, 5.0);
    drawing
}

/// The map with a trial on it: a line with a dot where each move ends, and a cross towards where one failed.
pub fn trial(chart: &Chart, moves: &[DrawnMove]) -> Drawing {
    let mut drawing = maze(chart);
    let mut at = chart.start;
    for (direction, units, valid) in moves {
        let (x, y) = middle(at);
        let next = Some(*units).filter(|_| *valid).and_then(|units| at.toward(*direction, units));
        match next {
            Some(next) => {
                drawing.line(&[(x, y), middle(next)], WAY, 4.0);
                drawing.disc(middle(next), 6.0, WAY);
                at = next;
            }
            None => {
                let (dx, dy) = direction.unit();
                let (x, y) = (x + f64::from(dx) * CELL * 0.36, y + f64::from(dy) * CELL * 0.36);
                drawing.line(&[(x - 4.0, y - 4.0), (x + 4.0, y + 4.0)], FAILED, 2.5);
                drawing.line(&[(x - 4.0, y + 4.0), (x + 4.0, y - 4.0)], FAILED, 2.5);
            }
        }
    }
    drawing
}
