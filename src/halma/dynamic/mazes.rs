//! Pairs of digits to mazes that are played well only by who understands them (appendix D).
//!
//! On the way of each maze there is a cell from which a wall is as far off as the greater digit says, and a crossing as
//! the lesser. Who does not stop there misses the hint. Whatever else the oracle compares on its way was seen before, so
//! that the maze tests nothing else.

use std::collections::{BTreeMap, HashSet};

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::halma::dynamic::kinds::{TestKind, kinds};
use crate::halma::dynamic::knowledge::{DigitPair, Knowledge};
use crate::halma::error::HalmaError;
use crate::halma::maze::chart::Chart;
use crate::halma::maze::generate::{Branching, branch_off, place};
use crate::halma::maze::grid::{Direction, GridCell};
use crate::halma::maze::set::ChartedMaze;
use crate::halma::maze::tree::Maze;
use crate::halma::play::agents::oracle::explore;
use crate::halma::play::panel::Panel;

/// Mazes drawn for one place of a test before the test is left as it is.
const MOST_DRAWN: usize = 400;
/// Branches besides those that the pair needs.
const BRANCHING: Branching = Branching { number: (0, 3), depth: (1, 3) };

/// The mazes of each kind of test, as many as wanted or as can be had; none of a kind for which there are none.
///
/// # Errors
/// Those of the solver.
pub fn test_mazes(
    knowledge: &Knowledge,
    wanted: usize,
    seed: u64,
) -> Result<BTreeMap<TestKind, Vec<ChartedMaze>>, HalmaError> {
    let kinds = kinds(knowledge);
    let mut tests: BTreeMap<TestKind, Vec<ChartedMaze>> = BTreeMap::new();
    for kind in TestKind::ALL {
        let pairs: Vec<DigitPair> =
            kinds.iter().filter(|(_, of)| **of == kind).map(|(pair, _)| *pair).collect();
        let mut met = HashSet::new();
        let mut mazes = Vec::new();
        let mut failures = 0;
        for number in 0.. {
            if mazes.len() == wanted || failures == MOST_DRAWN || pairs.is_empty() {
                break;
            }
            let mut rng = stream(seed, &["halma", kind.name(), &number.to_string()]);
            let pair = pairs[rng.random_range(0..pairs.len())];
            let drawn = draw(pair, &mut rng);
            let found = match drawn {
                Some((maze, branches)) if met.insert(maze.rows().concat()) => {
                    let id = format!("{}-{:04}", kind.name(), mazes.len() + 1);
                    let charted = ChartedMaze::new(&maze, id, kind.name(), branches)?;
                    tests_only(&charted.chart, pair, kind, &kinds, knowledge).then_some(charted)
                }
                _ => None,
            };
            failures = if found.is_some() { 0 } else { failures + 1 };
            mazes.extend(found);
        }
        if !mazes.is_empty() {
            tests.insert(kind, mazes);
        }
    }
    Ok(tests)
}

/// A maze with the pair on its way, if one was found at once, and the depths of its other branches.
fn draw(pair: DigitPair, rng: &mut ChaCha8Rng) -> Option<(Maze, Vec<u8>)> {
    let across = Direction::ALL[(pair.direction.index() + if rng.random() { 1 } else { 3 }) % 4];
    // To the cell from which the pair is seen, along to the crossing, and on to the goal.
    let mut shape = vec![across; rng.random_range(0..=3)];
    shape.extend((0..pair.lesser).map(|_| pair.direction));
    let crossing = shape.len();
    shape.push(across);
    for _ in 0..rng.random_range(0..=4) {
        shape.push(if rng.random() { across } else { pair.direction });
    }
    // What lies behind the crossing must find room as well.
    let mut cells = vec![(0i32, 0i32)];
    let on = |(x, y): (i32, i32), direction: Direction, units: u8| {
        let (dx, dy) = direction.unit();
        (x + i32::from(dx) * i32::from(units), y + i32::from(dy) * i32::from(units))
    };
    for step in &shape {
        cells.push(on(cells[cells.len() - 1], *step, 1));
    }
    let path = cells.len();
    let behind = pair.greater - pair.lesser;
    let at_crossing = cells[crossing];
    cells.extend((1..=behind).map(|units| on(at_crossing, pair.direction, units)));
    let placed = place(&cells, rng)?;
    let mut maze = Maze::new(placed.iter().copied(), placed[0], placed[path - 1]);
    let mut branches = vec![behind];
    for _ in 0..rng.random_range(BRANCHING.number.0..=BRANCHING.number.1) {
        let depth = rng.random_range(BRANCHING.depth.0..=BRANCHING.depth.1);
        if let Some(branch) = branch_off(&maze, &placed[..path], depth, rng) {
            branch.into_iter().for_each(|cell| maze.open(cell));
            branches.push(depth);
        }
    }
    is_tree(&maze).then_some((maze, branches))
}

/// Has the maze one edge less than cells? Its cells hang together, since each was added beside another.
fn is_tree(maze: &Maze) -> bool {
    let cells: Vec<GridCell> = maze.cells().collect();
    let ends: usize =
        cells.iter().map(|cell| cell.neighbors().filter(|other| maze.is_free(*other)).count()).sum();
    ends == 2 * (cells.len() - 1)
}

/// Does the oracle's first trial need this pair, and apart from its kind only what was seen?
fn tests_only(
    chart: &Chart,
    pair: DigitPair,
    kind: TestKind,
    kinds: &BTreeMap<DigitPair, TestKind>,
    knowledge: &Knowledge,
) -> bool {
    let mut at = chart.start;
    let mut needed = false;
    for _ in 0..chart.cells().count() {
        if at == chart.goal {
            return needed;
        }
        let Some(panel) = chart.at(at).map(Panel::of) else { return false };
        let (direction, units) = explore(&panel);
        let compared = panel
            .crossing(direction)
            .and_then(|crossing| DigitPair::of(direction, panel.wall(direction) as i8, crossing as i8));
        if let Some(compared) = compared {
            let new_panel = !knowledge.knows_panel(&panel.symbols());
            match kinds.get(&compared) {
                Some(TestKind::St1) if kind == TestKind::St1 => needed |= compared == pair && new_panel,
                Some(of) if *of == kind => needed |= compared == pair,
                Some(TestKind::St1) => {}
                _ => return false,
            }
        }
        match at.toward(direction, units) {
            Some(next) if units > 0 => at = next,
            _ => return false,
        }
    }
    false
}
