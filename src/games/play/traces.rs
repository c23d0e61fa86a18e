//! A game to traces, and traces to the distinct situations and transitions that they pass (section 4.3, algorithm 1).
//!
//! Where the game could be grounded as a whole, random traces are played in lanes of its circuits, unless there are too few
//! for compiling these; other traces are played on the network, which comes to the same. Elsewhere clingo grounds each step.
//! Traces are numbered, each has a random stream of its own, and they are merged in the order of their numbers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use racgen_logic::ground::GroundProgram;
use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;

use crate::games::error::GameError;
use crate::games::play::circuit::GameCircuits;
use crate::games::play::ground_game::{Board, GroundGame, Limits, Whole, order};
use crate::games::play::lane_traces::{LaneState, LaneTrace, lane_traces};

/// How moves are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum PlayStyle {
    /// Uniformly among the legal moves (section 4.3).
    #[default]
    Random,
    /// The move whose random playouts end best for the role that makes it.
    GoalSeeking,
}

/// How much is played.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Playing {
    /// Number of traces.
    pub traces: u64,
    /// States of a trace at most, besides the first.
    pub steps: u32,
    /// Root of all random streams.
    pub seed: u64,
    /// How moves are chosen.
    pub style: PlayStyle,
}

impl Default for Playing {
    fn default() -> Playing {
        Playing { traces: 1000, steps: 100, seed: 0, style: PlayStyle::Random }
    }
}

/// One state and what follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameState {
    /// Numbers of the fluents that hold.
    pub fluents: Box<[u32]>,
    /// Numbers of the legal moves.
    pub legal: Box<[u32]>,
    /// Numbers of the goals.
    pub goals: Box<[u32]>,
    /// Is it the end?
    pub terminal: bool,
    /// In a terminal state the fluents that the rules for next yield when nothing is done; empty elsewhere.
    pub idle: Box<[u32]>,
    /// The first trace that came here.
    pub trace: u32,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// Number of the situation before.
    pub from: u32,
    /// Numbers of the moves, one a role.
    pub moves: Box<[u32]>,
    /// Number of the situation after.
    pub to: u32,
    /// The first trace that made it.
    pub trace: u32,
}

/// All that was seen of a game: fluents, moves and goals in the order of [`order`], and where play led.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// Fluents by number.
    pub fluents: Vec<Term>,
    /// Role and action of each move.
    pub moves: Vec<(Term, Term)>,
    /// Role and value of each goal.
    pub goals: Vec<(Term, Term)>,
    /// Distinct states.
    pub situations: Vec<GameState>,
    /// Distinct pairs of a state and moves.
    pub transitions: Vec<Transition>,
    /// Steps played, in all.
    pub steps: u64,
    /// Traces played.
    pub traces: u64,
    /// Traces that ended in a terminal state.
    pub finished: u64,
    /// Traces that ended because a role had no legal move.
    pub stuck: u64,
    /// Steps that clingo judged.
    pub judged: u64,
}

impl Corpus {
    /// Adds what another run over the same arena saw; its traces are numbered after these.
    pub fn join(&mut self, other: Corpus) {
        let shift = self.traces as u32;
        let mut states: HashMap<Box<[u32]>, u32> =
            self.situations.iter().zip(0..).map(|(s, n)| (s.fluents.clone(), n)).collect();
        let mut number = Vec::new();
        for mut situation in other.situations {
            let new = self.situations.len() as u32;
            let at = *states.entry(situation.fluents.clone()).or_insert(new);
            if at == new {
                situation.trace += shift;
                self.situations.push(situation);
            }
            number.push(at);
        }
        let mut steps: rustc_hash::FxHashSet<(u32, Box<[u32]>)> =
            self.transitions.iter().map(|t| (t.from, t.moves.clone())).collect();
        for step in other.transitions {
            let from = number[step.from as usize];
            if steps.insert((from, step.moves.clone())) {
                let to = number[step.to as usize];
                self.transitions.push(Transition { from, to, trace: step.trace + shift, moves: step.moves });
            }
        }
        self.steps += other.steps;
        self.traces += other.traces;
        self.finished += other.finished;
        self.stuck += other.stuck;
    }
}

