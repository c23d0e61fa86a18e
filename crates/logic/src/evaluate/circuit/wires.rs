//! Conjunctions of wires to gates, each of which exists once: what is always so is left out, and exactly-one inputs are
//! read as such.

use rustc_hash::FxHashMap as HashMap;

/// A gate's value or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Wire(u32);

impl Wire {
    pub(super) const FALSE: Wire = Wire(0);
    pub(super) const TRUE: Wire = Wire(1);

    pub(super) fn of(gate: u32) -> Wire {
        Wire(gate << 1)
    }

    pub(super) fn gate(self) -> u32 {
        self.0 >> 1
    }

    pub(super) fn complemented(self) -> bool {
        self.0 & 1 == 1
    }

    pub(super) fn complement_if(self, complement: bool) -> Wire {
        Wire(self.0 ^ u32::from(complement))
    }
}

impl std::ops::Not for Wire {
    type Output = Wire;

    fn not(self) -> Wire {
        Wire(self.0 ^ 1)
    }
}

/// What a gate's value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CircuitGate {
    /// False; the first gate, and no other.
    Never,
    /// The input at a place.
    Input(u32),
    /// A member of the loop at a place.
    Member(u32),
    /// True where all of these are. They are sorted, and of different gates.
    All(Box<[Wire]>),
}

/// Atoms that depend on each other through positive literals: their least fixpoint is looked for.
#[derive(Clone, Debug, Default)]
pub(super) struct GateLoop {
    /// The gates of the members.
    pub(super) members: Vec<u32>,
    /// A member's gate and what must hold for it, members of the same loop among that.
    pub(super) rules: Vec<(u32, Vec<Wire>)>,
}

/// Gates, each after those that it reads.
#[derive(Debug)]
pub(super) struct Gates {
    pub(super) gates: Vec<CircuitGate>,
    pub(super) loops: Vec<GateLoop>,
    /// Wires of conjunctions, and their gates.
    found: HashMap<Box<[Wire]>, u32>,
    /// Gates of inputs exactly one of which is true.
    groups: Vec<Vec<u32>>,
    /// The group of an input's gate.
    group_of: HashMap<u32, u32>,
}

impl Gates {
    pub(super) fn new() -> Gates {
        Gates {
            gates: vec![CircuitGate::Never],
            loops: Vec::new(),
            found: HashMap::default(),
            groups: Vec::new(),
            group_of: HashMap::default(),
        }
    }

    pub(super) fn push(&mut self, gate: CircuitGate) -> u32 {
        self.gates.push(gate);
        self.gates.len() as u32 - 1
    }

    /// From here on, exactly one of these inputs is true.
    pub(super) fn exactly_one(&mut self, mut inputs: Vec<u32>) {
        inputs.sort_unstable();
        let group = self.groups.len() as u32;
        self.group_of.extend(inputs.iter().map(|input| (*input, group)));
        self.groups.push(inputs);
    }

    /// How many groups of exactly-one inputs there are.
    pub(super) fn groups(&self) -> u32 {
        self.groups.len() as u32
    }

    /// Is the wire an input of the group, not complemented?
    pub(super) fn is_in(&self, wire: Wire, group: u32) -> bool {
        !wire.complemented() && self.group_of.get(&wire.gate()) == Some(&group)
    }

    /// Where one of these inputs of a group is true, given in order. As exactly one of the group is, that is where none
    /// of the others is; the shorter of the two is what is worked out.
    pub(super) fn any_of(&mut self, group: u32, inputs: &[u32]) -> Wire {
        let all = &self.groups[group as usize];
        if inputs.len() == all.len() {
            return Wire::TRUE;
        }
        let most = 2 * inputs.len() > all.len();
        let fewer: Vec<u32> = match most {
            true => all.iter().copied().filter(|input| inputs.binary_search(input).is_err()).collect(),
            false => inputs.to_vec(),
        };
        let any = match fewer[..] {
            [] => Wire::FALSE,
            [only] => Wire::of(only),
            _ => !self.gate(fewer.into_iter().map(|input| !Wire::of(input)).collect()),
        };
        any.complement_if(most)
    }

    /// Where one of the wires is true.
    pub(super) fn any(&mut self, wires: Vec<Wire>) -> Wire {
        !self.all(wires.into_iter().map(|wire| !wire).collect())
    }

    /// Where all wires are true.
    pub(super) fn all(&mut self, mut wires: Vec<Wire>) -> Wire {
        self.tidy(&mut wires);
        match wires[..] {
            [] => Wire::TRUE,
            [only] => only,
            _ => self.gate(wires),
        }
    }

    /// Where one of two wires is true and the other is not.
    pub(super) fn differ(&mut self, one: Wire, other: Wire) -> Wire {
        let (left, right) = (self.all(vec![one, !other]), self.all(vec![!one, other]));
        self.any(vec![left, right])
    }

    /// Sorts the wires of a conjunction and leaves out what the others imply; what cannot be becomes `FALSE` alone.
    pub(super) fn tidy(&mut self, wires: &mut Vec<Wire>) {
        wires.sort_unstable();
        wires.dedup();
        wires.retain(|wire| *wire != Wire::TRUE);
        if !self.groups.is_empty() && wires.iter().any(|wire| self.group_of.contains_key(&wire.gate())) {
            self.read_groups(wires);
        }
        let contradiction = wires.windows(2).any(|pair| pair[0] == !pair[1]);
        if contradiction || wires.first() == Some(&Wire::FALSE) {
            *wires = vec![Wire::FALSE];
        }
    }

    /// Of the inputs of a group one at most can be demanded, and the others are then false; where some must be false, one
    /// of the others is true.
    fn read_groups(&mut self, wires: &mut Vec<Wire>) {
        let (mut demanded, mut excluded): (HashMap<u32, Wire>, HashMap<u32, Vec<u32>>) = Default::default();
        let mut kept: Vec<Wire> = Vec::with_capacity(wires.len());
        for wire in wires.iter().copied() {
            match self.group_of.get(&wire.gate()) {
                None => kept.push(wire),
                Some(group) if wire.complemented() => excluded.entry(*group).or_default().push(wire.gate()),
                Some(group) => {
                    if demanded.insert(*group, wire).is_some() {
                        kept.push(Wire::FALSE);
                    }
                }
            }
        }
        let mut excluded: Vec<(u32, Vec<u32>)> = excluded.into_iter().collect();
        excluded.sort_unstable();
        for (group, inputs) in excluded {
            match demanded.get(&group) {
                Some(input) if inputs.contains(&input.gate()) => kept.push(Wire::FALSE),
                Some(_) => {}
                None => kept.push(!self.any_of(group, &inputs)),
            }
        }
        kept.extend(demanded.values());
        kept.sort_unstable();
        kept.dedup();
        kept.retain(|wire| *wire != Wire::TRUE);
        *wires = kept;
    }

    /// The gate of a conjunction of two wires or more that are in order.
    fn gate(&mut self, wires: Vec<Wire>) -> Wire {
        if let Some(gate) = self.found.get(&wires[..]) {
            return Wire::of(*gate);
        }
        let wires: Box<[Wire]> = wires.into();
        let gate = self.push(CircuitGate::All(wires.clone()));
        self.found.insert(wires, gate);
        Wire::of(gate)
    }
}
