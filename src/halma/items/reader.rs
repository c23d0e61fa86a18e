//! English to stories and questions: the wordings of `language.toml`, turned round.

use std::sync::LazyLock;

use crate::halma::items::questions::MazeQuestion;
use crate::halma::items::story::{MazeStory, ToldPanel};
use crate::halma::items::words::{MOST_WORDS, MazeLanguage, cell, columns, digits, language, option};
use crate::halma::maze::grid::{CELLS, Direction, GridCell, SIDE};
use crate::halma::maze::tree::Maze;
use crate::halma::play::episode::HalmaMove;
use crate::halma::play::panel::{Colour, ColouredDigit, HintShape};
use crate::language::read::forms::{Forms, Misread, only};

/// What a sentence of a situation says.
#[derive(Clone, Debug, PartialEq)]
enum SaidOfWorld {
    Digits(Vec<ColouredDigit>),
    Hint(Option<Direction>),
    Picture,
    Grid,
    Row(u8, Vec<u8>),
    Walls,
    Start(GridCell),
    Goal(GridCell),
}

/// What a sentence is of.
#[derive(Clone, Copy, Debug)]
enum SentenceKind {
    Panel,
    Hint,
    NoHint,
    Picture,
    Grid,
    Row,
    Walls,
    Start,
    Goal,
}

/// A sentence of the rules: whether it is of panels or mazes, its place, and the most primitives if it says so.
type SaidRule = (bool, usize, Option<u8>);

/// What the situation of an item tells.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ToldSituation {
    /// A panel in words.
    Panel(ToldPanel),
    /// A panel that is in the picture.
    Picture,
    /// A maze.
    Maze(Maze),
}

/// The language, turned round.
pub(crate) struct MazeReader {
    sentences: Forms<SentenceKind>,
    rules: Forms<(bool, usize)>,
    /// How many sentences the rules of panels and of mazes have.
    counts: [usize; 2],
    moves: Forms<bool>,
    questions: Forms<(String, usize)>,
}

static READER: LazyLock<Result<MazeReader, String>> =
    LazyLock::new(|| Ok(MazeReader::new(language().map_err(|error| error.to_string())?)));

const DIRECTION: &str = "{direction}";
const OPTION: &str = "{option}";
const CELL: &str = "{cell}";