/// A trace: its states, and the moves between them.
struct Trace {
    states: Vec<GameState>,
    moves: Vec<Box<[u32]>>,
    stuck: bool,
}

impl Trace {
    /// A trace that was played in a lane.
    fn of_lane(played: LaneTrace, number: u32) -> Trace {
        let state = |state: LaneState| GameState {
            fluents: state.fluents.into(),
            legal: state.legal.into(),
            goals: state.goals.into(),
            terminal: state.terminal,
            idle: state.idle.into(),
            trace: number,
        };
        Trace {
            states: played.states.into_iter().map(state).collect(),
            moves: played.moves.into_iter().map(Vec::into).collect(),
            stuck: played.stuck,
        }
    }
}

/// Traces that are played before their situations are merged.
const BATCH: u64 = 64;
/// Traces that are played side by side in lanes: 64 times as many.
const WIDTH: usize = 2;
/// How often that many are played before their situations are merged, at most, and the steps that each trace of all these
/// together may have: their situations are in memory until then.
const SIDES: u64 = 4;
const STEPS_OF_SIDES: u64 = 1000;
/// Ground rules that a trace may take to compile: with more of them that takes longer than the traces on the network.
const RULES_A_TRACE: u64 = 60;
/// Playouts that the goal-seeking player makes for each move it considers.
const PLAYOUTS: u32 = 4;
/// Moves that the goal-seeking player considers.
const CONSIDERED: u32 = 12;

/// Plays a game.
///
/// # Errors
/// [`GameError::Limit`] and clingo's errors.
pub fn play(
    arena: &GroundGame,
    playing: &Playing,
    limits: &Limits,
    start: Instant,
    stop: &AtomicBool,
) -> Result<Corpus, GameError> {
    let watch = Watch { file: &arena.game.file, limits, start, stop };
    match &arena.whole {
        Some(whole) => by_rules(arena, whole, playing, &watch),
        None => stepwise(arena, playing, &watch),
    }
}

/// Plays a game that could be grounded as a whole.
fn by_rules(
    arena: &GroundGame,
    whole: &Whole,
    playing: &Playing,
    watch: &Watch,
) -> Result<Corpus, GameError> {
    let role = |number: u32| arena.roles[number as usize].clone();
    let mut merge = Merge::new(Corpus {
        fluents: whole.fluents.clone(),
        moves: whole.moves.iter().map(|(r, m)| (role(*r), m.clone())).collect(),
        goals: whole.goals.iter().map(|(r, g)| (role(*r), g.clone())).collect(),
        ..Corpus::default()
    });
    let compiled = playing.style == PlayStyle::Random
        && whole.rules() as u64 <= RULES_A_TRACE.saturating_mul(playing.traces);
    if let Some(circuits) = compiled.then(|| GameCircuits::new(whole).ok()).flatten() {
        in_lanes(arena, whole, &circuits, playing, watch, &mut merge)?;
        return Ok(merge.corpus);
    }
    let values: Vec<i64> = whole.goals.iter().map(|(_, v)| v.functor().parse().unwrap_or(0)).collect();
    let roles_of: Vec<u32> = whole.goals.iter().map(|(r, _)| *r).collect();
    let mut first = 0;
    while first < playing.traces {
        watch.look(&merge, first)?;
        let last = playing.traces.min(first + BATCH);
        let batch: Vec<Trace> = (first..last)
            .into_par_iter()
            .map_init(
                || whole.board(),
                |board, trace| {
                    let rng = rng(arena, playing, trace);
                    native(board, arena.roles.len(), playing, rng, trace as u32, &values, &roles_of)
                },
            )
            .collect();
        batch.into_iter().for_each(|trace| merge.add(trace));
        first = last;
    }
    Ok(merge.corpus)
}

