//! Stories and questions to English, with the wordings of `language.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use serde::Deserialize;

use crate::halma::error::HalmaError;
use crate::halma::items::questions::MazeQuestion;
use crate::halma::items::story::MazeStory;
use crate::halma::maze::grid::{GridCell, SIDE};
use crate::halma::maze::tree::Maze;
use crate::halma::play::panel::{Colour, ColouredDigit, HintShape};
use crate::language::tell::paragraphs::Paragraphs;
use crate::language::words::text::{conjoined, paragraph};

/// Wordings; what they are is said in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MazeLanguage {
    pub(crate) panel: Vec<String>,
    pub(crate) hint: Vec<String>,
    pub(crate) no_hint: Vec<String>,
    pub(crate) picture: Vec<String>,
    pub(crate) grid: Vec<String>,
    pub(crate) row: Vec<String>,
    pub(crate) walls: Vec<String>,
    pub(crate) start: Vec<String>,
    pub(crate) goal: Vec<String>,
    pub(crate) did_first: Vec<String>,
    pub(crate) did: Vec<String>,
    pub(crate) panel_rules: Vec<Vec<String>>,
    pub(crate) maze_rules: Vec<Vec<String>>,
    pub(crate) question: BTreeMap<String, Vec<String>>,
}

static LANGUAGE: LazyLock<Result<MazeLanguage, String>> =
    LazyLock::new(|| toml::from_str(include_str!("language.toml")).map_err(|error| error.to_string()));

/// The language, which comes with racgen.
///
/// # Errors
/// A fault of its file, in words.
pub(crate) fn language() -> Result<&'static MazeLanguage, HalmaError> {
    LANGUAGE.as_ref().map_err(|error| HalmaError::Settings(error.clone()))
}

/// The most primitives of an option, in words.
pub(crate) const MOST_WORDS: [(u8, &str); 3] =
    [(1, "one primitive"), (3, "three primitives"), (5, "five primitives")];

/// The name of a question's wordings.
pub(crate) fn wordings(question: &MazeQuestion) -> &'static str {
    match question {
        MazeQuestion::IsCrossing(..) => "is_crossing",
        MazeQuestion::Points(_) => "points",
        MazeQuestion::PointsWhere => "points_where",
        MazeQuestion::SeesWhich => "sees_which",
        MazeQuestion::IsAt(_) => "is_at",
        MazeQuestion::Where => "where",
        other => other.family(),
    }
}

/// A cell, as `column 3 of row 4`.
pub(crate) fn cell(at: GridCell) -> String {
    format!("column {} of row {}", at.x + 1, at.y + 1)
}

/// Primitives, as `2 and 3 units`.
pub(crate) fn option(primitives: &[u8]) -> String {
    let units = if primitives == [1] { "unit" } else { "units" };
    let numbers: Vec<String> = primitives.iter().map(u8::to_string).collect();
    format!("{} {units}", conjoined(&numbers))
}

/// A digit with its colour, as `a red 3`.
fn digit(digit: &ColouredDigit) -> String {
    let article = if digit.colour == Colour::Orange { "an" } else { "a" };
    format!("{article} {} {}", digit.colour.word(), digit.digit)
}

/// The digits of a panel.
pub(crate) fn digits(digits: &[ColouredDigit]) -> String {
    conjoined(&digits.iter().map(digit).collect::<Vec<_>>())
}

/// The free cells of a row, as `columns 1 to 3 and 5`; none where there are none.
pub(crate) fn columns(maze: &Maze, y: u8) -> Option<String> {
    let free: Vec<u8> = (0..SIDE).filter(|x| maze.is_free(GridCell { x: *x, y })).collect();
    let runs: Vec<String> = free
        .chunk_by(|a, b| a + 1 == *b)
        .map(|run| match run {
            [one] => format!("{}", one + 1),
            [first, .., last] => format!("{} to {}", first + 1, last + 1),
            [] => String::new(),
        })
        .collect();
    let name = if free.len() == 1 { "column" } else { "columns" };
    (!free.is_empty()).then(|| format!("{name} {}", conjoined(&runs)))
}

