//! Traces to a corpus: distinct situations and transitions, and what their numbers stand for.

use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::games::play::ground_game::order;
use crate::games::play::lane_traces::{LaneState, LaneTrace};

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
pub(super) struct Trace {
    pub(super) states: Vec<GameState>,
    pub(super) moves: Vec<Box<[u32]>>,
    pub(super) stuck: bool,
}

impl Trace {
    /// A trace that was played in a lane.
    pub(super) fn of_lane(played: LaneTrace, number: u32) -> Trace {
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

/// Collects distinct situations and transitions.
pub(super) struct Merge {
    pub(super) corpus: Corpus,
    states: HashMap<Box<[u32]>, u32>,
    steps: HashMap<(u32, Box<[u32]>), u32>,
    pub(super) bytes: u64,
}

impl Merge {
    pub(super) fn new(corpus: Corpus) -> Merge {
        Merge { corpus, states: HashMap::default(), steps: HashMap::default(), bytes: 0 }
    }

    pub(super) fn add(&mut self, trace: Trace) {
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
pub(super) fn by_pair(a: &(Term, Term), b: &(Term, Term)) -> std::cmp::Ordering {
    order(&a.0, &b.0).then_with(|| order(&a.1, &b.1))
}

/// Numbers in the order of appearance.
pub(super) struct AtomNumbers<T>(HashMap<T, u32>, Vec<T>);

impl<T> Default for AtomNumbers<T> {
    fn default() -> Self {
        AtomNumbers(HashMap::default(), Vec::new())
    }
}

impl<T: Clone + Eq + std::hash::Hash> AtomNumbers<T> {
    pub(super) fn number(&mut self, item: &T) -> u32 {
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
pub(super) struct NumberedNames {
    pub(super) fluents: AtomNumbers<Term>,
    pub(super) moves: AtomNumbers<(Term, Term)>,
    pub(super) goals: AtomNumbers<(Term, Term)>,
}

impl NumberedNames {
    /// Renumbers a corpus in the order of terms.
    pub(super) fn settle(self, mut corpus: Corpus) -> Corpus {
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