/// Plays random traces side by side.
fn in_lanes(
    arena: &GroundGame,
    whole: &Whole,
    circuits: &GameCircuits,
    playing: &Playing,
    watch: &Watch,
    merge: &mut Merge,
) -> Result<(), GameError> {
    let side = 64 * WIDTH as u64;
    let sides = (STEPS_OF_SIDES / u64::from(playing.steps.max(1))).clamp(1, SIDES);
    let mut first = 0;
    while first < playing.traces {
        watch.look(merge, first)?;
        let last = playing.traces.min(first + sides * side);
        let play = |from: u64| -> Vec<Trace> {
            let numbers = from..last.min(from + side);
            let mut dice: Vec<ChaCha8Rng> = numbers.clone().map(|trace| rng(arena, playing, trace)).collect();
            let traces = lane_traces::<WIDTH>(circuits, &whole.initial, &mut dice, playing.steps);
            numbers.zip(traces).map(|(number, trace)| Trace::of_lane(trace, number as u32)).collect()
        };
        let sides: Vec<u64> = (first..last).step_by(side as usize).collect();
        let batch: Vec<Vec<Trace>> = sides.into_par_iter().map(play).collect();
        batch.into_iter().flatten().for_each(|trace| merge.add(trace));
        first = last;
    }
    Ok(())
}

fn rng(arena: &GroundGame, playing: &Playing, trace: u64) -> ChaCha8Rng {
    stream(playing.seed, &["games", &arena.game.name, "trace", &trace.to_string()])
}

/// What ends a game early: its limits, and Ctrl-C.
struct Watch<'a> {
    file: &'a str,
    limits: &'a Limits,
    start: Instant,
    stop: &'a AtomicBool,
}

impl Watch<'_> {
    /// Ends the game when a limit is reached.
    fn look(&self, merge: &Merge, trace: u64) -> Result<(), GameError> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(GameError::Interrupted);
        }
        let limit = |what: String, flag| Err(GameError::Limit { file: self.file.to_owned(), what, flag });
        if self.start.elapsed() > self.limits.time {
            let what = format!("{trace} traces took the whole {:.0?} allowed", self.limits.time);
            return limit(what, "--time-limit");
        }
        if merge.bytes > self.limits.memory {
            let what =
                format!("the states of {trace} traces take more than {} MiB", self.limits.memory >> 20);
            return limit(what, "--memory-limit");
        }
        Ok(())
    }
}

fn native(
    board: &mut Board,
    roles: usize,
    playing: &Playing,
    mut rng: ChaCha8Rng,
    trace: u32,
    values: &[i64],
    roles_of: &[u32],
) -> Trace {
    let see = |board: &mut Board| GameState {
        fluents: board.fluents().into(),
        legal: board.legal().into(),
        goals: board.goals().into(),
        terminal: board.terminal(),
        idle: if board.terminal() { board.idle().into() } else { [].into() },
        trace,
    };
    board.reset();
    let mut found = Trace { states: vec![see(board)], moves: Vec::new(), stuck: false };
    let mut moves = Vec::with_capacity(roles);
    while found.moves.len() < playing.steps as usize && !board.terminal() {
        if !draw(board, roles, &mut rng, &mut moves) {
            found.stuck = true;
            break;
        }
        if playing.style == PlayStyle::GoalSeeking {
            seek(board, roles, playing.steps, &mut rng, &mut moves, values, roles_of);
        }
        board.advance(&moves);
        found.moves.push(moves.as_slice().into());
        found.states.push(see(board));
    }
    found
}

/// A random legal move for each role; false if one has none.
fn draw(board: &Board, roles: usize, rng: &mut ChaCha8Rng, moves: &mut Vec<u32>) -> bool {
    moves.clear();
    for role in 0..roles {
        let count = board.count_legal(role);
        // Games with one move a role need no dice.
        let rank = if count > 1 { rng.random_range(0..count) } else { 0 };
        match board.nth_legal(role, rank) {
            Some(made) => moves.push(made),
            None => return false,
        }
    }
    true
}

