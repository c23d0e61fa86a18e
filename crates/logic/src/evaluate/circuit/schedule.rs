//! Gates to passes over slots: level by level, gates of one shape in a row, a slot free again after its last reader.

use rustc_hash::FxHashMap as HashMap;

use super::wires::{CircuitGate, Gates, Wire};
use super::{CircuitOutput, PassLoop, PassStep, Run};

/// What one pass works out.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    /// The atoms that are wanted.
    pub targets: Vec<u32>,
    /// The pass before it that ran on the same inputs, as far as they had been set: what it and those before it worked
    /// out is not worked out again.
    pub after: Option<usize>,
}

/// Passes, ready to run.
pub(super) struct PassSchedule {
    pub(super) passes: Vec<Vec<PassStep>>,
    /// By pass, where its targets stand.
    pub(super) outputs: Vec<Vec<CircuitOutput>>,
    pub(super) slots: usize,
}

/// A gate or a loop as one pass works it out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PassNode {
    Gate(u32),
    Loop(u32),
}

struct Planned {
    node: PassNode,
    pass: usize,
}

/// Plans the passes; the wires are those of their targets. Inputs have the first slots, one that is never true the next.
pub(super) fn schedule(
    gates: &Gates,
    inputs: usize,
    wires: &[Vec<Wire>],
    after: &[Option<usize>],
) -> PassSchedule {
    let mut order: Vec<Planned> = Vec::new();
    // By pass, where what it works out stands: the pass that did.
    let mut made: Vec<HashMap<u32, usize>> = Vec::new();
    for (pass, targets) in wires.iter().enumerate() {
        let before = after[pass].map(|before| made[before].clone()).unwrap_or_default();
        let mut levels =
            PassLevels { gates, made: before, pass, level: HashMap::default(), nodes: Vec::new() };
        targets.iter().for_each(|wire| levels.visit(wire.gate()));
        let PassLevels { mut nodes, made: now, .. } = levels;
        nodes.sort_by_key(|(level, node)| (*level, shape(gates, *node), *node));
        order.extend(nodes.into_iter().map(|(_, node)| Planned { node, pass }));
        made.push(now);
    }
    Slots::new(gates, inputs, &made, wires, &order).assign(wires.len())
}

/// How many wires a gate reads as they are, and complemented; loops last.
fn shape(gates: &Gates, node: PassNode) -> (usize, usize) {
    match node {
        PassNode::Loop(_) => (usize::MAX, 0),
        PassNode::Gate(gate) => match &gates.gates[gate as usize] {
            CircuitGate::All(wires) => {
                let complemented = wires.iter().filter(|wire| wire.complemented()).count();
                (wires.len() - complemented, complemented)
            }
            _ => (0, 0),
        },
    }
}

/// The wires that a node reads from outside.
fn reads(gates: &Gates, node: PassNode) -> Vec<Wire> {
    match node {
        PassNode::Gate(gate) => match &gates.gates[gate as usize] {
            CircuitGate::All(wires) => wires.to_vec(),
            _ => Vec::new(),
        },
        PassNode::Loop(place) => {
            let own = |wire: &Wire| matches!(gates.gates[wire.gate() as usize], CircuitGate::Member(of) if of == place);
            let rules = gates.loops[place as usize].rules.iter();
            let mut all: Vec<Wire> =
                rules.flat_map(|(_, wires)| wires).copied().filter(|wire| !own(wire)).collect();
            all.sort_unstable();
            all.dedup();
            all
        }
    }
}

struct PassLevels<'g> {
    gates: &'g Gates,
    made: HashMap<u32, usize>,
    pass: usize,
    /// Of what this pass works out.
    level: HashMap<u32, u32>,
    nodes: Vec<(u32, PassNode)>,
}

impl PassLevels<'_> {
    /// Plans a gate after all that it reads. Calls are kept in a list: circuits are deeper than the stack of a thread.
    fn visit(&mut self, target: u32) {
        let mut calls: Vec<(u32, bool)> = vec![(target, false)];
        while let Some((gate, read)) = calls.pop() {
            if self.made.contains_key(&gate) {
                continue;
            }
            let node = match &self.gates.gates[gate as usize] {
                CircuitGate::Never | CircuitGate::Input(_) => continue,
                CircuitGate::All(_) => PassNode::Gate(gate),
                CircuitGate::Member(place) => PassNode::Loop(*place),
            };
            let reads = reads(self.gates, node);
            if !read {
                calls.push((gate, true));
                calls.extend(reads.iter().map(|wire| (wire.gate(), false)));
                continue;
            }
            let levels = reads.iter().filter_map(|wire| self.level.get(&wire.gate()));
            let level = 1 + levels.copied().max().unwrap_or(0);
            self.nodes.push((level, node));
            let own = match node {
                PassNode::Gate(gate) => vec![gate],
                PassNode::Loop(place) => self.gates.loops[place as usize].members.clone(),
            };
            for gate in own {
                self.level.insert(gate, level);
                self.made.insert(gate, self.pass);
            }
        }
    }
}

