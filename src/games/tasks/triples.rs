//! What was seen of a game to induction tasks: distinct triples of background, positives and implied negatives for
//! each target, in three splits (section 4.3.1).

use std::io::{self, Write};
use std::sync::Arc;

use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::games::error::GameError;
use crate::games::gdl::flatten::Flat;
use crate::games::play::corpus::Corpus;
use crate::games::play::ground_game::{Board, GroundGame};
use crate::games::play::types::Types;
use crate::games::tasks::dat::{AtomLines, block};

/// What is to be learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// Which goal values hold in a state.
    Goal,
    /// Which moves are legal in a state.
    Legal,
    /// What holds in the next state.
    Next,
    /// Whether a state is the end.
    Terminal,
}

impl Target {
    /// All targets.
    pub const ALL: [Target; 4] = [Target::Goal, Target::Legal, Target::Next, Target::Terminal];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Target::Goal => "goal",
            Target::Legal => "legal",
            Target::Next => "next",
            Target::Terminal => "terminal",
        }
    }
}

/// Bytes of a file that are handed on at once: no fewer than a file's own buffer takes, which they then pass by.
const PIECE: usize = 256 * 1024;

/// Names of the splits, in the order of their parts 4:1:1.
pub const SPLITS: [&str; 3] = ["train", "validate", "test"];

/// What keeps the splits apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Apart {
    /// Triples, as published: no triple is in two splits.
    #[default]
    State,
    /// Traces: a triple goes where the first trace that met it goes.
    Trace,
}

/// How triples become tasks.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct TaskSettings {
    /// Root of all random streams.
    pub seed: u64,
    /// What keeps the splits apart.
    pub apart: Apart,
    /// Have each split hold triples with positives and triples without, where there are three of each.
    pub balance: bool,
    /// Share of labels flipped in the training split.
    pub noise: f64,
    /// Share of background atoms missing from the training split.
    pub drop: f64,
}

/// Background and positives, as numbers of [`Task::words`] and [`Task::labels`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triple {
    /// What holds and what is done, in order.
    pub background: Box<[u32]>,
    /// What follows, in order.
    pub positives: Box<[u32]>,
    /// The first trace that met it.
    pub trace: u32,
}

/// The triples of a game for one target.
#[derive(Clone, Debug)]
pub struct Task {
    /// The game's name.
    pub game: String,
    /// The target.
    pub target: Target,
    /// All atoms of the target, by the signature.
    pub atoms: Vec<Flat>,
    /// Atoms true everywhere.
    pub statics: Arc<[Flat]>,
    /// Atoms of backgrounds.
    pub words: Arc<[Flat]>,
    /// Atoms of positives.
    pub labels: Arc<[Flat]>,
    /// The splits, by [`SPLITS`].
    pub splits: [Vec<Triple>; 3],
}

/// Makes the four tasks of a game.
///
/// # Errors
/// Types that cannot be spread, or that miss what the game can reach.
pub fn tasks(
    arena: &GroundGame,
    corpus: &Corpus,
    types: &Types,
    cut: &TaskSettings,
) -> Result<Vec<Task>, GameError> {
    let game = &arena.game;
    let statics: Arc<[Flat]> = arena.statics.iter().map(|t| Flat::fixed(game, t)).collect();
    let does = corpus.moves.iter().map(|(role, action)| Flat::new(game, "does", &[role], action));
    let holds = corpus.fluents.iter().map(|f| Flat::new(game, "true", &[], f));
    let mut words: Vec<Flat> = does.chain(holds).collect();
    let first_derived = words.len() as u32;
    let first_fluent = corpus.moves.len() as u32;
    let (mut of_states, mut of_steps) = (Vec::new(), Vec::new());
    if let Some(whole) = arena.whole.as_ref().filter(|w| !w.derived.is_empty()) {
        words.extend(whole.derived.iter().map(|(atom, _)| Flat::fixed(game, atom)));
        let numbered = |list: Vec<u32>| list.into_iter().map(|n| n + first_derived).collect::<Vec<_>>();
        let fluents = |n: u32| corpus.situations[n as usize].fluents.iter().copied();
        let states: Vec<u32> = (0..corpus.situations.len() as u32).collect();
        let go = |board: &mut Board, state: u32, moves: &[u32]| {
            board.go(fluents(state));
            numbered(board.derived(moves))
        };
        of_states = states.par_iter().map_init(|| whole.board(), |board, n| go(board, *n, &[])).collect();
        let steps = corpus.transitions.par_iter();
        of_steps =
            steps.map_init(|| whole.board(), |board, step| go(board, step.from, &step.moves)).collect();
    }
    let words: Arc<[Flat]> = words.into();
    let derived = Derived { of_states, of_steps };
    Target::ALL
        .into_iter()
        .map(|target| {
            let (labels, triples) = extract(arena, corpus, target, first_fluent, &derived);
            let spread = types.atoms(game, target.name())?;
            let mut atoms: Vec<Flat> = spread.iter().map(|atom| flatten(arena, atom)).collect();
            let known: HashSet<&Flat> = atoms.iter().collect();
            let missing: Vec<Flat> = labels.iter().filter(|l| !known.contains(l)).cloned().collect();
            if let Some(first) = missing.first() {
                // What is true must be among what can be true, whatever the types say.
                if !triples.iter().any(|t| t.positives.iter().any(|p| labels[*p as usize] == *first)) {
                    atoms.extend(missing);
                } else {
                    return Err(GameError::Arguments(format!(
                        "{}: the types do not allow `{first}`, which the game reaches; correct them, or leave the file \
                         out to have them inferred",
                        types.file
                    )));
                }
            }
            let mut task = Task {
                game: game.name.clone(),
                target,
                atoms,
                statics: statics.clone(),
                words: words.clone(),
                labels: labels.into(),
                splits: Default::default(),
            };
            task.splits = split(game.name.as_str(), target, triples, cut);
            task.disturb(cut);
            Ok(task)
        })
        .collect()
}

