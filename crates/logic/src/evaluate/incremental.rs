//! Ground rules to a network that follows changes: an input that flips makes only those atoms look again that it
//! reaches.
//!
//! Each rule counts what it still needs, each atom the rules that support it. Atoms stand on levels, each above all
//! that it depends on, so that one sweep settles everything and looks at no atom twice. Atoms that depend on each
//! other share a node, which is worked out afresh, to its least fixpoint, when something that it depends on changes.
//! Atoms that depend on late inputs (the moves of a game) stand above all others: a sweep can stop before them.
//!
//! (The idea is that of propositional networks: Schkufza, Love and Genesereth 2008, Propositional Automata and Cell
//! Automata.)

use rustc_hash::FxHashMap as HashMap;

use crate::evaluate::batch::Unsupported;
use crate::ground::{Body, GroundProgram};

/// The unchanging part: who watches whom.
#[derive(Debug)]
pub struct Network {
    /// Watchers of atom `a` are `watch[first[a]..first[a + 1]]`.
    first: Vec<u32>,
    watch: Vec<RuleWatch>,
    head: Vec<u32>,
    level: Vec<u32>,
    /// The loop of an atom, or `NONE`.
    in_loop: Vec<u32>,
    loops: Vec<Loop>,
    levels: u32,
    early: u32,
    /// The bit that shows the value of an atom, or `NONE`.
    bit: Vec<u32>,
    start: NetworkValues,
}

const NONE: u32 = u32::MAX;

/// A rule that an atom stands in, and what its truth adds to what the rule needs: -1 for a positive literal.
#[derive(Clone, Copy, Debug)]
struct RuleWatch {
    rule: u32,
    change: i32,
}

/// Atoms that depend on each other. What their rules need from outside is counted with all other rules.
#[derive(Debug, Default)]
struct Loop {
    members: Vec<u32>,
    /// Rules with heads among the members.
    rules: Vec<u32>,
    /// Members in bodies of these rules: member, rule (as position in `rules`), weight.
    inner: Vec<Vec<(u32, i32)>>,
    /// Sum of the weights of members in each rule.
    within: Vec<i32>,
}

#[derive(Clone, Debug)]
struct NetworkValues {
    value: Vec<bool>,
    /// What each rule still needs; satisfied from 0 downwards.
    need: Vec<i32>,
    /// How many satisfied rules each atom has.
    support: Vec<u32>,
    bits: Vec<u64>,
}

/// One situation of a network.
#[derive(Clone, Debug)]
pub struct Machine<'n> {
    network: &'n Network,
    values: NetworkValues,
    queued: Vec<bool>,
    queue: Vec<Vec<u32>>,
}

