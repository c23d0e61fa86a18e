//! Panels and mazes to stories with questions, drawn so that answers are level.
//!
//! Yes/no questions come in pairs: one question after the same moves, in two worlds, true in one and false in the other.
//! So neither question nor moves say anything of the answer. Of other questions one is taken whose answer came least so far
//! in its group. What the answer is, is expected here; clingo has the last word ([`judge`](super::judge)).

use std::collections::{BTreeMap, HashMap, HashSet};

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::halma::error::HalmaError;
use crate::halma::items::expected::{AtHand, expected};
use crate::halma::items::pool::MazePool;
use crate::halma::items::questions::{MazeAnswer, MazeQuestion};
use crate::halma::items::settings::{MazeItemSettings, PANELS};
use crate::halma::items::story::MazeStory;
use crate::halma::maze::chart::Chart;
use crate::halma::maze::generate::{Branching, branch_off, place};
use crate::halma::maze::grid::{Direction, GridCell};
use crate::halma::maze::tree::Maze;
use crate::halma::play::episode::{HalmaMove, MOST_UNITS};
use crate::items::apportion::interleave;
use crate::items::source::{GROUP_SIZE, Stream};

/// Draws of a question before its family is left out of a turn.
const MOST_TRIED: usize = 600;
/// Questions among whose answers one is taken.
const COMPARED: usize = 96;
/// Worlds looked at for the other side of a pair.
const PARTNERS: usize = 12;
/// Mazes drawn around a way before another way is drawn.
const AROUND: usize = 60;

/// A story with a question, and the answer that is expected.
#[derive(Clone, Debug)]
pub(crate) struct MazeDraft {
    pub(crate) story: MazeStory,
    pub(crate) question: MazeQuestion,
    pub(crate) answer: MazeAnswer,
}

/// What can be asked: the families of a type, each a way to draw a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Draw {
    Affordable,
    IsCrossing,
    Points,
    Sees,
    IsAt,
    Shortest,
    Free,
    Crossing,
    Failed,
    Fewest,
    PointsWhere,
    SeesWhich,
    Where,
}

/// What is asked at a level and depth, by type.
fn families(stream: Stream) -> [Vec<Draw>; 3] {
    if stream.level == PANELS {
        return [
            vec![Draw::Affordable, Draw::IsCrossing, Draw::Points],
            vec![Draw::Free, Draw::Crossing],
            vec![Draw::PointsWhere],
        ];
    }
    let mut all = [
        vec![Draw::Affordable, Draw::Sees],
        vec![Draw::Free, Draw::Crossing, Draw::Fewest],
        vec![Draw::SeesWhich],
    ];
    // Without moves there is nothing to follow.
    if stream.depth > 0 {
        all[0].push(Draw::IsAt);
        all[1].push(Draw::Failed);
        all[2].push(Draw::Where);
    }
    // One move is either the way or none.
    if stream.depth > 1 {
        all[0].push(Draw::Shortest);
    }
    all
}

/// Draws the questions of one group.
pub(crate) struct MazeDrawer<'p> {
    settings: &'p MazeItemSettings,
    pool: &'p MazePool,
    stream: Stream,
    group: u64,
    rng: ChaCha8Rng,
    /// How often each answer came.
    answers: HashMap<(Draw, MazeAnswer), usize>,
    taken: HashSet<String>,
}