/// A target atom, flattened.
pub fn flatten(arena: &GroundGame, atom: &Term) -> Flat {
    let target = atom.functor();
    match (target, atom.args()) {
        ("legal" | "does", [role, action]) => Flat::new(&arena.game, target, &[role], action),
        ("next" | "true", [fluent]) => Flat::new(&arena.game, target, &[], fluent),
        _ => Flat::fixed(&arena.game, atom),
    }
}

/// Numbers of the helper atoms that belong to backgrounds; empty where nobody asked for them.
struct Derived {
    of_states: Vec<Vec<u32>>,
    of_steps: Vec<Vec<u32>>,
}

/// The distinct triples of a target, with the atoms that may be positive.
fn extract(
    arena: &GroundGame,
    corpus: &Corpus,
    target: Target,
    first_fluent: u32,
    derived: &Derived,
) -> (Vec<Flat>, Vec<Triple>) {
    let game = &arena.game;
    let fluents = |number: u32| corpus.situations[number as usize].fluents.iter().map(|f| f + first_fluent);
    let state = |number: u32| {
        fluents(number).chain(derived.of_states.get(number as usize).into_iter().flatten().copied())
    };
    let numbers = 0..corpus.situations.len() as u32;
    let of_states = |positives: &dyn Fn(u32) -> Box<[u32]>| -> Vec<Triple> {
        numbers
            .clone()
            .map(|number| Triple {
                background: state(number).collect(),
                positives: positives(number),
                trace: corpus.situations[number as usize].trace,
            })
            .collect()
    };
    match target {
        Target::Legal => (
            corpus.moves.iter().map(|(role, action)| Flat::new(game, "legal", &[role], action)).collect(),
            of_states(&|n| corpus.situations[n as usize].legal.clone()),
        ),
        Target::Goal => (
            corpus.goals.iter().map(|(r, v)| Flat::fixed(game, &goal(r, v))).collect(),
            of_states(&|n| corpus.situations[n as usize].goals.clone()),
        ),
        Target::Terminal => (
            vec![Flat { name: "terminal".into(), arguments: Vec::new() }],
            of_states(&|n| if corpus.situations[n as usize].terminal { [0].into() } else { [].into() }),
        ),
        Target::Next => {
            let steps = corpus.transitions.iter().enumerate().map(|(number, step)| {
                let mut background: Vec<u32> = step.moves.to_vec();
                background.sort_unstable();
                background.extend(fluents(step.from));
                background.extend(derived.of_steps.get(number).into_iter().flatten());
                Triple {
                    background: background.into(),
                    positives: corpus.situations[step.to as usize].fluents.clone(),
                    trace: step.trace,
                }
            });
            // Nothing is done in a terminal state; what the rules then yield is listed all the same.
            let ends = numbers.clone().filter(|n| corpus.situations[*n as usize].terminal);
            let ends = ends.map(|n| Triple {
                background: state(n).collect(),
                positives: corpus.situations[n as usize].idle.clone(),
                trace: corpus.situations[n as usize].trace,
            });
            let labels = corpus.fluents.iter().map(|f| Flat::new(game, "next", &[], f)).collect();
            (labels, steps.chain(ends).collect())
        }
    }
}

fn goal(role: &Term, value: &Term) -> Term {
    Term::function("goal", vec![role.clone(), value.clone()])
}

