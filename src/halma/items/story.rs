//! What an item tells: a panel, or a maze with moves in it; and the ground terms of either.

use racgen_logic::seed::digest;

use crate::halma::maze::chart::CellChart;
use crate::halma::maze::grid::{Direction, GridCell};
use crate::halma::maze::tree::Maze;
use crate::halma::play::episode::HalmaMove;
use crate::halma::play::panel::{Colour, ColouredDigit, HintShape, Panel};

/// A panel as it is told: digits in the order of the text, and a hint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToldPanel {
    /// The digits.
    pub digits: Vec<ColouredDigit>,
    /// Where its hint points, if it has one.
    pub hint: Option<Direction>,
}

/// What an item tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MazeStory {
    /// A panel, and nothing of the maze.
    Panel(ToldPanel),
    /// A maze, the most primitives of an option, and moves.
    Maze {
        /// The maze.
        maze: Maze,
        /// The most primitives of an option.
        most: u8,
        /// What is done, one after the other, whether it fails or not.
        moves: Vec<HalmaMove>,
    },
}

/// A panel is a story of its own.
impl From<&ToldPanel> for MazeStory {
    fn from(panel: &ToldPanel) -> MazeStory {
        MazeStory::Panel(panel.clone())
    }
}

impl ToldPanel {
    /// The panel of a cell.
    pub fn of(cell: &CellChart) -> ToldPanel {
        let panel = Panel::of(cell);
        ToldPanel { digits: panel.digits(), hint: panel.hint() }
    }

    /// Reads [`MazeStory::facts`] of a panel.
    pub(crate) fn from_facts(facts: &[String]) -> Option<ToldPanel> {
        let mut panel = ToldPanel::default();
        for fact in facts {
            let (name, args) = fact.strip_suffix(')')?.split_once('(')?;
            match (name, args.split_once(',')) {
                ("digit", Some((colour, digit))) => {
                    let colour = Colour::ALL.into_iter().find(|known| known.word() == colour)?;
                    let digit = digit.parse().ok().filter(|digit| (1..=9).contains(digit))?;
                    panel.digits.push(ColouredDigit { colour, digit });
                }
                ("hint", None) => {
                    let shape = |to: &Direction| HintShape::of(*to).word() == args;
                    panel.hint = Some(Direction::ALL.into_iter().find(shape)?);
                }
                _ => return None,
            }
        }
        Some(panel)
    }

    /// The digits in the colour of walls and crossings in a direction, the lesser first.
    pub fn about(&self, direction: Direction) -> Vec<u8> {
        let colour = Colour::of_wall(direction);
        let mut digits: Vec<u8> =
            self.digits.iter().filter(|digit| digit.colour == colour).map(|digit| digit.digit).collect();
        digits.sort_unstable();
        digits
    }

    /// The digits in the order of colours, as they stand in facts and as they are drawn.
    pub(crate) fn sorted(&self) -> Vec<ColouredDigit> {
        let mut digits = self.digits.clone();
        digits.sort_unstable();
        digits
    }
}

/// A direction with primitives as a term's arguments: `right,option(3,2)`.
pub(crate) fn move_term(made: &HalmaMove) -> String {
    let primitives: Vec<String> = made.primitives().iter().map(u8::to_string).collect();
    format!("{},option({})", made.direction().word(), primitives.join(","))
}

impl MazeStory {
    /// The ground atoms of the initial situation.
    pub fn facts(&self) -> Vec<String> {
        match self {
            MazeStory::Panel(panel) => {
                let digit = |digit: ColouredDigit| format!("digit({},{})", digit.colour.word(), digit.digit);
                let hint = panel.hint.map(|hint| format!("hint({})", HintShape::of(hint).word()));
                panel.sorted().into_iter().map(digit).chain(hint).collect()
            }
            MazeStory::Maze { maze, most, .. } => {
                let cell = |name: &str, cell: GridCell| format!("{name}({},{})", cell.x + 1, cell.y + 1);
                let mut facts: Vec<String> = maze.cells().map(|at| cell("free", at)).collect();
                facts.push(cell("start", maze.start));
                facts.push(cell("goal", maze.goal));
                facts.push(format!("most({most})"));
                facts
            }
        }
    }

    /// The moves as ground terms.
    pub fn plan(&self) -> Vec<String> {
        match self {
            MazeStory::Panel(_) => Vec::new(),
            MazeStory::Maze { moves, .. } => {
                moves.iter().map(|made| format!("move({})", move_term(made))).collect()
            }
        }
    }

    /// The key of its world: of a panel, what it shows; of a maze, what it shares with its images, moved, turned or
    /// mirrored.
    pub fn world(&self) -> String {
        match self {
            MazeStory::Panel(_) => {
                let facts = self.facts();
                digest(std::iter::once("panel").chain(facts.iter().map(String::as_str)))
            }
            MazeStory::Maze { maze, .. } => maze.key(),
        }
    }
}