impl<'p> MazeDrawer<'p> {
    pub(crate) fn new(
        settings: &'p MazeItemSettings,
        pool: &'p MazePool,
        of: Stream,
        group: u64,
    ) -> MazeDrawer<'p> {
        let words =
            [of.split as u64, of.level as u64, of.depth as u64, group].map(|number| number.to_string());
        let words = ["halma", "items"].into_iter().chain(words.iter().map(String::as_str));
        let rng = stream(settings.seed, &words.collect::<Vec<_>>());
        MazeDrawer { settings, pool, stream: of, group, rng, answers: HashMap::new(), taken: HashSet::new() }
    }

    /// The first questions of the group, as many as wanted.
    ///
    /// # Errors
    /// Where nothing can be asked; those of clingo.
    pub(crate) fn drafts(&mut self, wanted: usize) -> Result<Vec<MazeDraft>, HalmaError> {
        let cycle = interleave(&self.settings.mix);
        let first = self.group * GROUP_SIZE;
        let kinds: Vec<usize> =
            (first..first + GROUP_SIZE).map(|place| cycle[(place % cycle.len() as u64) as usize]).collect();
        let families = families(self.stream);
        let mut drafts: Vec<Option<MazeDraft>> = vec![None; wanted];
        for (kind, families) in families.iter().enumerate() {
            let places: Vec<usize> = (0..wanted).filter(|place| kinds[*place] == kind).collect();
            let first = self.group as usize;
            let turn = |number: usize| first + number;
            if kind > 0 {
                for (number, place) in places.into_iter().enumerate() {
                    drafts[place] = Some(self.any(families, turn(number), Self::open)?);
                }
                continue;
            }
            for (number, places) in places.chunks(2).enumerate() {
                let mut pair = self.any(families, turn(number), Self::pair)?;
                // Who is left without the other is right in every other stream.
                let wanted =
                    (self.group + self.stream.level as u64 + self.stream.depth as u64).is_multiple_of(2);
                if places.len() == 1 && pair[0].answer != MazeAnswer::Truth(wanted) {
                    pair.reverse();
                }
                places.iter().zip(pair).for_each(|(place, draft)| drafts[*place] = Some(draft));
            }
        }
        Ok(drafts.into_iter().flatten().collect())
    }

    /// What a family gives whose turn it is, or the next that gives anything.
    fn any<T>(
        &mut self,
        families: &[Draw],
        turn: usize,
        of: impl Fn(&mut Self, Draw) -> Result<Option<T>, HalmaError>,
    ) -> Result<T, HalmaError> {
        for later in 0..families.len() {
            if let Some(found) = of(self, families[(turn + later) % families.len()])? {
                return Ok(found);
            }
        }
        Err(HalmaError::Settings(format!(
            "nothing more can be asked at level {} and depth {}; ask for fewer items, or give the split more weight",
            self.stream.level, self.stream.depth
        )))
    }

    /// A world of the pool, by its number.
    fn at_hand(&self, number: usize, most: u8, moves: &[HalmaMove]) -> AtHand<'p> {
        match self.pool.mazes.get(number) {
            Some((maze, chart)) => AtHand::Maze { maze, chart, most, moves: moves.to_vec() },
            None => AtHand::Panel(&self.pool.panels[number]),
        }
    }

    fn worlds(&self) -> usize {
        self.pool.mazes.len().max(self.pool.panels.len())
    }

    /// A story of the pool.
    fn story(&mut self) -> AtHand<'p> {
        let number = self.rng.random_range(0..self.worlds());
        let most = *[1, 3, 5].choose(&mut self.rng).unwrap_or(&5);
        let moves = match self.pool.mazes.get(number) {
            Some((_, chart)) => moves(chart, self.stream.depth, most, &mut self.rng),
            None => Vec::new(),
        };
        self.at_hand(number, most, &moves)
    }

    /// Takes a draft, if it was not taken before.
    fn take(&mut self, story: MazeStory, question: MazeQuestion, answer: MazeAnswer) -> Option<MazeDraft> {
        let name = [story.facts().concat(), story.plan().concat(), question.term()].concat();
        self.taken.insert(name).then_some(MazeDraft { story, question, answer })
    }

    fn is_taken(&self, story: &MazeStory, question: &MazeQuestion) -> bool {
        self.taken.contains(&[story.facts().concat(), story.plan().concat(), question.term()].concat())
    }

    /// A question with a number, a name or a cell for its answer: of the answers that came least so far, each is as
    /// likely, however rare the worlds are that have it.
    fn open(&mut self, of: Draw) -> Result<Option<MazeDraft>, HalmaError> {
        let mut found: BTreeMap<(usize, MazeAnswer), (MazeStory, MazeQuestion)> = BTreeMap::new();
        let mut compared = 0;
        for _ in 0..MOST_TRIED {
            if compared == COMPARED {
                break;
            }
            let at_hand = self.story();
            let Some(question) = self.question(of, &at_hand) else { continue };
            let Some(answer) = expected(&at_hand, &question) else { continue };
            let story = at_hand.story();
            if self.is_taken(&story, &question) {
                continue;
            }
            compared += 1;
            let times = self.answers.get(&(of, answer)).copied().unwrap_or(0);
            found.entry((times, answer)).or_insert((story, question));
        }
        let Some(least) = found.keys().next().map(|(times, _)| *times) else { return Ok(None) };
        // Few crossings are far off. Where none of those is at hand, another family has the turn.
        let asked: usize =
            self.answers.iter().filter(|((family, _), _)| *family == of).map(|(_, times)| times).sum();
        if of == Draw::Crossing && 4 * least > asked {
            return Ok(None);
        }
        let rarest: Vec<MazeAnswer> =
            found.keys().filter(|(times, _)| *times == least).map(|(_, answer)| *answer).collect();
        let Some(answer) = rarest.choose(&mut self.rng).copied() else { return Ok(None) };
        let Some((story, question)) = found.remove(&(least, answer)) else { return Ok(None) };
        *self.answers.entry((of, answer)).or_default() += 1;
        Ok(self.take(story, question, answer))
    }

    /// A question about two worlds, true in one of them.
    fn pair(&mut self, of: Draw) -> Result<Option<[MazeDraft; 2]>, HalmaError> {
        if of == Draw::Shortest {
            return self.shortest();
        }
        for _ in 0..MOST_TRIED {
            let at_hand = self.story();
            let Some(question) = self.question(of, &at_hand) else { continue };
            let Some(MazeAnswer::Truth(so)) = expected(&at_hand, &question) else { continue };
            let (most, moves) = at_hand.moves();
            let mut others: Vec<usize> = (0..self.worlds()).collect();
            others.shuffle(&mut self.rng);
            let other_way = |other: &AtHand| expected(other, &question) == Some(MazeAnswer::Truth(!so));
            let partner = others
                .into_iter()
                .map(|number| self.at_hand(number, most, &moves))
                .filter(other_way)
                .take(PARTNERS)
                .min_by_key(|other| other.size().abs_diff(at_hand.size()));
            let Some(partner) = partner else { continue };
            let (one, other) = (at_hand.story(), partner.story());
            if self.is_taken(&one, &question) || self.is_taken(&other, &question) {
                continue;
            }
            let one = self.take(one, question, MazeAnswer::Truth(so));
            let other = self.take(other, question, MazeAnswer::Truth(!so));
            if let (Some(one), Some(other)) = (one, other) {
                return Ok(Some(if self.rng.random() { [one, other] } else { [other, one] }));
            }
        }
        Ok(None)
    }

    /// A question of a family about a story, if it has what the question presupposes.
    fn question(&mut self, of: Draw, story: &AtHand) -> Option<MazeQuestion> {
        let rng = &mut self.rng;
        let direction = Direction::ALL[rng.random_range(0..4)];
        let here = story.here()?;
        Some(match of {
            Draw::Affordable => {
                let (most, _) = story.moves();
                let far = (here.wall[direction.index()] + 3).min(MOST_UNITS * most);
                MazeQuestion::Affordable(composed(direction, rng.random_range(1..=far), most, rng)?)
            }
            Draw::IsCrossing => {
                let digits = [here.wall, here.crossing].map(|digits| digits[direction.index()]);
                MazeQuestion::IsCrossing(direction, *digits.choose(rng)?)
            }
            Draw::Points | Draw::Sees => {
                let hint = here.hint?;
                let asked = if rng.random() { hint } else { direction };
                if of == Draw::Points { MazeQuestion::Points(asked) } else { MazeQuestion::Sees(asked) }
            }
            Draw::IsAt => MazeQuestion::IsAt(story.at()?),
            Draw::Shortest => MazeQuestion::Shortest,
            Draw::Free => MazeQuestion::Free(direction),
            Draw::Crossing => MazeQuestion::Crossing(direction),
            Draw::Failed => MazeQuestion::Failed,
            Draw::Fewest => MazeQuestion::Fewest,
            Draw::PointsWhere => MazeQuestion::PointsWhere,
            Draw::SeesWhich => MazeQuestion::SeesWhich,
            Draw::Where => MazeQuestion::Where,
        })
    }

    /// Moves that are the shortest way in one maze, and in another one more than it takes, since one of them fails.
    fn shortest(&mut self) -> Result<Option<[MazeDraft; 2]>, HalmaError> {
        let branching = MazeItemSettings::branching(self.stream.level);
        for _ in 0..MOST_TRIED {
            let rng = &mut self.rng;
            let most = *[1, 3, 5].choose(rng).unwrap_or(&5);
            let Some(plan) = monotone(self.stream.depth, most, rng) else { continue };
            let spare = rng.random_range(0..plan.len());
            let around = |skipped: Option<usize>, cells: Option<usize>, rng: &mut ChaCha8Rng| {
                let steps: Vec<Direction> = plan
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| Some(*place) != skipped)
                    .flat_map(|(_, made)| std::iter::repeat_n(made.direction(), usize::from(made.units())))
                    .collect();
                let fits = |maze: &Maze| {
                    cells.is_none_or(|cells| maze.cells().count() == cells)
                        && self.settings.split_of(&maze.key()) == self.stream.split
                };
                (0..AROUND).find_map(|_| around(&steps, branching, rng).filter(&fits))
            };
            let Some(way) = around(None, None, rng) else { continue };
            let Some(detour) = around(Some(spare), Some(way.cells().count()), rng) else { continue };
            let mut told = Vec::new();
            for (maze, so) in [(way, true), (detour, false)] {
                // What is no maze is drawn anew.
                let chart = match Chart::of(&maze) {
                    Ok(chart) => chart,
                    Err(HalmaError::Settings(_)) => break,
                    Err(error) => return Err(error),
                };
                let at_hand = AtHand::Maze { maze: &maze, chart: &chart, most, moves: plan.clone() };
                let goes_well = at_hand.at() == Some(maze.goal);
                if goes_well && expected(&at_hand, &MazeQuestion::Shortest) == Some(MazeAnswer::Truth(so)) {
                    told.push((at_hand.story(), so));
                }
            }
            if told.len() == 2 {
                told.shuffle(rng);
                let mut drafts = Vec::new();
                for (story, so) in told {
                    drafts.extend(self.take(story, MazeQuestion::Shortest, MazeAnswer::Truth(so)));
                }
                if let Ok(pair) = <[MazeDraft; 2]>::try_from(drafts) {
                    return Ok(Some(pair));
                }
            }
        }
        Ok(None)
    }
}

