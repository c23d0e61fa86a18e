//! Ground rules to gates: bodies that differ in an exactly-one input alone become one, sums become adders, and atoms that
//! depend on each other a loop.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::wires::{CircuitGate, GateLoop, Gates, Wire};
use crate::evaluate::Unsupported;
use crate::evaluate::definitions::Definitions;
use crate::ground::{Body, Literal};

/// The gates of a program's atoms.
pub(super) struct RuleGates<'p> {
    pub(super) gates: Gates,
    definitions: Definitions<'p>,
    /// By atom, its value, as far as it was needed.
    wires: HashMap<u32, Wire>,
}

impl<'p> RuleGates<'p> {
    /// Builds what the targets depend on. All inputs that are not named are false.
    ///
    /// # Errors
    /// [`Unsupported::Undecided`] where there is a loop through negation.
    pub(super) fn new(
        definitions: Definitions<'p>,
        inputs: &[u32],
        exactly_one: &[Vec<u32>],
        targets: &[u32],
    ) -> Result<RuleGates<'p>, Unsupported> {
        let mut gates = Gates::new();
        let mut wires = HashMap::default();
        for (place, atom) in inputs.iter().enumerate() {
            let gate = gates.push(CircuitGate::Input(place as u32));
            wires.insert(*atom, Wire::of(gate));
        }
        for group in exactly_one {
            let gate = |atom: &u32| wires[atom].gate();
            gates.exactly_one(group.iter().map(gate).collect());
        }
        let components = definitions.components(targets);
        let mut rules = RuleGates { gates, definitions, wires };
        for members in &components {
            if !members.iter().any(|atom| rules.wires.contains_key(atom)) {
                rules.component(members)?;
            }
        }
        Ok(rules)
    }

    /// The value of an atom that the targets depend on.
    pub(super) fn wire(&self, atom: u32) -> Wire {
        self.wires.get(&atom).copied().unwrap_or(Wire::FALSE)
    }

    fn component(&mut self, members: &[u32]) -> Result<(), Unsupported> {
        let own: HashSet<u32> = members.iter().copied().collect();
        let rules = members.iter().flat_map(|atom| self.definitions.of(*atom));
        let (mut recursive, mut recursive_sum) = (false, false);
        for body in rules.map(|rule| self.definitions.body(*rule)) {
            for (literal, _) in body.weighted().filter(|(literal, _)| own.contains(&literal.atom())) {
                if !literal.positive() {
                    return Err(Unsupported::Undecided);
                }
                recursive = true;
                recursive_sum |= matches!(body, Body::Sum(..));
            }
        }
        match (recursive, recursive_sum) {
            (_, true) => return Err(Unsupported::RecursiveSum),
            (true, false) => self.recursive(members),
            (false, false) => {
                let atom = members[0];
                let input = self.definitions.input[atom as usize];
                let wire = if input { Wire::FALSE } else { self.atom(atom) };
                self.wires.insert(atom, wire);
            }
        }
        Ok(())
    }

    /// The bodies of an atom as wires that must all hold.
    fn bodies(&mut self, atom: u32) -> Vec<Vec<Wire>> {
        let rules = self.definitions.of(atom).to_vec();
        rules.into_iter().map(|rule| self.body(self.definitions.body(rule))).collect()
    }

    fn body(&mut self, body: &Body) -> Vec<Wire> {
        match body {
            Body::All(literals) => literals.iter().map(|literal| self.literal(*literal)).collect(),
            Body::Sum(bound, weighted) => vec![self.sum(i64::from(*bound), weighted)],
        }
    }

    fn literal(&self, literal: Literal) -> Wire {
        self.wire(literal.atom()).complement_if(!literal.positive())
    }

    fn atom(&mut self, atom: u32) -> Wire {
        let mut bodies = self.bodies(atom);
        bodies.iter_mut().for_each(|body| self.gates.tidy(body));
        for group in 0..self.gates.groups() {
            bodies = self.merged(group, bodies);
        }
        bodies.sort_unstable();
        bodies.dedup();
        let all = bodies.into_iter().map(|body| self.gates.all(body)).collect();
        self.gates.any(all)
    }

    /// Has bodies that demand the same besides an input of the group become one, which demands one of these inputs.
    fn merged(&mut self, group: u32, bodies: Vec<Vec<Wire>>) -> Vec<Vec<Wire>> {
        let (mut merged, mut others) = (HashMap::<Vec<Wire>, Vec<u32>>::default(), Vec::new());
        for mut body in bodies {
            match body.iter().position(|wire| self.gates.is_in(*wire, group)) {
                Some(at) => {
                    let input = body.remove(at).gate();
                    merged.entry(body).or_default().push(input);
                }
                None => others.push(body),
            }
        }
        let mut merged: Vec<(Vec<Wire>, Vec<u32>)> = merged.into_iter().collect();
        merged.sort_unstable();
        for (mut body, mut inputs) in merged {
            inputs.sort_unstable();
            inputs.dedup();
            body.push(self.gates.any_of(group, &inputs));
            self.gates.tidy(&mut body);
            others.push(body);
        }
        others
    }

    /// Where weighted literals sum to no less than a bound.
    fn sum(&mut self, bound: i64, weighted: &[(Literal, i32)]) -> Wire {
        let mut bound = bound;
        let mut digits: Vec<Wire> = Vec::new();
        for (literal, weight) in weighted {
            let mut counted = self.literal(*literal);
            if *weight < 0 {
                // What is subtracted where the literal holds is added where it does not.
                counted = !counted;
                bound += i64::from(weight.unsigned_abs());
            }
            self.add(&mut digits, counted, weight.unsigned_abs());
        }
        if bound <= 0 {
            return Wire::TRUE;
        }
        if bound >> digits.len() != 0 {
            return Wire::FALSE;
        }
        let mut reached = Wire::TRUE;
        for (place, digit) in digits.into_iter().enumerate() {
            let pair = vec![digit, reached];
            reached = if bound >> place & 1 == 1 { self.gates.all(pair) } else { self.gates.any(pair) };
        }
        reached
    }

    /// Adds a weight to binary digits, the lowest first, where a wire is true.
    fn add(&mut self, digits: &mut Vec<Wire>, counted: Wire, weight: u32) {
        let mut carry = Wire::FALSE;
        for place in 0.. {
            if weight >> place.min(31) == 0 && carry == Wire::FALSE {
                return;
            }
            if place == digits.len() {
                digits.push(Wire::FALSE);
            }
            let added = if place < 32 && weight >> place & 1 == 1 { counted } else { Wire::FALSE };
            let digit = digits[place];
            let either = self.gates.differ(digit, added);
            digits[place] = self.gates.differ(either, carry);
            let both = self.gates.all(vec![digit, added]);
            let passed = self.gates.all(vec![either, carry]);
            carry = self.gates.any(vec![both, passed]);
        }
    }

    /// Atoms that depend on each other. What their rules demand from outside is one wire each.
    fn recursive(&mut self, members: &[u32]) {
        let place = self.gates.loops.len() as u32;
        self.gates.loops.push(GateLoop::default());
        let gates: Vec<u32> = members.iter().map(|_| self.gates.push(CircuitGate::Member(place))).collect();
        let wires = members.iter().zip(&gates).map(|(atom, gate)| (*atom, Wire::of(*gate)));
        self.wires.extend(wires);
        let own: HashSet<u32> = gates.iter().copied().collect();
        let mut rules = Vec::new();
        for (atom, gate) in members.iter().zip(&gates) {
            let mut bodies = self.bodies(*atom);
            bodies.iter_mut().for_each(|body| self.gates.tidy(body));
            for group in 0..self.gates.groups() {
                bodies = self.merged(group, bodies);
            }
            bodies.retain(|body| !body.contains(&Wire::FALSE) && !body.contains(&Wire::of(*gate)));
            bodies.sort_unstable();
            bodies.dedup();
            for body in bodies {
                let own = |wire: &Wire| own.contains(&wire.gate());
                let (mut within, outside): (Vec<Wire>, Vec<Wire>) = body.into_iter().partition(own);
                let outside = self.gates.all(outside);
                if outside != Wire::TRUE {
                    within.push(outside);
                }
                rules.push((*gate, within));
            }
        }
        self.gates.loops[place as usize] = GateLoop { members: gates, rules };
    }
}
