//! A story and a question to the answer that clingo derives from `asp/halma_questions.lp`.

use racgen_logic::clingo::{NumberedFact, Program, Source};

use crate::domain::embedded::axioms;
use crate::halma::error::HalmaError;
use crate::halma::items::questions::{MazeAnswer, MazeQuestion};
use crate::halma::items::story::{MazeStory, ToldPanel};
use crate::halma::maze::chart::program as maze_program;
use crate::halma::maze::grid::{Direction, GridCell};

/// The predicates read, with their numbers of places. Those of arity 1 that only say that something is so have a 1.
const SHOWN: [(&str, usize); 9] = [
    ("now", 2),
    ("failed", 1),
    ("free_here", 2),
    ("crossing_here", 2),
    ("hint_here", 1),
    ("succeeds", 1),
    ("fewest", 1),
    ("shortest", 1),
    ("fault", 3),
];

/// What is so, as clingo derives it: predicates by their places, with arguments.
struct DerivedFacts(Vec<NumberedFact>);

impl DerivedFacts {
    fn of(&self, name: &str) -> impl Iterator<Item = &[u32]> {
        let place = SHOWN.iter().position(|(shown, _)| *shown == name);
        self.0.iter().filter(move |(at, _)| Some(*at) == place).map(|(_, args)| &**args)
    }

    fn number(&self, name: &str) -> Option<u32> {
        self.of(name).next()?.last().copied()
    }

    /// The number that belongs to a direction.
    fn toward(&self, name: &str, direction: Direction) -> Option<u32> {
        let found = self.of(name).find(|args| args.first() == Some(&(direction.index() as u32)));
        found?.last().copied()
    }

    fn direction(&self, name: &str) -> Option<Direction> {
        Direction::ALL.get(self.number(name)? as usize).copied()
    }
}

fn panel_facts(panel: &ToldPanel) -> String {
    let mut facts = String::new();
    for direction in Direction::ALL {
        for digit in panel.about(direction) {
            facts += &format!("digit({},{digit}).\n", direction.index());
        }
    }
    facts + &panel.hint.map_or(String::new(), |hint| format!("points({}).\n", hint.index()))
}

/// The program of a story, and of the move that a question is about.
fn program(story: &MazeStory, question: &MazeQuestion) -> Program {
    let mut facts = match question {
        MazeQuestion::Affordable(made) => format!("asks({},{}).\n", made.direction().index(), made.units()),
        _ => String::new(),
    };
    let mut program = match story {
        MazeStory::Panel(panel) => {
            facts += &panel_facts(panel);
            Program::default()
        }
        MazeStory::Maze { maze, most, moves } => {
            facts += &format!("most({most}). last({}).\n", moves.len());
            for (place, made) in moves.iter().enumerate() {
                facts += &format!("did({},{},{}).\n", place + 1, made.direction().index(), made.units());
            }
            maze_program(maze)
        }
    };
    program.sources.push(axioms("halma_questions.lp"));
    program.sources.push(Source::new("story", facts));
    program
}

/// What clingo says; nothing where the question presupposes what is not so: a hint, two digits of a colour, a crossing.
///
/// # Errors
/// Those of clingo, and a maze that is none.
pub(crate) fn judge(story: &MazeStory, question: &MazeQuestion) -> Result<Option<MazeAnswer>, HalmaError> {
    let derived = DerivedFacts(program(story, question).facts(&SHOWN)?);
    if derived.of("fault").next().is_some() {
        return Err(HalmaError::Settings("the cells told are no maze with one way to the goal".into()));
    }
    let number = |name: &str| derived.number(name).map(MazeAnswer::Number);
    let truth = |so: bool| Some(MazeAnswer::Truth(so));
    let hint = derived.direction("hint_here");
    let now = derived.of("now").next().and_then(|args| match args {
        [x, y] => GridCell::new(*x as i32, *y as i32),
        _ => None,
    });
    Ok(match question {
        MazeQuestion::Affordable(_) => truth(derived.number("succeeds").is_some()),
        MazeQuestion::IsCrossing(direction, digit) => {
            let two = |crossing: u32| {
                let both = [Some(crossing), derived.toward("free_here", *direction)];
                both.contains(&Some(u32::from(*digit)))
                    .then_some(MazeAnswer::Truth(crossing == u32::from(*digit)))
            };
            derived.toward("crossing_here", *direction).and_then(two)
        }
        MazeQuestion::Points(direction) => hint.map(|hint| MazeAnswer::Truth(hint == *direction)),
        MazeQuestion::Sees(direction) => truth(hint == Some(*direction)),
        MazeQuestion::IsAt(at) => now.map(|now| MazeAnswer::Truth(now == *at)),
        MazeQuestion::Shortest => truth(derived.number("shortest").is_some()),
        MazeQuestion::Free(direction) => derived.toward("free_here", *direction).map(MazeAnswer::Number),
        MazeQuestion::Crossing(direction) => {
            derived.toward("crossing_here", *direction).map(MazeAnswer::Number)
        }
        MazeQuestion::Failed => number("failed"),
        MazeQuestion::Fewest => number("fewest"),
        MazeQuestion::PointsWhere => hint.map(MazeAnswer::Toward),
        MazeQuestion::SeesWhich => hint.map(MazeAnswer::Shape),
        MazeQuestion::Where => now.map(MazeAnswer::Cell),
    })
}
