//! What was seen of a game to stories: a state, steps from it, and the state they lead to; no two splits share a state.
//!
//! States go to splits together with the trace that met them first, so that most steps stay within one split; a game
//! with few traces has its states dealt one by one. A story that passes states of two splits is not told.

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::seq::SliceRandom;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::games::play::corpus::{Corpus, GameState};
use crate::items::source::Split;

/// Most stories of one split and depth that questions choose among.
const POOL: usize = 3_000;
/// Traces that met a state first, below which states are dealt one by one.
const FEWEST_TRACES: usize = 60;

/// A state, the steps made from it, and the state after them, as numbers of the corpus.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameStory {
    /// The state told.
    pub from: u32,
    /// The moves of each step, one a role.
    pub steps: Vec<Box<[u32]>>,
    /// The state asked about.
    pub to: u32,
}

impl GameStory {
    /// The state told.
    pub fn start<'c>(&self, corpus: &'c Corpus) -> &'c GameState {
        &corpus.situations[self.from as usize]
    }

    /// The state asked about.
    pub fn end<'c>(&self, corpus: &'c Corpus) -> &'c GameState {
        &corpus.situations[self.to as usize]
    }
}

/// The split of each state, by its number among `splits`.
pub fn deal_states(corpus: &Corpus, game: &str, splits: &[Split], seed: u64) -> Vec<usize> {
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut of_trace: HashMap<u32, usize> = HashMap::default();
    for (number, situation) in corpus.situations.iter().enumerate() {
        let group = *of_trace.entry(situation.trace).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(number as u32);
    }
    if groups.len() < FEWEST_TRACES {
        groups = (0..corpus.situations.len() as u32).map(|n| vec![n]).collect();
    }
    groups.shuffle(&mut stream(seed, &["games", game, "items", "splits"]));
    let sum: f64 = splits.iter().map(|s| s.weight).sum();
    let mut dealt = vec![0.0; splits.len()];
    let mut total = 0.0;
    let mut split_of = vec![0; corpus.situations.len()];
    for group in groups {
        total += group.len() as f64;
        // The split that lacks most.
        let lack = |split: &usize| splits[*split].weight / sum * total - dealt[*split];
        let split = (0..splits.len()).max_by(|a, b| lack(a).total_cmp(&lack(b)).then(b.cmp(a))).unwrap_or(0);
        dealt[split] += group.len() as f64;
        group.into_iter().for_each(|state| split_of[state as usize] = split);
    }
    split_of
}

/// Stories of one split and depth, each once, in a random order.
pub fn stories(
    corpus: &Corpus,
    game: &str,
    split_of: &[usize],
    split: usize,
    depth: u32,
    seed: u64,
) -> Vec<GameStory> {
    let mut rng = stream(seed, &["games", game, "items", "stories", &split.to_string(), &depth.to_string()]);
    let inside = |state: u32| split_of[state as usize] == split;
    if depth == 0 {
        let states = (0..corpus.situations.len() as u32).filter(|state| inside(*state));
        let mut all: Vec<GameStory> =
            states.map(|state| GameStory { from: state, steps: Vec::new(), to: state }).collect();
        all.shuffle(&mut rng);
        all.truncate(POOL);
        return all;
    }
    let mut steps: Vec<usize> = (0..corpus.transitions.len())
        .filter(|n| inside(corpus.transitions[*n].from) && inside(corpus.transitions[*n].to))
        .collect();
    let mut onward: HashMap<u32, Vec<usize>> = HashMap::default();
    steps.iter().for_each(|n| onward.entry(corpus.transitions[*n].from).or_default().push(*n));
    steps.shuffle(&mut rng);
    let mut met: HashSet<GameStory> = HashSet::default();
    let mut all = Vec::new();
    // A first step may lead on in several ways.
    let tries = if depth == 1 { steps.len() } else { POOL.min(steps.len()) * 4 };
    for n in steps.iter().cycle().take(tries) {
        let first = &corpus.transitions[*n];
        let mut story = GameStory { from: first.from, steps: vec![first.moves.clone()], to: first.to };
        while (story.steps.len() as u32) < depth {
            let Some(choice) = onward.get(&story.to) else { break };
            let step = &corpus.transitions[choice[rng.random_range(0..choice.len())]];
            story.steps.push(step.moves.clone());
            story.to = step.to;
        }
        if story.steps.len() as u32 == depth && met.insert(story.clone()) {
            all.push(story);
            if all.len() == POOL {
                break;
            }
        }
    }
    all
}