/// Slots given to what is worked out.
struct Slots<'g> {
    gates: &'g Gates,
    /// By pass, the pass in which what it can read was worked out.
    made: &'g [HashMap<u32, usize>],
    targets: &'g [Vec<Wire>],
    order: &'g [Planned],
    never: u32,
    /// By pass and gate, the place in the order of the last reader.
    last: HashMap<(usize, u32), usize>,
    slot: HashMap<(usize, u32), u32>,
    free: Vec<u32>,
    slots: u32,
}

impl<'g> Slots<'g> {
    fn new(
        gates: &'g Gates,
        inputs: usize,
        made: &'g [HashMap<u32, usize>],
        targets: &'g [Vec<Wire>],
        order: &'g [Planned],
    ) -> Slots<'g> {
        let mut last = HashMap::default();
        for (place, planned) in order.iter().enumerate() {
            for wire in reads(gates, planned.node) {
                if let Some(pass) = made[planned.pass].get(&wire.gate()) {
                    last.insert((*pass, wire.gate()), place);
                }
            }
        }
        // Targets keep their slots.
        for (pass, wires) in targets.iter().enumerate() {
            for wire in wires {
                if let Some(from) = made[pass].get(&wire.gate()) {
                    last.insert((*from, wire.gate()), usize::MAX);
                }
            }
        }
        let never = inputs as u32;
        let (slot, free, slots) = (HashMap::default(), Vec::new(), never + 1);
        Slots { gates, made, targets, order, never, last, slot, free, slots }
    }

    fn assign(mut self, passes: usize) -> PassSchedule {
        let mut steps: Vec<Vec<PassStep>> = vec![Vec::new(); passes];
        for (place, planned) in self.order.iter().enumerate() {
            let read = reads(self.gates, planned.node);
            match planned.node {
                PassNode::Gate(gate) => {
                    let (plain, complemented): (Vec<Wire>, Vec<Wire>) =
                        read.iter().copied().partition(|wire| !wire.complemented());
                    let at = |wire: &Wire| self.at(planned.pass, *wire);
                    let read_slots: Vec<u32> = plain.iter().chain(&complemented).map(at).collect();
                    // A gate reads all before it writes, so it may write where nobody else reads.
                    self.release(planned.pass, place, &read);
                    let own = self.take(planned.pass, gate);
                    push_gate(&mut steps[planned.pass], own, plain.len() as u32, &read_slots);
                }
                PassNode::Loop(number) => {
                    let own = &self.gates.loops[number as usize];
                    let members: Vec<u32> =
                        own.members.iter().map(|gate| self.take(planned.pass, *gate)).collect();
                    let mut compiled = PassLoop { members, ..PassLoop::default() };
                    for (head, wires) in &own.rules {
                        let at =
                            |wire: &Wire| self.at(planned.pass, *wire) << 1 | u32::from(wire.complemented());
                        let from = compiled.wires.len() as u32;
                        compiled.wires.extend(wires.iter().map(at));
                        let head = self.at(planned.pass, Wire::of(*head));
                        compiled.rules.push((head, from, compiled.wires.len() as u32));
                    }
                    self.release(planned.pass, place, &read);
                    steps[planned.pass].push(PassStep::Loop(compiled));
                }
            }
        }
        let output = |pass: usize| {
            let wires = self.targets[pass].iter();
            wires.map(|wire| CircuitOutput::new(self.at(pass, *wire), wire.complemented())).collect()
        };
        let outputs = (0..passes).map(output).collect();
        PassSchedule { passes: steps, outputs, slots: self.slots as usize }
    }

    fn at(&self, pass: usize, wire: Wire) -> u32 {
        match &self.gates.gates[wire.gate() as usize] {
            CircuitGate::Never => self.never,
            CircuitGate::Input(place) => *place,
            CircuitGate::All(_) | CircuitGate::Member(_) => {
                let gate = wire.gate();
                self.slot[&(self.made[pass][&gate], gate)]
            }
        }
    }

    fn take(&mut self, pass: usize, gate: u32) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.slots - 1
        });
        self.slot.insert((pass, gate), slot);
        // A member that nobody reads keeps its slot.
        slot
    }

    /// Frees the slots of what is read here for the last time.
    fn release(&mut self, pass: usize, place: usize, wires: &[Wire]) {
        for wire in wires {
            if let Some(made) = self.made[pass].get(&wire.gate())
                && self.last.get(&(*made, wire.gate())) == Some(&place)
            {
                self.free.push(self.slot[&(*made, wire.gate())]);
            }
        }
    }
}

/// Adds a gate to a pass, in the same run as the one before where they read as many wires.
fn push_gate(steps: &mut Vec<PassStep>, own: u32, plain: u32, slots: &[u32]) {
    let complemented = slots.len() as u32 - plain;
    let fits = |run: &Run| run.plain == plain && run.complemented == complemented;
    if !matches!(steps.last(), Some(PassStep::Run(run)) if fits(run)) {
        steps.push(PassStep::Run(Run { plain, complemented, slots: Vec::new() }));
    }
    if let Some(PassStep::Run(run)) = steps.last_mut() {
        run.slots.push(own);
        run.slots.extend(slots);
    }
}