/// Plays one random game from where the board stands, recording nothing; returns the number of steps.
///
/// ```
/// use racgen::games::play::ground_game::GroundGame;
/// use racgen::games::gdl::syntax::Game;
/// use racgen::games::play::ground_game::Limits;
/// use racgen::games::play::traces::play_out;
/// let text = "(role r) (init (n 0)) (succ 0 1) (succ 1 2) (legal r go)
///             (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 2)))";
/// let arena = GroundGame::new(Game::read(text, "count.kif").unwrap(), &Limits::default()).unwrap();
/// let mut board = arena.whole.as_ref().unwrap().board();
/// assert_eq!(play_out(&mut board, 1, 100, &mut racgen::logic::seed::stream(0, &["doc"])), 2);
/// ```
pub fn play_out(board: &mut Board, roles: usize, most: u32, rng: &mut ChaCha8Rng) -> u32 {
    let mut moves = Vec::with_capacity(roles);
    let mut steps = 0;
    while steps < most && !board.terminal() && draw(board, roles, rng, &mut moves) {
        board.advance(&moves);
        steps += 1;
    }
    steps
}

/// Replaces random moves by those whose playouts end best, role by role.
fn seek(
    board: &Board,
    roles: usize,
    most: u32,
    rng: &mut ChaCha8Rng,
    moves: &mut [u32],
    values: &[i64],
    roles_of: &[u32],
) {
    let drawn = moves.to_vec();
    for role in 0..roles {
        let count = board.count_legal(role);
        if count < 2 {
            continue;
        }
        let mut best: Option<(i64, u32)> = None;
        let first = rng.random_range(0..count);
        for rank in 0..count.min(CONSIDERED) {
            let Some(candidate) = board.nth_legal(role, (first + rank) % count) else { continue };
            let worth = |board: &Board| {
                let own = board.goals().into_iter().filter(|g| roles_of[*g as usize] as usize == role);
                own.map(|g| values[g as usize]).max().unwrap_or(0)
            };
            let mut after = board.clone();
            let mut tried = drawn.clone();
            tried[role] = candidate;
            after.advance(&tried);
            // What the next state is worth decides where no playout ends.
            let mut sum = worth(&after);
            for _ in 0..PLAYOUTS {
                let mut copy = after.clone();
                let steps = play_out(&mut copy, roles, most, rng);
                // A sooner end is better.
                sum += if copy.terminal() { 1000 * worth(&copy) - i64::from(steps) } else { 0 };
            }
            if best.is_none_or(|(most, _)| sum > most) {
                best = Some((sum, candidate));
            }
        }
        if let Some((_, candidate)) = best {
            moves[role] = candidate;
        }
    }
}

/// Collects distinct situations and transitions.
struct Merge {
    corpus: Corpus,
    states: HashMap<Box<[u32]>, u32>,
    steps: HashMap<(u32, Box<[u32]>), u32>,
    bytes: u64,
}

impl Merge {
    fn new(corpus: Corpus) -> Merge {
        Merge { corpus, states: HashMap::default(), steps: HashMap::default(), bytes: 0 }
    }

    fn add(&mut self, trace: Trace) {
        self.corpus.traces += 1;
        self.corpus.steps += trace.moves.len() as u64;
        self.corpus.stuck += u64::from(trace.stuck);
        self.corpus.finished += u64::from(trace.states.last().is_some_and(|s| s.terminal));
        let mut numbers = Vec::with_capacity(trace.states.len());
        for state in trace.states {
            let number = match self.states.get(&state.fluents) {
                Some(number) => *number,
                None => {
                    let number = self.corpus.situations.len() as u32;
                    self.bytes += 160 + 4 * (2 * state.fluents.len() + state.legal.len()) as u64;
                    self.states.insert(state.fluents.clone(), number);
                    self.corpus.situations.push(state);
                    number
                }
            };
            numbers.push(number);
        }
        for (index, moves) in trace.moves.into_iter().enumerate() {
            let key = (numbers[index], moves);
            if !self.steps.contains_key(&key) {
                self.bytes += 200;
                let to = numbers[index + 1];
                let trace = self.corpus.traces as u32 - 1;
                self.corpus.transitions.push(Transition { from: key.0, moves: key.1.clone(), to, trace });
                self.steps.insert(key, to);
            }
        }
    }
}

/// The order of pairs of a role and something of it.
fn by_pair(a: &(Term, Term), b: &(Term, Term)) -> std::cmp::Ordering {
    order(&a.0, &b.0).then_with(|| order(&a.1, &b.1))
}

