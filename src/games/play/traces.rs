//! A game to traces, merged to a corpus of the distinct situations and transitions that they pass (section 4.3, algorithm 1).
//!
//! Where the game could be grounded as a whole, random traces are played in lanes of its circuits, unless there are too few
//! for compiling these; other traces are played on the network, which comes to the same. Elsewhere clingo grounds each step.
//! Traces are numbered, each has a random stream of its own, and they are merged in the order of their numbers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rayon::prelude::*;

use crate::games::error::GameError;
use crate::games::play::circuit::GameCircuits;
use crate::games::play::corpus::{Corpus, GameState, Merge, NumberedNames, Trace};
use crate::games::play::ground_game::{Board, GroundGame, Limits, Whole};
use crate::games::play::judge::judge;
use crate::games::play::lane_traces::lane_traces;
use crate::games::play::moves::{draw, seek};

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