/// Primitives of 1 to 3 units that add up to so many.
fn composed(direction: Direction, units: u8, most: u8, rng: &mut ChaCha8Rng) -> Option<HalmaMove> {
    let fewest = units.div_ceil(MOST_UNITS).max(1);
    let length = rng.random_range(fewest..=most.min(units).max(fewest));
    let mut primitives = vec![1; usize::from(length)];
    for _ in length..units {
        let room: Vec<usize> =
            (0..primitives.len()).filter(|place| primitives[*place] < MOST_UNITS).collect();
        primitives[*room.choose(rng)?] += 1;
    }
    HalmaMove::new(direction, &primitives).ok()
}

/// Moves from the start, some of which fail.
fn moves(chart: &Chart, count: i32, most: u8, rng: &mut ChaCha8Rng) -> Vec<HalmaMove> {
    let failing = rng.random_range(0.05..0.6);
    let mut at = chart.start;
    let mut made = Vec::new();
    for _ in 0..count {
        let Some(here) = chart.at(at) else { break };
        let far = MOST_UNITS * most;
        let fails = rng.random_bool(failing);
        let of = |direction: &Direction| {
            let wall = here.wall[direction.index()];
            if fails { wall < far } else { wall > 0 }
        };
        let directions: Vec<Direction> = Direction::ALL.into_iter().filter(of).collect();
        let direction = directions.choose(rng).copied().unwrap_or(Direction::Left);
        let wall = here.wall[direction.index()];
        let (least, most_units) =
            if fails { (wall + 1, (wall + 3).min(far)) } else { (1, wall.min(far).max(1)) };
        let units = rng.random_range(least..=most_units.max(least));
        let Some(next) = composed(direction, units.min(far), most, rng) else { break };
        if !fails {
            at = at.toward(direction, units).unwrap_or(at);
        }
        made.push(next);
    }
    made
}