/// The terms of one step's grounding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepVerdict {
    /// Legal moves: role and action.
    pub legal: Vec<(Term, Term)>,
    /// Goals: role and value.
    pub goals: Vec<(Term, Term)>,
    /// Is it the end?
    pub terminal: bool,
    /// The fluents of the next state.
    pub next: Vec<Term>,
}

/// What clingo says about a state and moves, by grounding the game's rules with them as facts.
///
/// # Errors
/// clingo's.
pub fn judge(arena: &GroundGame, state: &[Term], moves: &[(Term, Term)]) -> Result<StepVerdict, GameError> {
    let translation = &arena.translation;
    let shown = [("executable", 2), ("goal", 2), ("terminal", 0), ("next", 1)];
    let ground = |moves: &[(Term, Term)]| -> Result<GroundProgram, GameError> {
        let program = translation.step(state.iter(), moves.iter().map(|(r, m)| (r, m)));
        program.ground(&shown).map_err(|e| GameError::solver(&arena.game, e))
    };
    let pairs = |ground: &GroundProgram, name: &'static str| {
        let all = ground.predicate(name, 2);
        let mut all: Vec<(Term, Term)> =
            all.map(|(t, _)| (translation.back(&t.args()[0]), translation.back(&t.args()[1]))).collect();
        all.retain(|(role, _)| arena.roles.contains(role));
        all.sort_by(by_pair);
        all
    };
    let with_moves = ground(moves)?;
    let mut next: Vec<Term> =
        with_moves.predicate("next", 1).map(|(t, _)| translation.back(&t.args()[0])).collect();
    next.sort_by(order);
    let without = if arena.clears && !moves.is_empty() { ground(&[])? } else { with_moves };
    Ok(StepVerdict {
        legal: pairs(&without, "executable"),
        goals: pairs(&without, "goal"),
        terminal: without.predicate("terminal", 0).next().is_some(),
        next,
    })
}

/// Plays by having clingo ground each step, where a game is too large to be grounded as a whole.
fn stepwise(arena: &GroundGame, playing: &Playing, watch: &Watch) -> Result<Corpus, GameError> {
    let mut names = NumberedNames::default();
    let mut merge = Merge::new(Corpus::default());
    for trace in 0..playing.traces {
        let mut rng = rng(arena, playing, trace);
        let mut state = arena.initial.clone();
        let mut found = Trace { states: Vec::new(), moves: Vec::new(), stuck: false };
        let mut verdict = judge(arena, &state, &[])?;
        loop {
            watch.look(&merge, trace)?;
            found.states.push(GameState {
                fluents: state.iter().map(|f| names.fluents.number(f)).collect(),
                legal: verdict.legal.iter().map(|m| names.moves.number(m)).collect(),
                goals: verdict.goals.iter().map(|g| names.goals.number(g)).collect(),
                terminal: verdict.terminal,
                idle: if verdict.terminal {
                    verdict.next.iter().map(|f| names.fluents.number(f)).collect()
                } else {
                    [].into()
                },
                trace: trace as u32,
            });
            if verdict.terminal || found.moves.len() == playing.steps as usize {
                break;
            }
            let mut moves = Vec::new();
            for role in &arena.roles {
                let own: Vec<&(Term, Term)> = verdict.legal.iter().filter(|m| m.0 == *role).collect();
                match own.len() {
                    0 => break,
                    1 => moves.push(own[0].clone()),
                    count => moves.push(own[rng.random_range(0..count)].clone()),
                }
            }
            if moves.len() < arena.roles.len() {
                found.stuck = true;
                break;
            }
            state = judge(arena, &state, &moves)?.next;
            verdict = judge(arena, &state, &[])?;
            found.moves.push(moves.iter().map(|m| names.moves.number(m)).collect());
        }
        merge.add(found);
    }
    Ok(names.settle(merge.corpus))
}

/// Numbers in the order of appearance.
struct AtomNumbers<T>(HashMap<T, u32>, Vec<T>);

impl<T> Default for AtomNumbers<T> {
    fn default() -> Self {
        AtomNumbers(HashMap::default(), Vec::new())
    }
}

