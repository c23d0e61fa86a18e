//! Conjunctions to smaller ones: what one other reads alone is put into it, and two wires that many demand together get a
//! gate of their own.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap as HashMap;

use super::wires::{CircuitGate, Gates, Wire};

/// A pair of wires is worth a gate where so many conjunctions have it: each then reads one wire less, and the gate has
/// two to read and one to write.
const WORTH_A_GATE: u32 = 3;
/// Pairs that are looked at. The widest conjunctions, which have the most, are left as they are beyond that.
const PAIRS: usize = 500_000;

/// Makes the conjunctions that the targets need smaller. Gates that are added read others that may stand behind them.
pub(super) fn share(gates: &mut Gates, targets: &[Wire]) {
    inline(gates, &needed(gates, targets), targets);
    let mut sharing = Sharing::new(gates, &needed(gates, targets));
    sharing.extract(gates);
    for (gate, wires) in sharing.wires {
        gates.gates[gate as usize] = CircuitGate::All(wires.into());
    }
}

/// By gate, whether a target depends on it.
fn needed(gates: &Gates, targets: &[Wire]) -> Vec<bool> {
    let mut needed = vec![false; gates.gates.len()];
    let mut open: Vec<u32> = targets.iter().map(|wire| wire.gate()).collect();
    while let Some(gate) = open.pop() {
        if std::mem::replace(&mut needed[gate as usize], true) {
            continue;
        }
        match &gates.gates[gate as usize] {
            CircuitGate::All(wires) => open.extend(wires.iter().map(|wire| wire.gate())),
            CircuitGate::Member(place) => {
                let own = &gates.loops[*place as usize];
                open.extend(own.members.iter().copied());
                open.extend(own.rules.iter().flat_map(|(_, wires)| wires).map(|wire| wire.gate()));
            }
            CircuitGate::Never | CircuitGate::Input(_) => {}
        }
    }
    needed
}

/// Puts conjunctions into the only other one that demands them, where nothing else reads them.
fn inline(gates: &mut Gates, needed: &[bool], targets: &[Wire]) {
    let mut readers = vec![0u32; gates.gates.len()];
    targets.iter().for_each(|wire| readers[wire.gate() as usize] += 1);
    let in_loops = gates.loops.iter().flat_map(|own| &own.rules).flat_map(|(_, wires)| wires);
    in_loops.for_each(|wire| readers[wire.gate() as usize] += 1);
    for (gate, _) in gates.gates.iter().zip(needed).filter(|(_, needed)| **needed) {
        if let CircuitGate::All(wires) = gate {
            wires.iter().for_each(|wire| readers[wire.gate() as usize] += 1);
        }
    }
    for (place, _) in needed.iter().enumerate().filter(|(_, needed)| **needed) {
        let CircuitGate::All(wires) = &gates.gates[place] else { continue };
        let alone = |wire: &Wire| {
            let inner = &gates.gates[wire.gate() as usize];
            (!wire.complemented() && readers[wire.gate() as usize] == 1)
                .then_some(inner)
                .and_then(|inner| if let CircuitGate::All(wires) = inner { Some(wires) } else { None })
        };
        if !wires.iter().any(|wire| alone(wire).is_some()) {
            continue;
        }
        let mut flat: Vec<Wire> = Vec::new();
        for wire in wires {
            match alone(wire) {
                Some(inner) => flat.extend(inner.iter()),
                None => flat.push(*wire),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        gates.gates[place] = CircuitGate::All(flat.into());
    }
}

type Pair = (Wire, Wire);

/// Conjunctions whose common pairs are looked for.
struct Sharing {
    /// The wires of each, in order.
    wires: HashMap<u32, Vec<Wire>>,
    /// Conjunctions that have a wire, or had it.
    having: HashMap<Wire, Vec<u32>>,
    /// How many have a pair.
    counts: HashMap<Pair, u32>,
}

fn pair(one: Wire, other: Wire) -> Pair {
    (one.min(other), one.max(other))
}

impl Sharing {
    fn new(gates: &Gates, needed: &[bool]) -> Sharing {
        let all = gates.gates.iter().zip(0..).zip(needed).filter(|(_, needed)| **needed);
        let mut conjunctions: Vec<(u32, &[Wire])> = all
            .filter_map(|((gate, number), _)| match gate {
                CircuitGate::All(wires) => Some((number, &wires[..])),
                _ => None,
            })
            .collect();
        conjunctions.sort_by_key(|(number, wires)| (wires.len(), *number));
        let mut sharing =
            Sharing { wires: HashMap::default(), having: HashMap::default(), counts: HashMap::default() };
        let mut pairs = 0;
        for (number, wires) in conjunctions {
            pairs += wires.len() * (wires.len() - 1) / 2;
            if pairs > PAIRS {
                break;
            }
            for (at, one) in wires.iter().enumerate() {
                sharing.having.entry(*one).or_default().push(number);
                for other in &wires[at + 1..] {
                    *sharing.counts.entry((*one, *other)).or_default() += 1;
                }
            }
            sharing.wires.insert(number, wires.to_vec());
        }
        sharing
    }

    /// Gives gates to pairs, the most frequent first.
    fn extract(&mut self, gates: &mut Gates) {
        let worth = self.counts.iter().filter(|(_, count)| **count >= WORTH_A_GATE);
        let mut queue: BinaryHeap<(u32, Pair)> = worth.map(|(pair, count)| (*count, *pair)).collect();
        while let Some((count, pair)) = queue.pop() {
            let now = self.counts.get(&pair).copied().unwrap_or(0);
            match now.cmp(&count) {
                // It was queued with the higher count as well, and comes up for that.
                Ordering::Greater => {}
                Ordering::Less if now < WORTH_A_GATE => {}
                Ordering::Less => queue.push((now, pair)),
                Ordering::Equal => self.give_a_gate(pair, gates, &mut queue),
            }
        }
    }

    fn give_a_gate(&mut self, common: Pair, gates: &mut Gates, queue: &mut BinaryHeap<(u32, Pair)>) {
        let (one, other) = common;
        let mut having: Vec<u32> = self.having[&one].clone();
        having.sort_unstable();
        having.dedup();
        having.retain(|gate| {
            let wires = &self.wires[gate];
            wires.len() > 2 && wires.binary_search(&one).is_ok() && wires.binary_search(&other).is_ok()
        });
        self.counts.remove(&common);
        if having.is_empty() {
            return;
        }
        let new = Wire::of(gates.push(CircuitGate::All([one, other].into())));
        for gate in having {
            let Some(wires) = self.wires.get_mut(&gate) else { continue };
            wires.retain(|wire| *wire != one && *wire != other);
            for rest in wires.iter() {
                for gone in [pair(one, *rest), pair(other, *rest)] {
                    if let Some(count) = self.counts.get_mut(&gone) {
                        *count -= 1;
                    }
                }
                let count = self.counts.entry(pair(new, *rest)).or_default();
                *count += 1;
                if *count >= WORTH_A_GATE {
                    queue.push((*count, pair(new, *rest)));
                }
            }
            wires.push(new);
            wires.sort_unstable();
            self.having.entry(new).or_default().push(gate);
        }
    }
}