/// Moves in two directions of which no two that follow each other could be one.
fn monotone(count: i32, most: u8, rng: &mut ChaCha8Rng) -> Option<Vec<HalmaMove>> {
    let first = rng.random_range(0..4);
    let sides = [Direction::ALL[first], Direction::ALL[(first + if rng.random() { 1 } else { 3 }) % 4]];
    let far = MOST_UNITS * most;
    let mut plan: Vec<HalmaMove> = Vec::new();
    let (mut side, mut gone) = (rng.random_range(0..2), [0u8; 2]);
    for _ in 0..count {
        // A leg that is longer than a move can go is gone in several, all but the last as long as can be.
        let on = plan.last().is_some_and(|last| last.units() == far) && rng.random_bool(0.3);
        if !on && !plan.is_empty() {
            side = 1 - side;
        }
        let room = 9u8.saturating_sub(gone[side]).min(far).min(5);
        if room == 0 {
            return None;
        }
        let units = rng.random_range(1..=room);
        gone[side] += units;
        plan.push(composed(sides[side], units, most, rng)?);
    }
    Some(plan)
}

/// A maze around a way of such steps, with branches.
fn around(steps: &[Direction], branching: Branching, rng: &mut ChaCha8Rng) -> Option<Maze> {
    let mut cells = vec![(0i32, 0i32)];
    for step in steps {
        let ((x, y), (dx, dy)) = (cells[cells.len() - 1], step.unit());
        cells.push((x + i32::from(dx), y + i32::from(dy)));
    }
    let path: Vec<GridCell> = place(&cells, rng)?;
    let (start, goal) = (*path.first()?, *path.last()?);
    let mut maze = Maze::new(path.iter().copied(), start, goal);
    for _ in 0..rng.random_range(branching.number.0..=branching.number.1) {
        let depth = rng.random_range(branching.depth.0..=branching.depth.1);
        if let Some(branch) = branch_off(&maze, &path, depth, rng) {
            branch.into_iter().for_each(|cell| maze.open(cell));
        }
    }
    (start != goal).then_some(maze)
}