impl<T: Clone + Eq + std::hash::Hash> AtomNumbers<T> {
    fn number(&mut self, item: &T) -> u32 {
        if let Some(number) = self.0.get(item) {
            return *number;
        }
        self.1.push(item.clone());
        self.0.insert(item.clone(), self.1.len() as u32 - 1);
        self.1.len() as u32 - 1
    }

    /// The items in order, and the new number of each old one.
    fn sorted(self, by: impl Fn(&T, &T) -> std::cmp::Ordering) -> (Vec<T>, Vec<u32>) {
        let mut items: Vec<(u32, T)> = self.1.into_iter().enumerate().map(|(n, t)| (n as u32, t)).collect();
        items.sort_by(|a, b| by(&a.1, &b.1));
        let mut new = vec![0; items.len()];
        items.iter().enumerate().for_each(|(n, (old, _))| new[*old as usize] = n as u32);
        (items.into_iter().map(|(_, t)| t).collect(), new)
    }
}

/// Fluents, moves and goals as they turn up.
#[derive(Default)]
struct NumberedNames {
    fluents: AtomNumbers<Term>,
    moves: AtomNumbers<(Term, Term)>,
    goals: AtomNumbers<(Term, Term)>,
}

impl NumberedNames {
    /// Renumbers a corpus in the order of terms.
    fn settle(self, mut corpus: Corpus) -> Corpus {
        let (fluents, fluent) = self.fluents.sorted(order);
        let (moves, made) = self.moves.sorted(by_pair);
        let (goals, goal) = self.goals.sorted(by_pair);
        let renumber = |list: &mut Box<[u32]>, new: &[u32]| {
            list.iter_mut().for_each(|n| *n = new[*n as usize]);
            list.sort_unstable();
        };
        for situation in &mut corpus.situations {
            renumber(&mut situation.fluents, &fluent);
            renumber(&mut situation.idle, &fluent);
            renumber(&mut situation.legal, &made);
            renumber(&mut situation.goals, &goal);
        }
        corpus.transitions.iter_mut().for_each(|t| t.moves.iter_mut().for_each(|m| *m = made[*m as usize]));
        Corpus { fluents, moves, goals, ..corpus }
    }
}

/// Has clingo judge a sample of the transitions and situations that the network played.
///
/// # Errors
/// [`GameError::Disagreement`], and clingo's own.
pub fn judge_sample(
    arena: &GroundGame,
    corpus: &mut Corpus,
    most: usize,
    seed: u64,
) -> Result<(), GameError> {
    if arena.whole.is_none() || corpus.transitions.is_empty() {
        return Ok(());
    }
    let mut rng = stream(seed, &["games", &arena.game.name, "judge"]);
    let term = |n: &u32| corpus.fluents[*n as usize].clone();
    let pair = |n: &u32| corpus.moves[*n as usize].clone();
    for _ in 0..most.min(corpus.transitions.len()) {
        let step = &corpus.transitions[rng.random_range(0..corpus.transitions.len())];
        let from = &corpus.situations[step.from as usize];
        let state: Vec<Term> = from.fluents.iter().map(term).collect();
        let moves: Vec<(Term, Term)> = step.moves.iter().map(pair).collect();
        let said = judge(arena, &state, &moves)?;
        let own = StepVerdict {
            legal: from.legal.iter().map(pair).collect(),
            goals: from.goals.iter().map(|g| corpus.goals[*g as usize].clone()).collect(),
            terminal: from.terminal,
            next: corpus.situations[step.to as usize].fluents.iter().map(term).collect(),
        };
        if said != own {
            let what = match () {
                () if said.legal != own.legal => "legal moves",
                () if said.goals != own.goals => "goals",
                () if said.terminal != own.terminal => "the end",
                () => "the next state",
            };
            let state = state.iter().map(Term::to_string).collect::<Vec<_>>().join(" ");
            let what = format!("{what} in the state {state}");
            return Err(GameError::Disagreement { file: arena.game.file.clone(), what });
        }
        corpus.judged += 1;
    }
    Ok(())
}