impl MazeReader {
    /// The reader of racgen's own language.
    ///
    /// # Errors
    /// A fault of the language's file, in words.
    pub(crate) fn own() -> Result<&'static MazeReader, String> {
        READER.as_ref().map_err(Clone::clone)
    }

    fn new(language: &MazeLanguage) -> MazeReader {
        let mut sentences = Forms::default();
        let slots = [("{digits}", 0), ("{shape}", 0), ("{row}", 0), ("{columns}", 1), (CELL, 0)];
        for (kind, list) in [
            (SentenceKind::Panel, &language.panel),
            (SentenceKind::Hint, &language.hint),
            (SentenceKind::NoHint, &language.no_hint),
            (SentenceKind::Picture, &language.picture),
            (SentenceKind::Grid, &language.grid),
            (SentenceKind::Row, &language.row),
            (SentenceKind::Walls, &language.walls),
            (SentenceKind::Start, &language.start),
            (SentenceKind::Goal, &language.goal),
        ] {
            list.iter().for_each(|text| sentences.add_text(kind, text, &slots));
        }
        let mut rules = Forms::default();
        for (of_mazes, lists) in [(false, &language.panel_rules), (true, &language.maze_rules)] {
            for (place, list) in lists.iter().enumerate() {
                list.iter().for_each(|text| rules.add_text((of_mazes, place), text, &[("{most}", 0)]));
            }
        }
        let mut moves = Forms::default();
        for (first, list) in [(true, &language.did_first), (false, &language.did)] {
            list.iter().for_each(|text| moves.add_text(first, text, &[(DIRECTION, 0), (OPTION, 1)]));
        }
        let mut questions = Forms::default();
        let slots = [(DIRECTION, 0), (OPTION, 1), ("{colour}", 0), ("{digit}", 1), ("{shape}", 0), (CELL, 0)];
        for (name, list) in &language.question {
            for (number, text) in list.iter().enumerate() {
                questions.add_text((name.clone(), number), text, &slots);
            }
        }
        let counts = [language.panel_rules.len(), language.maze_rules.len()];
        MazeReader { sentences, rules, counts, moves, questions }
    }

    /// What a situation says.
    pub(crate) fn situation(&self, text: &str) -> Result<ToldSituation, Misread> {
        let read = |kind: &SentenceKind, slots: &[&str]| said(*kind, slots).into_iter().collect();
        let told = only(self.sentences.paragraph(text, 0, read).map_err(Misread::Obstacle)?)?;
        match &told[..] {
            [SaidOfWorld::Picture] => Ok(ToldSituation::Picture),
            [SaidOfWorld::Digits(digits), SaidOfWorld::Hint(hint)] => {
                Ok(ToldSituation::Panel(ToldPanel { digits: digits.clone(), hint: *hint }))
            }
            [
                SaidOfWorld::Grid,
                rows @ ..,
                SaidOfWorld::Walls,
                SaidOfWorld::Start(start),
                SaidOfWorld::Goal(goal),
            ] => Ok(ToldSituation::Maze(told_maze(rows, *start, *goal)?)),
            _ => Err(Misread::Differs("it is neither a panel with its hint nor a maze".into())),
        }
    }

    /// The most primitives that the rules allow of mazes; none of those of panels.
    pub(crate) fn rules(&self, text: &str) -> Result<Option<u8>, Misread> {
        let read = |(of_mazes, place): &(bool, usize), slots: &[&str]| -> Vec<SaidRule> {
            match slots.first() {
                None => vec![(*of_mazes, *place, None)],
                Some(words) => {
                    let most = MOST_WORDS.iter().find(|(_, known)| known == words);
                    most.map(|(most, _)| (*of_mazes, *place, Some(*most))).into_iter().collect()
                }
            }
        };
        let told = only(self.rules.paragraph(text, 0, read).map_err(Misread::Obstacle)?)?;
        let of_mazes = told.first().is_some_and(|(of_mazes, ..)| *of_mazes);
        let whole = (0..self.counts[usize::from(of_mazes)]).map(|place| (of_mazes, place));
        if !told.iter().map(|(of_mazes, place, _)| (*of_mazes, *place)).eq(whole) {
            return Err(Misread::Differs(
                "they are not the rules of panels, or of mazes, in their order".into(),
            ));
        }
        Ok(told.iter().find_map(|(.., most)| *most))
    }

    /// The moves that are told.
    pub(crate) fn moves(&self, text: &str) -> Result<Vec<HalmaMove>, Misread> {
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let read = |first: &bool, slots: &[&str]| -> Vec<(bool, HalmaMove)> {
            told_move(slots[0], slots[1]).map(|made| (*first, made)).into_iter().collect()
        };
        let told = only(self.moves.paragraph(text, 0, read).map_err(Misread::Obstacle)?)?;
        if told.iter().enumerate().any(|(place, (first, _))| *first != (place == 0)) {
            return Err(Misread::Differs("the first move is not told as such, or another is".into()));
        }
        Ok(told.into_iter().map(|(_, made)| made).collect())
    }

    /// What is asked, and the name of the wording.
    pub(crate) fn question(&self, text: &str) -> Result<(MazeQuestion, String), Misread> {
        let mut found = Vec::new();
        for ((name, number), slots) in self.questions.read(text) {
            let slot = |place: usize| slots.get(place).copied().unwrap_or_default();
            let asked = asked(&name, slot(0), slot(1));
            found.extend(asked.map(|asked| (asked, format!("{name}.{}", number + 1))));
        }
        only(found)
    }
}

fn direction(text: &str) -> Option<Direction> {
    Direction::ALL.into_iter().find(|direction| direction.word() == text)
}

fn shape(text: &str) -> Option<Direction> {
    Direction::ALL.into_iter().find(|direction| HintShape::of(*direction).word() == text)
}

fn told_cell(text: &str) -> Option<GridCell> {
    // The start of a sentence may have a capital.
    let small = crate::language::words::text::small(text);
    (0..CELLS).map(GridCell::of).find(|at| cell(*at) == small)
}

/// Numbers with commas and `and` between them.
fn list(text: &str) -> Vec<&str> {
    let (front, last) = match text.rsplit_once(" and ") {
        Some((front, last)) => (front, Some(last)),
        None => (text, None),
    };
    front.split(", ").chain(last).collect()
}

fn told_move(to: &str, by: &str) -> Option<HalmaMove> {
    let numbers = by.strip_suffix(" units").or(by.strip_suffix(" unit"))?;
    let primitives: Option<Vec<u8>> = list(numbers).into_iter().map(|number| number.parse().ok()).collect();
    let primitives = primitives?;
    // What is written otherwise than it is told is not read.
    (option(&primitives) == by).then_some(())?;
    HalmaMove::new(direction(to)?, &primitives).ok()
}

fn told_digits(text: &str) -> Option<Vec<ColouredDigit>> {
    let one = |text: &str| {
        let (_, rest) = text.split_once(' ')?;
        let (colour, digit) = rest.split_once(' ')?;
        let colour = Colour::ALL.into_iter().find(|known| known.word() == colour)?;
        Some(ColouredDigit { colour, digit: digit.parse().ok().filter(|digit| (1..=9).contains(digit))? })
    };
    let told: Option<Vec<ColouredDigit>> = list(text).into_iter().map(one).collect();
    told.filter(|told| digits(told) == text)
}

