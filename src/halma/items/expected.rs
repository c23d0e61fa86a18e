//! A chart and moves to the answer that is expected, so that questions can be drawn with level answers; clingo judges.

use std::borrow::Cow;

use crate::halma::items::questions::{MazeAnswer, MazeQuestion};
use crate::halma::items::story::{MazeStory, ToldPanel};
use crate::halma::maze::chart::{CellChart, Chart};
use crate::halma::maze::grid::{Direction, GridCell};
use crate::halma::maze::tree::Maze;
use crate::halma::play::episode::{HalmaMove, MOST_PRIMITIVES, MOST_UNITS};

/// A story whose maze is charted.
#[derive(Clone, Debug)]
pub(crate) enum AtHand<'p> {
    /// A panel.
    Panel(&'p ToldPanel),
    /// A maze with moves.
    Maze {
        /// The maze.
        maze: &'p Maze,
        /// What clingo derived of it.
        chart: &'p Chart,
        /// The most primitives of an option.
        most: u8,
        /// The moves.
        moves: Vec<HalmaMove>,
    },
}

impl<'p> AtHand<'p> {
    /// What is told.
    pub(crate) fn story(&self) -> MazeStory {
        match self {
            AtHand::Panel(panel) => (*panel).into(),
            AtHand::Maze { maze, most, moves, .. } => {
                MazeStory::Maze { maze: (*maze).clone(), most: *most, moves: moves.clone() }
            }
        }
    }

    /// The most primitives of an option, and the moves.
    pub(crate) fn moves(&self) -> (u8, Vec<HalmaMove>) {
        match self {
            AtHand::Panel(_) => (MOST_PRIMITIVES as u8, Vec::new()),
            AtHand::Maze { most, moves, .. } => (*most, moves.clone()),
        }
    }

    /// How much there is to tell.
    pub(crate) fn size(&self) -> usize {
        match self {
            AtHand::Panel(panel) => panel.digits.len() * 2 + usize::from(panel.hint.is_some()),
            AtHand::Maze { maze, .. } => maze.cells().count(),
        }
    }

    /// Where the moves lead, and how many of them fail.
    fn walk(&self) -> Option<(GridCell, u32)> {
        let AtHand::Maze { chart, moves, .. } = self else { return None };
        let (mut at, mut failed) = (chart.start, 0);
        for made in moves {
            let free = chart.at(at)?.wall[made.direction().index()];
            match at.toward(made.direction(), made.units()).filter(|_| made.units() <= free) {
                Some(next) => at = next,
                None => failed += 1,
            }
        }
        Some((at, failed))
    }

    /// Where the pawn is.
    pub(crate) fn at(&self) -> Option<GridCell> {
        self.walk().map(|(at, _)| at)
    }

    /// What there is to know of where the pawn is: of a panel, no crossing that is as far off as the wall.
    pub(crate) fn here(&self) -> Option<Cow<'p, CellChart>> {
        match self {
            AtHand::Panel(panel) => {
                let mut cell = CellChart { hint: panel.hint, ..CellChart::default() };
                for direction in Direction::ALL {
                    let (wall, crossing) = match panel.about(direction)[..] {
                        [crossing, wall] => (wall, crossing),
                        [wall] => (wall, 0),
                        _ => (0, 0),
                    };
                    (cell.wall[direction.index()], cell.crossing[direction.index()]) = (wall, crossing);
                }
                Some(Cow::Owned(cell))
            }
            AtHand::Maze { chart, .. } => chart.at(self.at()?).map(Cow::Borrowed),
        }
    }

    /// The fewest moves from where the pawn is to the goal.
    fn fewest(&self) -> Option<u32> {
        let AtHand::Maze { chart, most, .. } = self else { return None };
        let mut at = self.at()?;
        let mut legs: Vec<(Direction, u32)> = Vec::new();
        while at != chart.goal {
            let way = chart.at(at)?.way?;
            match legs.last_mut() {
                Some((last, units)) if *last == way => *units += 1,
                _ => legs.push((way, 1)),
            }
            at = at.toward(way, 1)?;
        }
        Some(legs.into_iter().map(|(_, units)| units.div_ceil(u32::from(MOST_UNITS * most))).sum())
    }
}

/// The answer that is expected; none where the question presupposes what is not so.
pub(crate) fn expected(story: &AtHand, question: &MazeQuestion) -> Option<MazeAnswer> {
    let here = story.here()?;
    let truth = |so: bool| Some(MazeAnswer::Truth(so));
    let number = |number: u32| Some(MazeAnswer::Number(number));
    let crossing = |direction: Direction| Some(here.crossing[direction.index()]).filter(|units| *units > 0);
    match question {
        MazeQuestion::Affordable(made) => truth(made.units() <= here.wall[made.direction().index()]),
        MazeQuestion::IsCrossing(direction, digit) => {
            let crossing = crossing(*direction)?;
            let both = [crossing, here.wall[direction.index()]];
            both.contains(digit).then_some(MazeAnswer::Truth(crossing == *digit))
        }
        MazeQuestion::Points(direction) => truth(here.hint? == *direction),
        MazeQuestion::Sees(direction) => truth(here.hint == Some(*direction)),
        MazeQuestion::IsAt(at) => truth(story.at()? == *at),
        MazeQuestion::Shortest => {
            let AtHand::Maze { chart, most, moves, .. } = story else { return None };
            truth(story.at()? == chart.goal && chart.optimum(*most)? == moves.len() as u32)
        }
        MazeQuestion::Free(direction) => number(u32::from(here.wall[direction.index()])),
        MazeQuestion::Crossing(direction) => number(u32::from(crossing(*direction)?)),
        MazeQuestion::Failed => number(story.walk()?.1),
        MazeQuestion::Fewest => number(story.fewest()?),
        MazeQuestion::PointsWhere => here.hint.map(MazeAnswer::Toward),
        MazeQuestion::SeesWhich => here.hint.map(MazeAnswer::Shape),
        MazeQuestion::Where => story.at().map(MazeAnswer::Cell),
    }
}