fn split(game: &str, target: Target, mut triples: Vec<Triple>, cut: &TaskSettings) -> [Vec<Triple>; 3] {
    let mut rng = stream(cut.seed, &["games", game, target.name(), "split"]);
    triples.shuffle(&mut rng);
    match cut.apart {
        Apart::Trace => {
            // All targets send a trace to the same split.
            let mut rng = stream(cut.seed, &["games", game, "split of traces"]);
            let traces = 1 + triples.iter().map(|t| t.trace).max().unwrap_or(0);
            let mut order: Vec<u32> = (0..traces).collect();
            order.shuffle(&mut rng);
            let place: HashMap<u32, usize> =
                order.iter().enumerate().map(|(at, trace)| (*trace, part(at, order.len()))).collect();
            let mut splits: [Vec<Triple>; 3] = Default::default();
            for triple in triples {
                splits[place[&triple.trace]].push(triple);
            }
            splits
        }
        Apart::State if cut.balance => {
            let (with, without): (Vec<Triple>, Vec<Triple>) =
                triples.into_iter().partition(|t| !t.positives.is_empty());
            let mut splits: [Vec<Triple>; 3] = Default::default();
            for group in [with, without] {
                let count = group.len();
                for (at, triple) in group.into_iter().enumerate() {
                    // The first three of a group go to three splits.
                    let place = if at < 3 && count >= 3 { at } else { part(at, count) };
                    splits[place].push(triple);
                }
            }
            splits.iter_mut().for_each(|s| s.shuffle(&mut rng));
            splits
        }
        Apart::State => {
            let count = triples.len();
            let test = triples.split_off(4 * count / 6 + count / 6);
            let validate = triples.split_off(4 * count / 6);
            [triples, validate, test]
        }
    }
}

/// Which split the triple at this rank of so many belongs to.
fn part(at: usize, count: usize) -> usize {
    if at < 4 * count / 6 {
        0
    } else if at < 4 * count / 6 + count / 6 {
        1
    } else {
        2
    }
}

impl Task {
    /// Flips labels and drops background atoms of the training split.
    fn disturb(&mut self, cut: &TaskSettings) {
        if cut.noise <= 0.0 && cut.drop <= 0.0 {
            return;
        }
        // Noise may make any atom of the signature positive.
        let known: HashMap<&Flat, u32> = self.labels.iter().zip(0..).collect();
        let mut extended: Vec<Flat> = self.labels.to_vec();
        let numbers: Vec<u32> = self
            .atoms
            .iter()
            .map(|atom| {
                known.get(atom).copied().unwrap_or_else(|| {
                    extended.push(atom.clone());
                    extended.len() as u32 - 1
                })
            })
            .collect();
        self.labels = extended.into();
        let mut rng = stream(cut.seed, &["games", &self.game, self.target.name(), "noise"]);
        for triple in &mut self.splits[0] {
            if cut.drop > 0.0 {
                triple.background =
                    triple.background.iter().filter(|_| !rng.random_bool(cut.drop)).copied().collect();
            }
            if cut.noise > 0.0 {
                let positive: HashSet<u32> = triple.positives.iter().copied().collect();
                let flipped = numbers.iter().filter(|n| positive.contains(n) != rng.random_bool(cut.noise));
                triple.positives = flipped.copied().collect();
                triple.positives.sort_unstable();
            }
        }
    }

    /// The negatives of a triple, as positions in [`Task::atoms`]; with a bound, a seeded sample of so many.
    pub fn negatives(&self, triple: &Triple, most: Option<usize>, rng: &mut ChaCha8Rng) -> Vec<usize> {
        let positive: HashSet<&Flat> = triple.positives.iter().map(|p| &self.labels[*p as usize]).collect();
        let mut all: Vec<usize> =
            (0..self.atoms.len()).filter(|n| !positive.contains(&self.atoms[*n])).collect();
        if let Some(most) = most.filter(|most| *most < all.len()) {
            let mut chosen = all.partial_shuffle(rng, most).0.to_vec();
            chosen.sort_unstable();
            return chosen;
        }
        all
    }

    /// Writes one split in the published layout.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_dat(&self, split: usize, out: &mut dyn Write) -> io::Result<()> {
        let (words, labels) = (AtomLines::new(&self.words), AtomLines::new(&self.labels));
        block(out, "atoms", self.atoms.iter())?;
        block(out, "statics", self.statics.iter())?;
        let mut text = Vec::with_capacity(2 * PIECE);
        for triple in &self.splits[split] {
            words.block("background", &triple.background, &mut text);
            labels.block("positives", &triple.positives, &mut text);
            if text.len() >= PIECE {
                out.write_all(&text)?;
                text.clear();
            }
        }
        out.write_all(&text)
    }
}