fn one<'w>(of: &'w [String], rng: &mut ChaCha8Rng) -> &'w str {
    of.get(rng.random_range(0..of.len().max(1))).map_or("", String::as_str)
}

/// The paragraphs of a story; with `picture`, that of a panel does not say what it shows.
pub(crate) fn tell(
    language: &MazeLanguage,
    story: &MazeStory,
    picture: bool,
    rng: &mut ChaCha8Rng,
) -> Paragraphs {
    let mut initial = Vec::new();
    let (mut rules, mut actions) = (Vec::new(), Vec::new());
    match story {
        MazeStory::Panel(_) if picture => initial.push(one(&language.picture, rng).to_owned()),
        MazeStory::Panel(panel) => {
            initial.push(one(&language.panel, rng).replace("{digits}", &digits(&panel.digits)));
            initial.push(match panel.hint {
                Some(hint) => one(&language.hint, rng).replace("{shape}", HintShape::of(hint).word()),
                None => one(&language.no_hint, rng).to_owned(),
            });
        }
        MazeStory::Maze { maze, .. } => {
            initial.push(one(&language.grid, rng).to_owned());
            for y in 0..SIDE {
                let free = columns(maze, y);
                initial.extend(free.map(|free| {
                    let row = (y + 1).to_string();
                    one(&language.row, rng).replace("{row}", &row).replace("{columns}", &free)
                }));
            }
            initial.push(one(&language.walls, rng).to_owned());
            initial.push(one(&language.start, rng).replace("{cell}", &cell(maze.start)));
            initial.push(one(&language.goal, rng).replace("{cell}", &cell(maze.goal)));
        }
    }
    match story {
        MazeStory::Panel(_) => {
            rules.extend(language.panel_rules.iter().map(|list| one(list, rng).to_owned()));
        }
        MazeStory::Maze { most, moves, .. } => {
            let words = MOST_WORDS.iter().find(|(number, _)| number == most).map_or("", |(_, words)| words);
            rules.extend(language.maze_rules.iter().map(|list| one(list, rng).replace("{most}", words)));
            for (place, made) in moves.iter().enumerate() {
                let list = if place == 0 { &language.did_first } else { &language.did };
                let sentence = one(list, rng).replace("{direction}", made.direction().word());
                actions.push(sentence.replace("{option}", &option(made.primitives())));
            }
        }
    }
    Paragraphs { initial_state: paragraph(initial), rules: paragraph(rules), actions: paragraph(actions) }
}

/// A question, and the name of its wording.
pub(crate) fn ask(
    language: &MazeLanguage,
    question: &MazeQuestion,
    rng: &mut ChaCha8Rng,
) -> (String, String) {
    let name = wordings(question);
    let list = language.question.get(name).map_or(&[][..], Vec::as_slice);
    let number = rng.random_range(0..list.len().max(1));
    let text = list.get(number).map_or("", String::as_str);
    let text = match question {
        MazeQuestion::Affordable(made) => text
            .replace("{direction}", made.direction().word())
            .replace("{option}", &option(made.primitives())),
        MazeQuestion::IsCrossing(direction, digit) => text
            .replace("{colour}", Colour::of_wall(*direction).word())
            .replace("{digit}", &digit.to_string()),
        MazeQuestion::Points(direction)
        | MazeQuestion::Free(direction)
        | MazeQuestion::Crossing(direction) => text.replace("{direction}", direction.word()),
        MazeQuestion::Sees(direction) => text.replace("{shape}", HintShape::of(*direction).word()),
        MazeQuestion::IsAt(at) => text.replace("{cell}", &cell(*at)),
        _ => text.to_owned(),
    };
    (crate::language::words::text::capital(&text), format!("{name}.{}", number + 1))
}

/// The digits of a panel in another order.
pub(crate) fn shuffled(story: &mut MazeStory, rng: &mut ChaCha8Rng) {
    if let MazeStory::Panel(panel) = story {
        panel.digits.shuffle(rng);
    }
}