fn told_columns(text: &str) -> Option<Vec<u8>> {
    let numbers = text.strip_prefix("columns ").or(text.strip_prefix("column "))?;
    let mut found = Vec::new();
    for run in list(numbers) {
        let (first, last) = run.split_once(" to ").unwrap_or((run, run));
        let (first, last) = (first.parse::<u8>().ok()?, last.parse::<u8>().ok()?);
        ((1..=SIDE).contains(&first) && (first..=SIDE).contains(&last)).then_some(())?;
        found.extend(first - 1..last);
    }
    let row = Maze::new(
        found.iter().map(|x| GridCell { x: *x, y: 0 }),
        GridCell { x: 0, y: 1 },
        GridCell { x: 0, y: 1 },
    );
    (columns(&row, 0).as_deref() == Some(text)).then_some(found)
}

fn said(kind: SentenceKind, slots: &[&str]) -> Option<SaidOfWorld> {
    let slot = |place: usize| slots.get(place).copied().unwrap_or_default();
    Some(match kind {
        SentenceKind::Panel => SaidOfWorld::Digits(told_digits(slot(0))?),
        SentenceKind::Hint => SaidOfWorld::Hint(Some(shape(slot(0))?)),
        SentenceKind::NoHint => SaidOfWorld::Hint(None),
        SentenceKind::Picture => SaidOfWorld::Picture,
        SentenceKind::Grid => SaidOfWorld::Grid,
        SentenceKind::Row => {
            let row = slot(0).parse::<u8>().ok().filter(|row| (1..=SIDE).contains(row))?;
            SaidOfWorld::Row(row - 1, told_columns(slot(1))?)
        }
        SentenceKind::Walls => SaidOfWorld::Walls,
        SentenceKind::Start => SaidOfWorld::Start(told_cell(slot(0))?),
        SentenceKind::Goal => SaidOfWorld::Goal(told_cell(slot(0))?),
    })
}

/// The maze of some rows, which come from the top, each once.
fn told_maze(rows: &[SaidOfWorld], start: GridCell, goal: GridCell) -> Result<Maze, Misread> {
    let mut free = Vec::new();
    let mut last = None;
    for said in rows {
        let SaidOfWorld::Row(y, columns) = said else {
            return Err(Misread::Differs("between the rows of the maze stands something else".into()));
        };
        if last.is_some_and(|last| last >= *y) {
            return Err(Misread::Differs(format!("row {} does not follow the one before it", y + 1)));
        }
        last = Some(*y);
        free.extend(columns.iter().map(|x| GridCell { x: *x, y: *y }));
    }
    if !(free.contains(&start) && free.contains(&goal)) {
        return Err(Misread::Differs("start or goal are no free cells".into()));
    }
    Ok(Maze::new(free, start, goal))
}

/// The question of some wordings, with what stands in its slots.
fn asked(name: &str, first: &str, second: &str) -> Option<MazeQuestion> {
    Some(match name {
        "affordable" => MazeQuestion::Affordable(told_move(first, second)?),
        "is_crossing" => {
            let of = |direction: &Direction| Colour::of_wall(*direction).word() == first;
            let digit = second.parse().ok().filter(|digit| (1..=9).contains(digit))?;
            MazeQuestion::IsCrossing(Direction::ALL.into_iter().find(of)?, digit)
        }
        "points" => MazeQuestion::Points(direction(first)?),
        "sees" => MazeQuestion::Sees(shape(first)?),
        "is_at" => MazeQuestion::IsAt(told_cell(first)?),
        "shortest" => MazeQuestion::Shortest,
        "free" => MazeQuestion::Free(direction(first)?),
        "crossing" => MazeQuestion::Crossing(direction(first)?),
        "failed" => MazeQuestion::Failed,
        "fewest" => MazeQuestion::Fewest,
        "points_where" => MazeQuestion::PointsWhere,
        "sees_which" => MazeQuestion::SeesWhich,
        "where" => MazeQuestion::Where,
        _ => return None,
    })
}

/// The panel or maze, rules and moves of a text as a story; a panel in a picture is the one given.
pub(crate) fn story(
    situation: ToldSituation,
    most: Option<u8>,
    moves: Vec<HalmaMove>,
    pictured: impl FnOnce() -> Option<ToldPanel>,
) -> Result<MazeStory, Misread> {
    match (situation, most) {
        (ToldSituation::Panel(panel), None) if moves.is_empty() => Ok(MazeStory::Panel(panel)),
        (ToldSituation::Picture, None) if moves.is_empty() => match pictured() {
            Some(panel) => Ok(MazeStory::Panel(panel)),
            None => Err(Misread::Differs("the column facts has no panel for the picture".into())),
        },
        (ToldSituation::Maze(maze), Some(most)) => Ok(MazeStory::Maze { maze, most, moves }),
        _ => Err(Misread::Differs("situation, rules and moves are not of one kind".into())),
    }
}
