//! Ground rules to the network that follows changes.

use rustc_hash::FxHashMap as HashMap;

use super::levels::Levels;
use super::loops::Loop;
use super::{IncrementalEvaluator, IncrementalValues, NONE, RuleWatch};
use crate::evaluate::Unsupported;
use crate::evaluate::definitions::Definitions;
use crate::evaluate::truth_values::TruthValues;
use crate::ground::{Body, GroundProgram};

impl IncrementalEvaluator {
    /// Builds the network of a program. The atoms of its choice rules are the inputs, false to begin with; `late`
    /// are those that change after the others; `shown` are the atoms to show as bits, by their position.
    ///
    /// # Errors
    /// [`Unsupported`]: disjunctions, and loops through negation.
    pub fn new(
        program: &GroundProgram,
        late: &[u32],
        shown: &[Option<u32>],
    ) -> Result<IncrementalEvaluator, Unsupported> {
        let definitions = Definitions::new(program)?;
        let atoms = definitions.atoms;
        let levels = Levels::new(&definitions, late)?;
        let Wiring { loops, watches, need, .. } = Wiring::new(&definitions, &levels);
        let (first, watch) = by_atom(atoms, watches);
        let start = IncrementalValues {
            now: TruthValues::new(atoms),
            need,
            support: vec![0; atoms],
            bits: vec![0; shown.len().div_ceil(64)],
            queue: vec![Vec::new(); levels.count as usize],
            queued: vec![false; atoms],
        };
        let mut network = IncrementalEvaluator {
            first,
            watch,
            head: definitions.rules.iter().map(|(head, _)| *head).collect(),
            level: levels.level,
            in_loop: levels.in_loop,
            loops,
            levels: levels.count,
            early: levels.early,
            bit: bits_of(atoms, shown),
            start,
        };
        network.start = network.settled(network.start.clone());
        Ok(network)
    }

    /// What follows from all inputs being false, from values in which everything is.
    fn settled(&self, mut values: IncrementalValues) -> IncrementalValues {
        for (rule, head) in self.head.iter().enumerate() {
            if values.need[rule] <= 0 && self.in_loop[*head as usize] == NONE {
                values.support[*head as usize] += 1;
                self.enqueue(*head, &mut values);
            }
        }
        self.loops.iter().for_each(|own| self.enqueue(own.members[0], &mut values));
        self.sweep(&mut values, self.levels);
        values
    }
}

/// The bit that shows the value of each atom, or `NONE`.
fn bits_of(atoms: usize, shown: &[Option<u32>]) -> Vec<u32> {
    let mut bit = vec![NONE; atoms];
    for (position, atom) in shown.iter().enumerate() {
        if let Some(atom) = atom {
            bit[*atom as usize] = position as u32;
        }
    }
    bit
}

/// Watches one after another, atom by atom, and the first one of each atom.
fn by_atom(atoms: usize, mut watches: Vec<(u32, RuleWatch)>) -> (Vec<u32>, Vec<RuleWatch>) {
    watches.sort_by_key(|(atom, _)| *atom);
    let mut first = vec![0; atoms + 1];
    watches.iter().for_each(|(atom, _)| first[*atom as usize + 1] += 1);
    for atom in 0..atoms {
        first[atom + 1] += first[atom];
    }
    (first, watches.into_iter().map(|(_, watch)| watch).collect())
}

/// Who watches whom, rule by rule.
struct Wiring<'l> {
    levels: &'l Levels,
    /// The place of an atom in its loop.
    place: Vec<u32>,
    loops: Vec<Loop>,
    watches: Vec<(u32, RuleWatch)>,
    /// What each rule needs while all atoms are false.
    need: Vec<i32>,
}

impl<'l> Wiring<'l> {
    fn new(definitions: &Definitions, levels: &'l Levels) -> Wiring<'l> {
        let mut place = vec![0; definitions.atoms];
        for members in &levels.loops {
            members.iter().enumerate().for_each(|(number, atom)| place[*atom as usize] = number as u32);
        }
        let loops = levels.loops.iter().map(|members| Loop::new(members.clone())).collect();
        let mut wiring = Wiring { levels, place, loops, watches: Vec::new(), need: Vec::new() };
        definitions.rules.iter().for_each(|(head, body)| wiring.rule(*head, body));
        wiring
    }

    fn rule(&mut self, head: u32, body: &Body) {
        let rule = self.need.len() as u32;
        let own = self.levels.in_loop[head as usize];
        let mut need = body.bound();
        let mut within: Vec<(u32, i32)> = Vec::new();
        let mut changes: HashMap<u32, i32> = HashMap::default();
        for (literal, weight) in body.weighted() {
            let atom = literal.atom();
            if own != NONE && self.levels.in_loop[atom as usize] == own {
                // What members add is counted when the loop is worked out.
                within.push((self.place[atom as usize], weight));
            } else if literal.positive() {
                *changes.entry(atom).or_default() -= weight;
            } else {
                need -= weight;
                *changes.entry(atom).or_default() += weight;
            }
        }
        if own != NONE {
            self.loops[own as usize].add(rule, self.place[head as usize], &within);
        }
        self.need.push(need);
        let mut changes: Vec<(u32, i32)> = changes.into_iter().collect();
        changes.sort_unstable();
        let watch = |(atom, change)| (atom, RuleWatch { rule, change });
        self.watches.extend(changes.into_iter().map(watch));
    }
}