impl Network {
    /// Builds the network of a program. The atoms of its choice rules are the inputs, false to begin with; `late`
    /// are those that change after the others; `shown` are the atoms to show as bits, by their position.
    ///
    /// # Errors
    /// [`Unsupported`]: disjunctions, and loops through negation.
    pub fn new(program: &GroundProgram, late: &[u32], shown: &[Option<u32>]) -> Result<Network, Unsupported> {
        let atoms = program.atoms as usize + 1;
        let mut input = vec![false; atoms];
        let mut heads: Vec<u32> = Vec::new();
        // Literals of each rule: atom, weight, sign.
        let mut bodies: Vec<Vec<(u32, i32, bool)>> = Vec::new();
        let mut need: Vec<i32> = Vec::new();
        for rule in &program.rules {
            if rule.choice {
                rule.head.iter().for_each(|a| input[*a as usize] = true);
                continue;
            }
            if rule.head.len() > 1 {
                return Err(Unsupported::Disjunction);
            }
            let (bound, mut body): (i32, Vec<(u32, i32, bool)>) = match &rule.body {
                Body::All(literals) => {
                    (literals.len() as i32, literals.iter().map(|l| (l.atom(), 1, l.positive())).collect())
                }
                Body::Sum(bound, literals) => {
                    (*bound, literals.iter().map(|(l, w)| (l.atom(), *w, l.positive())).collect())
                }
            };
            let granted: i32 = body.iter().filter(|l| !l.2).map(|l| l.1).sum();
            body.sort_unstable();
            // Atom 0 is no atom of clingo's; it stands for a violated constraint.
            heads.push(rule.head.first().copied().unwrap_or(0));
            bodies.push(body);
            need.push(bound - granted);
        }

        let mut rules_of: Vec<Vec<u32>> = vec![Vec::new(); atoms];
        for (rule, head) in heads.iter().enumerate() {
            rules_of[*head as usize].push(rule as u32);
        }
        let all: Vec<u32> = (0..atoms as u32).collect();
        let components = crate::evaluate::batch::components(atoms, &all, |atom, visit| {
            for rule in &rules_of[atom as usize] {
                bodies[*rule as usize].iter().for_each(|l| visit(l.0));
            }
        });

        // Levels, and the atoms that depend on late inputs.
        let mut component = vec![0; atoms];
        for (number, members) in components.iter().enumerate() {
            members.iter().for_each(|a| component[*a as usize] = number as u32);
        }
        let mut is_late = vec![false; atoms];
        late.iter().for_each(|a| is_late[*a as usize] = true);
        let mut level = vec![0; atoms];
        let mut in_loop = vec![NONE; atoms];
        let mut loops = Vec::new();
        for (number, members) in components.iter().enumerate() {
            let (mut highest, mut loops_here, mut late_here) = (0, false, is_late[members[0] as usize]);
            for rule in members.iter().flat_map(|a| &rules_of[*a as usize]) {
                for (atom, _, positive) in &bodies[*rule as usize] {
                    if component[*atom as usize] == number as u32 {
                        if !positive {
                            return Err(Unsupported::Undecided);
                        }
                        loops_here = true;
                    } else {
                        // Levels of early and late atoms are counted apart.
                        if is_late[*atom as usize] && !late_here {
                            (late_here, highest) = (true, 0);
                        }
                        if is_late[*atom as usize] == late_here {
                            highest = highest.max(level[*atom as usize] + 1);
                        }
                    }
                }
            }
            for atom in members {
                level[*atom as usize] = highest;
                is_late[*atom as usize] = late_here;
            }
            if loops_here {
                members.iter().for_each(|a| in_loop[*a as usize] = loops.len() as u32);
                loops.push(Loop { members: members.clone(), ..Loop::default() });
            }
        }
        let early = 1 + (0..atoms).filter(|a| !is_late[*a]).map(|a| level[a]).max().unwrap_or(0);
        for atom in 0..atoms {
            level[atom] += if is_late[atom] { early } else { 0 };
        }
        let levels = 1 + level.iter().copied().max().unwrap_or(0);

        let mut watches: Vec<(u32, RuleWatch)> = Vec::new();
        for (rule, body) in bodies.iter().enumerate() {
            let own = in_loop[heads[rule] as usize];
            let inner_rule = (own != NONE).then(|| {
                let own = &mut loops[own as usize];
                own.rules.push(rule as u32);
                own.within.push(0);
                own.rules.len() - 1
            });
            let mut sums: HashMap<u32, i32> = HashMap::default();
            for (atom, weight, positive) in body {
                match inner_rule {
                    Some(inner) if in_loop[*atom as usize] == own => {
                        let own = &mut loops[own as usize];
                        own.within[inner] += weight;
                        own.inner.resize(own.members.len(), Vec::new());
                        if let Some(member) = own.members.iter().position(|m| m == atom) {
                            own.inner[member].push((inner as u32, *weight));
                        }
                        // What members add is counted when the loop is worked out.
                        need[rule] -= weight;
                    }
                    _ => *sums.entry(*atom).or_default() += if *positive { -weight } else { *weight },
                }
            }
            let mut sums: Vec<(u32, i32)> = sums.into_iter().collect();
            sums.sort_unstable();
            watches.extend(sums.into_iter().map(|(a, change)| (a, RuleWatch { rule: rule as u32, change })));
        }
        watches.sort_by_key(|(atom, _)| *atom);
        let mut first = vec![0; atoms + 1];
        watches.iter().for_each(|(atom, _)| first[*atom as usize + 1] += 1);
        for atom in 0..atoms {
            first[atom + 1] += first[atom];
        }
        let mut bit = vec![NONE; atoms];
        for (position, atom) in shown.iter().enumerate() {
            if let Some(atom) = atom {
                bit[*atom as usize] = position as u32;
            }
        }

        let support = vec![0; atoms];
        let start = NetworkValues {
            value: vec![false; atoms],
            need,
            support,
            bits: vec![0; shown.len().div_ceil(64)],
        };
        let watch = watches.into_iter().map(|(_, w)| w).collect();
        let mut network =
            Network { first, watch, head: heads, level, in_loop, loops, levels, early, bit, start };
        // Everything follows from all inputs being false.
        let mut machine = network.machine();
        for rule in 0..network.head.len() {
            if machine.values.need[rule] <= 0 && network.in_loop[network.head[rule] as usize] == NONE {
                machine.values.support[network.head[rule] as usize] += 1;
                machine.enqueue(network.head[rule]);
            }
        }
        network.loops.iter().for_each(|l| machine.enqueue(l.members[0]));
        machine.settle();
        let start = machine.values;
        network.start = start;
        Ok(network)
    }

