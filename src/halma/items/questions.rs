//! What can be asked about a panel, or about where moves lead in a maze; and what the answer is called.

use crate::halma::items::story::{MazeStory, move_term};
use crate::halma::maze::grid::{Direction, GridCell};
use crate::halma::play::episode::HalmaMove;
use crate::halma::play::panel::{Colour, HintShape};

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MazeQuestion {
    /// Is the move affordable here?
    Affordable(HalmaMove),
    /// Is the digit how far off the nearest crossing is?
    IsCrossing(Direction, u8),
    /// Does the hint of the panel point there?
    Points(Direction),
    /// Is there this hint, where the pawn is now?
    Sees(Direction),
    /// Is the pawn in this cell now?
    IsAt(GridCell),
    /// Was the goal reached in the fewest moves?
    Shortest,
    /// How many units are free in a direction?
    Free(Direction),
    /// How many units off is the nearest crossing?
    Crossing(Direction),
    /// How many moves failed?
    Failed,
    /// How many moves does it take from here to the goal?
    Fewest,
    /// Where does the hint of the panel point?
    PointsWhere,
    /// Which hint is there, where the pawn is now?
    SeesWhich,
    /// Where is the pawn now?
    Where,
}

/// What clingo says to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MazeAnswer {
    /// Yes or no.
    Truth(bool),
    /// A number.
    Number(u32),
    /// A direction.
    Toward(Direction),
    /// The hint that points there.
    Shape(Direction),
    /// A cell.
    Cell(GridCell),
}

/// The types of questions.
pub(crate) const TYPES: [&str; 3] = ["verify", "count", "other"];

impl MazeQuestion {
    /// What it is about: the name of its wordings.
    pub fn family(&self) -> &'static str {
        match self {
            MazeQuestion::Affordable(_) => "affordable",
            MazeQuestion::IsCrossing(..) => "crossing",
            MazeQuestion::Points(_) | MazeQuestion::PointsWhere => "hint",
            MazeQuestion::Sees(_) | MazeQuestion::SeesWhich => "sees",
            MazeQuestion::IsAt(_) | MazeQuestion::Where => "position",
            MazeQuestion::Shortest => "shortest",
            MazeQuestion::Free(_) => "free",
            MazeQuestion::Crossing(_) => "crossing",
            MazeQuestion::Failed => "failed",
            MazeQuestion::Fewest => "fewest",
        }
    }

    /// Its type, by its place among verify, count and other.
    pub fn kind(&self) -> usize {
        match self {
            MazeQuestion::Affordable(_)
            | MazeQuestion::IsCrossing(..)
            | MazeQuestion::Points(_)
            | MazeQuestion::Sees(_)
            | MazeQuestion::IsAt(_)
            | MazeQuestion::Shortest => 0,
            MazeQuestion::Free(_)
            | MazeQuestion::Crossing(_)
            | MazeQuestion::Failed
            | MazeQuestion::Fewest => 1,
            MazeQuestion::PointsWhere | MazeQuestion::SeesWhich | MazeQuestion::Where => 2,
        }
    }

    /// As a ground term.
    pub fn term(&self) -> String {
        let cell = |cell: &GridCell| format!("cell({},{})", cell.x + 1, cell.y + 1);
        match self {
            MazeQuestion::Affordable(made) => format!("affordable({})", move_term(made)),
            MazeQuestion::IsCrossing(direction, digit) => {
                format!("crossing({},{digit})", Colour::of_wall(*direction).word())
            }
            MazeQuestion::Points(direction) => format!("hint({})", direction.word()),
            MazeQuestion::Sees(direction) => format!("sees({})", HintShape::of(*direction).word()),
            MazeQuestion::IsAt(at) => format!("position({})", cell(at)),
            MazeQuestion::Free(direction) => format!("free({})", direction.word()),
            MazeQuestion::Crossing(direction) => format!("crossing({})", direction.word()),
            other => other.family().to_owned(),
        }
    }

    /// Can it be asked about such a story? About a panel only what it shows, and about a maze where moves lead.
    pub fn suits(&self, story: &MazeStory) -> bool {
        let panel = matches!(story, MazeStory::Panel(_));
        match self {
            MazeQuestion::IsCrossing(..) | MazeQuestion::Points(_) | MazeQuestion::PointsWhere => panel,
            MazeQuestion::Affordable(_) | MazeQuestion::Free(_) | MazeQuestion::Crossing(_) => true,
            _ => !panel,
        }
    }
}

impl MazeAnswer {
    /// In words.
    pub fn text(&self) -> String {
        match self {
            MazeAnswer::Truth(true) => "yes".into(),
            MazeAnswer::Truth(false) => "no".into(),
            MazeAnswer::Number(number) => number.to_string(),
            MazeAnswer::Toward(direction) => direction.word().into(),
            MazeAnswer::Shape(direction) => HintShape::of(*direction).word().into(),
            MazeAnswer::Cell(at) => format!("column {} of row {}", at.x + 1, at.y + 1),
        }
    }

    /// As a ground term.
    pub fn term(&self) -> String {
        match self {
            MazeAnswer::Cell(at) => format!("cell({},{})", at.x + 1, at.y + 1),
            other => other.text(),
        }
    }

    /// The name of its type.
    pub fn kind(&self) -> &'static str {
        match self {
            MazeAnswer::Truth(_) => "bool",
            MazeAnswer::Number(_) => "number",
            _ => "name",
        }
    }
}
