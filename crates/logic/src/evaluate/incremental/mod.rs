//! Ground rules and a change of inputs to what it changes: an input that flips makes only those atoms look again that
//! it reaches.
//!
//! Each rule counts what it still needs, each atom the rules that support it. Atoms stand on levels, each above all
//! that it depends on, so that one sweep settles everything and looks at no atom twice. Atoms that depend on each
//! other share a node, which is worked out afresh, to its least fixpoint, when something that it depends on changes.
//! Atoms that depend on late inputs stand above all others: a sweep can stop before them.
//!
//! (The idea is that of propositional networks: Schkufza, Love and Genesereth 2008, Propositional Automata and Cell
//! Automata.)

mod compile;
mod levels;
mod loops;

use self::loops::Loop;
use super::definitions::VIOLATION;
use super::truth_values::TruthValues;

/// The network of a program: who watches whom.
///
/// ```
/// use racgen_logic::clingo::{Program, Source};
/// use racgen_logic::evaluate::incremental::IncrementalEvaluator;
///
/// let lamp = "{ switch; power }. light :- switch, power. dark :- not light.";
/// let program = Program { sources: vec![Source::new("lamp.lp", lamp)], ..Program::default() };
/// let ground = program.ground(&[("switch", 0), ("power", 0), ("dark", 0)]).unwrap();
/// let atom = |name| ground.predicate(name, 0).next().unwrap().1.unwrap();
///
/// let network = IncrementalEvaluator::new(&ground, &[], &[Some(atom("dark"))]).unwrap();
/// let mut values = network.values();
/// assert_eq!(values.bits(), [1]);
/// network.set(&mut values, atom("switch"), true);
/// network.set(&mut values, atom("power"), true);
/// assert!(network.settle(&mut values));
/// assert_eq!(values.bits(), [0]);
/// ```
#[derive(Debug)]
pub struct IncrementalEvaluator {
    /// Watchers of atom `a` are `watch[first[a]..first[a + 1]]`.
    first: Vec<u32>,
    watch: Vec<RuleWatch>,
    head: Vec<u32>,
    level: Vec<u32>,
    /// The loop of an atom, or `NONE`.
    in_loop: Vec<u32>,
    loops: Vec<Loop>,
    levels: u32,
    /// The levels of atoms that do not depend on late inputs.
    early: u32,
    /// The bit that shows the value of an atom, or `NONE`.
    bit: Vec<u32>,
    start: IncrementalValues,
}

const NONE: u32 = u32::MAX;

/// A rule that an atom stands in, and what its truth adds to what the rule needs: -1 for a positive literal.
#[derive(Clone, Copy, Debug)]
struct RuleWatch {
    rule: u32,
    change: i32,
}

/// One situation of an [`IncrementalEvaluator`].
#[derive(Clone, Debug)]
pub struct IncrementalValues {
    now: TruthValues,
    /// What each rule still needs; satisfied from 0 downwards.
    need: Vec<i32>,
    /// How many satisfied rules each atom has.
    support: Vec<u32>,
    bits: Vec<u64>,
    /// Nodes that look again, by level.
    queue: Vec<Vec<u32>>,
    queued: Vec<bool>,
}

impl IncrementalValues {
    /// The shown atoms as bits: the value of number `i` is bit `i % 64` of word `i / 64`.
    #[inline]
    pub fn bits(&self) -> &[u64] {
        &self.bits
    }
}

impl IncrementalEvaluator {
    /// How many groups of atoms depend on each other.
    pub fn loops(&self) -> usize {
        self.loops.len()
    }

    /// A situation in which all inputs are false.
    pub fn values(&self) -> IncrementalValues {
        self.start.clone()
    }

    /// Gives an input a truth value; what follows is worked out by [`IncrementalEvaluator::settle`].
    #[inline]
    pub fn set(&self, values: &mut IncrementalValues, input: u32, value: bool) {
        if values.now.get(input) != value {
            self.flip(input, values);
        }
    }

    /// Is the atom true? What is no input is so as of the last [`IncrementalEvaluator::settle`].
    #[inline]
    pub fn truth(&self, values: &IncrementalValues, atom: u32) -> bool {
        values.now.get(atom)
    }

    /// Works out what follows from the inputs; says whether all constraints are met.
    pub fn settle(&self, values: &mut IncrementalValues) -> bool {
        self.sweep(values, self.levels);
        !values.now.get(VIOLATION)
    }

    /// Works out only what does not depend on late inputs; the rest waits for [`IncrementalEvaluator::settle`].
    pub fn settle_early(&self, values: &mut IncrementalValues) {
        self.sweep(values, self.early);
    }

    /// Has everything below a level that was told to look again do so.
    fn sweep(&self, values: &mut IncrementalValues, below: u32) {
        for level in 0..below {
            while let Some(node) = values.queue[level as usize].pop() {
                values.queued[node as usize] = false;
                let own = self.in_loop[node as usize];
                if own != NONE {
                    self.work_out(own, values);
                } else if (values.support[node as usize] > 0) != values.now.get(node) {
                    self.flip(node, values);
                }
            }
        }
    }

    /// Has an atom look again.
    fn enqueue(&self, atom: u32, values: &mut IncrementalValues) {
        // A loop is queued as its first member.
        let own = self.in_loop[atom as usize];
        let node = if own == NONE { atom } else { self.loops[own as usize].members[0] };
        if !std::mem::replace(&mut values.queued[node as usize], true) {
            values.queue[self.level[node as usize] as usize].push(node);
        }
    }

    /// Turns the value of an atom round and tells the rules that it stands in.
    #[inline]
    fn flip(&self, atom: u32, values: &mut IncrementalValues) {
        let value = !values.now.get(atom);
        values.now.set(atom, value);
        let bit = self.bit[atom as usize];
        if bit != NONE {
            values.bits[bit as usize / 64] ^= 1 << (bit % 64);
        }
        let watching = self.first[atom as usize] as usize..self.first[atom as usize + 1] as usize;
        for watch in &self.watch[watching] {
            let need = &mut values.need[watch.rule as usize];
            let before = *need <= 0;
            *need += if value { watch.change } else { -watch.change };
            let after = *need <= 0;
            let head = self.head[watch.rule as usize];
            if self.in_loop[head as usize] != NONE {
                self.enqueue(head, values);
            } else if before != after {
                let support = &mut values.support[head as usize];
                *support = if after { *support + 1 } else { *support - 1 };
                if (*support > 0) != values.now.get(head) {
                    self.enqueue(head, values);
                }
            }
        }
    }
}