    /// A situation in which all inputs are false.
    pub fn machine(&self) -> Machine<'_> {
        Machine {
            network: self,
            values: self.start.clone(),
            queued: vec![false; self.level.len()],
            queue: vec![Vec::new(); self.levels as usize],
        }
    }

    /// How many groups of atoms depend on each other.
    pub fn loops(&self) -> usize {
        self.loops.len()
    }
}

impl Machine<'_> {
    /// The shown atoms as bits: the value of number `i` is bit `i % 64` of word `i / 64`.
    pub fn bits(&self) -> &[u64] {
        &self.values.bits
    }

    /// Is the atom true?
    pub fn get(&self, atom: u32) -> bool {
        self.values.value[atom as usize]
    }

    /// Is a constraint violated?
    pub fn violated(&self) -> bool {
        self.values.value[0]
    }

    /// Gives an input a value; what follows is worked out by [`Machine::settle`].
    pub fn set(&mut self, atom: u32, value: bool) {
        if self.values.value[atom as usize] != value {
            self.flip(atom);
        }
    }

    fn enqueue(&mut self, atom: u32) {
        // A loop is queued as its first member.
        let own = self.network.in_loop[atom as usize];
        let node = if own == NONE { atom } else { self.network.loops[own as usize].members[0] };
        if !std::mem::replace(&mut self.queued[node as usize], true) {
            self.queue[self.network.level[node as usize] as usize].push(node);
        }
    }

    /// Turns the value of an atom round and tells the rules that it stands in.
    #[inline]
    fn flip(&mut self, atom: u32) {
        let network = self.network;
        let value = !self.values.value[atom as usize];
        self.values.value[atom as usize] = value;
        let bit = network.bit[atom as usize];
        if bit != NONE {
            self.values.bits[bit as usize / 64] ^= 1 << (bit % 64);
        }
        let range = network.first[atom as usize] as usize..network.first[atom as usize + 1] as usize;
        for watch in &network.watch[range] {
            let need = &mut self.values.need[watch.rule as usize];
            let before = *need <= 0;
            *need += if value { watch.change } else { -watch.change };
            let after = *need <= 0;
            let head = network.head[watch.rule as usize];
            if network.in_loop[head as usize] != NONE {
                self.enqueue(head);
            } else if before != after {
                let support = &mut self.values.support[head as usize];
                *support = if after { *support + 1 } else { *support - 1 };
                if (*support > 0) != self.values.value[head as usize] {
                    self.enqueue(head);
                }
            }
        }
    }

    /// Works out what follows from the inputs.
    pub fn settle(&mut self) {
        self.sweep(0, self.network.levels);
    }

    /// Works out only what does not depend on late inputs; the rest waits for [`Machine::settle`].
    pub fn settle_early(&mut self) {
        self.sweep(0, self.network.early);
    }

    fn sweep(&mut self, from: u32, to: u32) {
        for level in from..to {
            while let Some(node) = self.queue[level as usize].pop() {
                self.queued[node as usize] = false;
                let own = self.network.in_loop[node as usize];
                if own != NONE {
                    self.work_out(own);
                } else if (self.values.support[node as usize] > 0) != self.values.value[node as usize] {
                    self.flip(node);
                }
            }
        }
    }

    /// The least fixpoint of a loop.
    fn work_out(&mut self, own: u32) {
        let network = self.network;
        let own = &network.loops[own as usize];
        let mut need: Vec<i32> = own
            .rules
            .iter()
            .zip(&own.within)
            .map(|(rule, within)| self.values.need[*rule as usize] + within)
            .collect();
        let mut value: HashMap<u32, bool> = own.members.iter().map(|m| (*m, false)).collect();
        let position: HashMap<u32, usize> = own.members.iter().enumerate().map(|(i, m)| (*m, i)).collect();
        let mut open: Vec<u32> = Vec::new();
        let reach = |head: u32, value: &mut HashMap<u32, bool>, open: &mut Vec<u32>| {
            if let Some(value) = value.get_mut(&head)
                && !std::mem::replace(value, true)
            {
                open.push(head);
            }
        };
        for (index, rule) in own.rules.iter().enumerate() {
            if need[index] <= 0 {
                reach(network.head[*rule as usize], &mut value, &mut open);
            }
        }
        while let Some(member) = open.pop() {
            let Some(inner) = position.get(&member).and_then(|p| own.inner.get(*p)) else { continue };
            for (rule, weight) in inner {
                let before = need[*rule as usize] <= 0;
                need[*rule as usize] -= weight;
                if !before && need[*rule as usize] <= 0 {
                    reach(network.head[own.rules[*rule as usize] as usize], &mut value, &mut open);
                }
            }
        }
        for member in &own.members {
            if value.get(member).copied().unwrap_or(false) != self.values.value[*member as usize] {
                self.flip(*member);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::clingo::Program;
    use crate::clingo::Source;
    use crate::evaluate::batch::Evaluator;

    /// Random programs with and without loops, random flips: the network agrees with the evaluator that starts afresh.
    #[test]
    fn changes_lead_where_a_fresh_start_leads() -> Result<(), Box<dyn std::error::Error>> {
        let mut rng = crate::seed::stream(7, &["network"]);
        let mut looping = 0;
        for _ in 0..60 {
            let mut text = "{ i(0..5) }. ".to_owned();
            for atom in 0..12 {
                for _ in 0..rng.random_range(1..4) {
                    let mut body = Vec::new();
                    for _ in 0..rng.random_range(1..4) {
                        if rng.random_bool(0.4) {
                            let sign = if rng.random_bool(0.4) { "not " } else { "" };
                            body.push(format!("{sign}i({})", rng.random_range(0..6)));
                        } else if atom >= 6 && rng.random_bool(0.4) {
                            body.push(format!("not a({})", rng.random_range(0..6)));
                        } else {
                            // Positive, within the same half: loops, but none through negation.
                            let low = if atom < 6 { 0 } else { 6 };
                            body.push(format!("a({})", low + rng.random_range(0..6)));
                        }
                    }
                    text += &format!("a({atom}) :- {}. ", body.join(", "));
                }
            }
            text += "a(12) :- 2 #sum { 1,0: a(0); 1,1: i(1); 2,2: not a(7) }. :- a(3), i(4). #defined a/1.";
            let program = Program { sources: vec![Source::new("random.lp", text)], ..Program::default() };
            let ground = program.ground(&[("i", 1), ("a", 1)])?;
            let inputs: Vec<u32> = ground.predicate("i", 1).filter_map(|(_, a)| a).collect();
            let targets: Vec<u32> = ground.predicate("a", 1).filter_map(|(_, a)| a).collect();
            let evaluator = Evaluator::new(&ground, &targets)?;
            let shown: Vec<Option<u32>> = targets.iter().map(|a| Some(*a)).collect();
            let network = Network::new(&ground, &inputs[3..], &shown)?;
            looping += network.loops();
            let mut machine = network.machine();
            for _ in 0..40 {
                let input = inputs[rng.random_range(0..inputs.len())];
                let value = !machine.get(input);
                machine.set(input, value);
                if rng.random_bool(0.3) {
                    machine.settle_early();
                    continue;
                }
                machine.settle();
                let mut values = evaluator.values();
                inputs.iter().for_each(|i| values.set(*i, machine.get(*i)));
                let consistent = evaluator.run(&mut values)?;
                assert_eq!(consistent, !machine.violated());
                for (position, atom) in targets.iter().enumerate() {
                    assert_eq!(values.get(*atom), machine.get(*atom), "{atom}");
                    assert_eq!(values.get(*atom), machine.bits()[position / 64] >> (position % 64) & 1 == 1);
                }
            }
        }
        assert!(looping > 10);
        Ok(())
    }
}
