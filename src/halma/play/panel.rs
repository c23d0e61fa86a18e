//! What is seen from a cell: coloured digits and perhaps a hint, never the maze (sections 3.1 and 3.2, appendix F.1).

use serde::{Deserialize, Serialize};

use crate::halma::maze::chart::CellChart;
use crate::halma::maze::grid::Direction;

/// The colour of a digit, which says what it tells. A bijection with directions and what lies there (definition 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// Wall or crossing to the left.
    Red,
    /// Wall or crossing upwards.
    Orange,
    /// Wall or crossing to the right.
    Yellow,
    /// Wall or crossing downwards.
    Green,
    /// The goal is to the left (ours).
    Cyan,
    /// The goal is upwards (ours).
    Blue,
    /// The goal is to the right.
    White,
    /// The goal is downwards (ours).
    Purple,
}

/// The shape of a hint, which says where to go. Which shape is which direction is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HintShape {
    /// Go left.
    Circle,
    /// Go up.
    Triangle,
    /// Go right.
    Square,
    /// Go down.
    Pentagon,
}

/// A digit of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ColouredDigit {
    /// Its colour.
    pub colour: Colour,
    /// The digit, 1 to 9.
    pub digit: u8,
}

/// The numbers of the symbolic observation space: walls to the left, up, to the right and down; crossings likewise, 0
/// where there is none before the wall; what the goal is off to the right and downwards; the hint, 0 for none and 1 to 4
/// by its direction. One-hot over -9 to 9 they are the paper's 11 x 19.
pub type Symbols = [i8; 11];

/// What is seen from a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panel<'c> {
    cell: &'c CellChart,
}

impl Colour {
    /// All of them: of walls and crossings first, then of goals, each by direction.
    pub const ALL: [Colour; 8] = [
        Colour::Red,
        Colour::Orange,
        Colour::Yellow,
        Colour::Green,
        Colour::Cyan,
        Colour::Blue,
        Colour::White,
        Colour::Purple,
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        ["red", "orange", "yellow", "green", "cyan", "blue", "white", "purple"][self as usize]
    }

    /// The colour of walls and crossings.
    pub fn of_wall(direction: Direction) -> Colour {
        Colour::ALL[direction.index()]
    }

    /// The colour of the goal's offset.
    pub fn of_goal(direction: Direction) -> Colour {
        Colour::ALL[4 + direction.index()]
    }
}

impl HintShape {
    /// The shape that points there.
    pub fn of(direction: Direction) -> HintShape {
        [HintShape::Circle, HintShape::Triangle, HintShape::Square, HintShape::Pentagon][direction.index()]
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        ["circle", "triangle", "square", "pentagon"][self as usize]
    }
}

impl<'c> Panel<'c> {
    /// The panel of a cell.
    pub fn of(cell: &'c CellChart) -> Panel<'c> {
        Panel { cell }
    }

    /// Free cells up to the wall.
    pub fn wall(&self, direction: Direction) -> u8 {
        self.cell.wall[direction.index()]
    }

    /// The nearest crossing, if there is one; it may be the last cell before the wall.
    pub fn crossing(&self, direction: Direction) -> Option<u8> {
        Some(self.cell.crossing[direction.index()]).filter(|units| *units > 0)
    }

    /// Where the hint points, if there is one.
    pub fn hint(&self) -> Option<Direction> {
        self.cell.hint
    }

    /// How far the goal is off in a direction; 0 if it is not.
    pub fn goal(&self, direction: Direction) -> u8 {
        self.cell.goal[direction.index()]
    }

    /// How far the goal is off in all, its Manhattan distance.
    pub fn goal_distance(&self) -> u8 {
        self.cell.goal.iter().sum()
    }

    /// The digits: only those that are not zero, and one where wall and crossing are equally far.
    pub fn digits(&self) -> Vec<ColouredDigit> {
        let mut digits = Vec::new();
        for direction in Direction::ALL {
            let colour = Colour::of_wall(direction);
            let wall = self.wall(direction);
            digits
                .extend(self.crossing(direction).filter(|units| *units != wall).map(|digit| (colour, digit)));
            digits.extend(Some((colour, wall)).filter(|(_, digit)| *digit > 0));
        }
        for direction in Direction::ALL {
            digits.extend(
                Some((Colour::of_goal(direction), self.goal(direction))).filter(|(_, digit)| *digit > 0),
            );
        }
        digits.into_iter().map(|(colour, digit)| ColouredDigit { colour, digit }).collect()
    }

    /// The same as numbers.
    pub fn symbols(&self) -> Symbols {
        let mut symbols = [0; 11];
        for direction in Direction::ALL {
            let wall = self.wall(direction);
            let crossing = self.crossing(direction).filter(|units| *units != wall).unwrap_or(0);
            symbols[direction.index()] = wall as i8;
            symbols[4 + direction.index()] = crossing as i8;
        }
        let off = |there: Direction| self.goal(there) as i8 - self.goal(there.opposite()) as i8;
        (symbols[8], symbols[9]) = (off(Direction::Right), off(Direction::Down));
        symbols[10] = self.hint().map_or(0, |direction| direction.index() as i8 + 1);
        symbols
    }
}
