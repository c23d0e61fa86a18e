//! An evaluator and the truth of some of its inputs to a smaller one, in which they are settled.
//!
//! What follows from the inputs that are known is worked out once, in the order of evaluation: literals that hold are
//! left out of their bodies, bodies with one that does not of the rules, and atoms that are settled that way of the
//! steps. The words that are left are numbered anew, close together.

use std::sync::Arc;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::{
    IndexRange, LaneBody, LaneEvaluator, LaneLiteral, LaneRule, LaneStep, LaneWiring, LoopStep, Rival,
};
use crate::evaluate::definitions::VIOLATION;

/// What became of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It is true, or false, whatever the inputs are that are left.
    Is(bool),
    /// It is an input still or depends on some; this is its number in the new evaluator.
    Open(u32),
}

/// An evaluator in which some inputs are settled.
#[derive(Debug)]
pub struct FoldedEvaluator {
    /// For what is left.
    pub evaluator: LaneEvaluator,
    /// What became of the atoms, by their numbers.
    settled: Vec<Settled>,
}

impl FoldedEvaluator {
    /// What became of an atom. One that is neither read, nor defined, nor kept counts as false.
    pub fn settled(&self, atom: u32) -> Settled {
        self.settled.get(atom as usize).copied().unwrap_or(Settled::Is(false))
    }
}

impl LaneEvaluator {
    /// Settles the inputs that are known, and all that follows from them. Inputs in `kept` keep a word even if nothing
    /// reads them any more. Atoms that are `opened` become inputs, whatever their rules say; none comes of it where one of
    /// them depends on itself.
    pub fn fold(&self, known: &[(u32, bool)], opened: &[u32], kept: &[u32]) -> Option<FoldedEvaluator> {
        let words = self.wiring.atoms + self.wiring.assumed.len();
        let mut folder = Folding {
            whole: &self.wiring,
            known: vec![None; words],
            sums: vec![None; self.wiring.sums.len()],
            // Most of it is left, and lists that grow would be copied again and again.
            steps: Vec::with_capacity(self.steps.len()),
            wiring: LaneWiring {
                atoms: self.wiring.atoms,
                rules: Vec::with_capacity(self.wiring.rules.len()),
                literals: Vec::with_capacity(self.wiring.literals.len()),
                sums: Vec::with_capacity(self.wiring.sums.len()),
                ..LaneWiring::default()
            },
            seconds: vec![0; self.wiring.assumed.len()],
            opened: opened.iter().copied().collect(),
        };
        if !folder.opened.is_empty() && self.steps.iter().any(|step| folder.opens_a_loop(step)) {
            return None;
        }
        known.iter().for_each(|(atom, value)| folder.known[*atom as usize] = Some(*value));
        self.steps.iter().for_each(|step| folder.step(step));
        Some(folder.numbered(kept))
    }
}

/// A body with what is known left out.
enum Rest {
    Is(bool),
    Open(LaneBody),
}

struct Folding<'e> {
    whole: &'e LaneWiring,
    /// By word, its value where it is known.
    known: Vec<Option<bool>>,
    /// What is left of the sums that are worked out in steps of their own.
    sums: Vec<Option<u32>>,
    steps: Vec<LaneStep>,
    wiring: LaneWiring,
    /// By second word, its place among those that are left.
    seconds: Vec<u32>,
    opened: HashSet<u32>,
}

impl Folding<'_> {
    fn opens_a_loop(&self, step: &LaneStep) -> bool {
        match step {
            LaneStep::Atom(..) | LaneStep::Sum(_) => false,
            LaneStep::Rivals(rivals) => {
                let rivals = &self.whole.rivals[*rivals as usize];
                rivals.iter().any(|rival| self.opened.contains(&rival.atom))
            }
            LaneStep::Loop(step) => {
                let step = &self.whole.loops[*step as usize];
                step.members.of(&self.whole.members).iter().any(|atom| self.opened.contains(atom))
            }
        }
    }

    fn step(&mut self, step: &LaneStep) {
        match *step {
            LaneStep::Atom(atom, _) if self.opened.contains(&atom) => {}
            LaneStep::Atom(atom, rules) => self.atom(atom, &[rules]),
            LaneStep::Sum(sum) => {
                let left = self.sum(sum);
                self.sums[sum as usize] = Some(left);
                self.steps.push(LaneStep::Sum(left));
            }
            LaneStep::Rivals(rivals) => {
                let [one, other] = self.whole.rivals[rivals as usize];
                self.rivals(one, other);
            }
            LaneStep::Loop(step) => self.settle(self.whole.loops[step as usize]),
        }
    }

    fn value(&self, literal: LaneLiteral) -> Option<bool> {
        Some(self.known[literal.place()]? == literal.is_positive())
    }

    /// An atom that does not depend on itself.
    fn atom(&mut self, atom: u32, rules: &[IndexRange]) {
        let left = self.rules(rules);
        match left {
            Ok(left) if left.is_empty() => self.known[atom as usize] = Some(false),
            Ok(left) => self.steps.push(LaneStep::Atom(atom, left)),
            Err(_) => self.known[atom as usize] = Some(true),
        }
    }

    /// The rules that are left of some; as an error where a body is known to hold, with it among them.
    fn rules(&mut self, ranges: &[IndexRange]) -> Result<IndexRange, IndexRange> {
        let from = self.wiring.rules.len() as u32;
        let mut holds = false;
        for rule in ranges.iter().flat_map(|range| range.of(&self.whole.rules)) {
            match self.body(&rule.body) {
                Rest::Is(false) => {}
                Rest::Is(true) => {
                    holds = true;
                    self.wiring.rules.push(LaneRule { head: rule.head, body: nothing() });
                }
                Rest::Open(body) => self.wiring.rules.push(LaneRule { head: rule.head, body }),
            }
        }
        let left = IndexRange { from, to: self.wiring.rules.len() as u32 };
        if holds { Err(left) } else { Ok(left) }
    }

    fn body(&mut self, body: &LaneBody) -> Rest {
        match *body {
            LaneBody::All(literals) => {
                let from = self.wiring.literals.len();
                for literal in literals.of(&self.whole.literals) {
                    match self.value(*literal) {
                        Some(true) => {}
                        Some(false) => {
                            self.wiring.literals.truncate(from);
                            return Rest::Is(false);
                        }
                        None => self.wiring.literals.push(*literal),
                    }
                }
                let left = IndexRange { from: from as u32, to: self.wiring.literals.len() as u32 };
                if left.is_empty() { Rest::Is(true) } else { Rest::Open(LaneBody::All(left)) }
            }
            LaneBody::AtLeast { sum, bound } => {
                let before = self.sums[sum as usize];
                let left = before.unwrap_or_else(|| self.sum(sum));
                match (self.wiring.sums[left as usize].decides(bound), before) {
                    (Some(value), _) => Rest::Is(value),
                    (None, Some(_)) => Rest::Open(LaneBody::AtLeast { sum: left, bound }),
                    (None, None) => Rest::Open(LaneBody::Sum { sum: left, bound }),
                }
            }
            LaneBody::Sum { sum, bound } => {
                let sum = self.sum(sum);
                match self.wiring.sums[sum as usize].decides(bound) {
                    Some(value) => Rest::Is(value),
                    None => Rest::Open(LaneBody::Sum { sum, bound }),
                }
            }
        }
    }

    fn sum(&mut self, sum: u32) -> u32 {
        let left = self.whole.sums[sum as usize].fold(|literal| self.value(literal), self.wiring.digits);
        self.wiring.digits += left.width();
        self.wiring.sums.push(left);
        self.wiring.sums.len() as u32 - 1
    }

    fn rivals(&mut self, one: Rival, other: Rival) {
        let mut own = [one, other].map(|rival| self.rules(&[rival.own]));
        let default = [one, other].map(|rival| match self.rules(&[rival.default]) {
            Ok(rules) | Err(rules) => rules,
        });
        let rivals = [one, other];
        // What holds by a rule of its own leaves the other to its own rules, and so does what never holds leave it to
        // all of them.
        for (place, rest) in [(0, 1), (1, 0)] {
            if own[place].is_err() {
                self.known[rivals[place].atom as usize] = Some(true);
                return self.atom(rivals[rest].atom, &[rivals[rest].own]);
            }
            if own[place].as_ref().is_ok_and(IndexRange::is_empty) && default[place].is_empty() {
                self.known[rivals[place].atom as usize] = Some(false);
                return self.atom(rivals[rest].atom, &[rivals[rest].own, rivals[rest].default]);
            }
        }
        let mut left = |place: usize| Rival {
            atom: rivals[place].atom,
            own: match &mut own[place] {
                Ok(rules) | Err(rules) => *rules,
            },
            default: default[place],
        };
        let both = [left(0), left(1)];
        self.steps.push(LaneStep::Rivals(self.wiring.rivals.len() as u32));
        self.wiring.rivals.push(both);
    }

    /// Atoms that depend on each other.
    fn settle(&mut self, step: LoopStep) {
        let members = step.members.of(&self.whole.members);
        while self.settles_a_member(step, members) {}
        let left: Vec<u32> =
            members.iter().copied().filter(|atom| self.known[*atom as usize].is_none()).collect();
        if left.is_empty() {
            return;
        }
        let from = self.wiring.rules.len() as u32;
        for rule in step.rules.of(&self.whole.rules) {
            if self.known[rule.head as usize].is_none()
                && let Rest::Open(body) = self.body(&rule.body)
            {
                self.wiring.rules.push(LaneRule { head: rule.head, body });
            }
        }
        let rules = IndexRange { from, to: self.wiring.rules.len() as u32 };
        let first = self.wiring.members.len() as u32;
        self.wiring.members.extend(&left);
        let members_at = IndexRange { from: first, to: self.wiring.members.len() as u32 };
        let assumed = (self.wiring.atoms + self.wiring.assumed.len()) as u32;
        if step.negative {
            for (place, atom) in members.iter().enumerate() {
                if self.known[*atom as usize].is_none() {
                    let second = step.assumed as usize + place - self.wiring.atoms;
                    self.seconds[second] = self.wiring.assumed.len() as u32;
                    self.wiring.assumed.push(*atom);
                }
            }
        }
        self.steps.push(LaneStep::Loop(self.wiring.loops.len() as u32));
        self.wiring.loops.push(LoopStep { members: members_at, rules, assumed, ..step });
    }

    /// Settles members that a rule makes true whatever the others are, and those that no rule can make true; is there
    /// any?
    fn settles_a_member(&mut self, step: LoopStep, members: &[u32]) -> bool {
        let rules = step.rules.of(&self.whole.rules).iter();
        let mut found: Vec<(u32, bool)> = Vec::new();
        let mut possible = vec![false; members.len()];
        let place: HashMap<u32, usize> =
            members.iter().enumerate().map(|(place, atom)| (*atom, place)).collect();
        let (literals, sums, digits) =
            (self.wiring.literals.len(), self.wiring.sums.len(), self.wiring.digits);
        let mut open: Vec<(u32, &LaneBody)> = Vec::new();
        for rule in rules {
            if self.known[rule.head as usize].is_some() {
                continue;
            }
            match self.body(&rule.body) {
                Rest::Is(true) => found.push((rule.head, true)),
                Rest::Is(false) => {}
                Rest::Open(_) => open.push((rule.head, &rule.body)),
            }
        }
        self.wiring.literals.truncate(literals);
        self.wiring.sums.truncate(sums);
        self.wiring.digits = digits;
        if found.is_empty() {
            // Members that rules come to from nothing but what is open; the others are unfounded.
            let mut grows = true;
            while std::mem::take(&mut grows) {
                for (head, body) in &open {
                    let at = place[head];
                    let reached = |literal: &LaneLiteral| {
                        !literal.is_positive()
                            || self.known[literal.place()].is_some()
                            || place.get(&(literal.place() as u32)).is_none_or(|member| possible[*member])
                    };
                    let founded = match body {
                        LaneBody::All(range) => range.of(&self.whole.literals).iter().all(reached),
                        _ => true,
                    };
                    if founded && !possible[at] {
                        possible[at] = true;
                        grows = true;
                    }
                }
            }
            let unfounded = members.iter().filter(|atom| !possible[place[*atom]]);
            let unfounded = unfounded.filter(|atom| self.known[**atom as usize].is_none());
            found.extend(unfounded.map(|atom| (*atom, false)));
        }
        for (atom, value) in &found {
            self.known[*atom as usize] = Some(*value);
            if step.negative {
                self.known[step.assumed as usize + place[atom]] = Some(*value);
            }
        }
        !found.is_empty()
    }

    /// The evaluator with its words close together.
    fn numbered(self, kept: &[u32]) -> FoldedEvaluator {
        let Folding { known, steps, mut wiring, seconds, .. } = self;
        let atoms = wiring.atoms;
        let mut stays = vec![false; atoms];
        stays[VIOLATION as usize] = true;
        kept.iter().filter(|atom| known[**atom as usize].is_none()).for_each(|a| stays[*a as usize] = true);
        let literals =
            wiring.literals.iter().chain(wiring.sums.iter().flat_map(|s| s.literals.iter().map(|(l, _)| l)));
        literals
            .map(|literal| literal.place())
            .filter(|place| *place < atoms)
            .for_each(|place| stays[place] = true);
        wiring.rules.iter().for_each(|rule| stays[rule.head as usize] = true);
        wiring.members.iter().for_each(|atom| stays[*atom as usize] = true);
        let mut settled: Vec<Settled> = Vec::with_capacity(atoms);
        let mut count = 0;
        for (atom, stays) in stays.iter().enumerate() {
            settled.push(match known[atom] {
                Some(value) => Settled::Is(value),
                None if *stays => Settled::Open(count),
                None => Settled::Is(false),
            });
            // The place of what a violated constraint makes true stays, though it be known.
            count += u32::from(*stays && (known[atom].is_none() || atom as u32 == VIOLATION));
        }
        let place = |old: u32| match settled.get(old as usize) {
            Some(Settled::Open(new)) => *new,
            Some(Settled::Is(_)) => VIOLATION,
            None => count + seconds[old as usize - atoms],
        };
        let renumber = |literal: &mut LaneLiteral| {
            *literal = LaneLiteral::new(place(literal.place() as u32), literal.is_positive());
        };
        wiring.literals.iter_mut().for_each(renumber);
        wiring.sums.iter_mut().flat_map(|sum| &mut sum.literals).for_each(|(literal, _)| renumber(literal));
        wiring.rules.iter_mut().for_each(|rule| rule.head = place(rule.head));
        wiring.members.iter_mut().for_each(|atom| *atom = place(*atom));
        wiring.assumed.iter_mut().for_each(|atom| *atom = place(*atom));
        wiring.atoms = count as usize;
        let steps = steps.into_iter().map(|step| match step {
            LaneStep::Atom(atom, rules) => LaneStep::Atom(place(atom), rules),
            LaneStep::Sum(_) | LaneStep::Rivals(_) | LaneStep::Loop(_) => step,
        });
        let mut steps: Vec<LaneStep> = steps.collect();
        wiring.rivals.iter_mut().flatten().for_each(|rival| rival.atom = place(rival.atom));
        wiring.loops.iter_mut().for_each(|step| step.assumed = step.assumed - atoms as u32 + count);
        if known[VIOLATION as usize] == Some(true) {
            let from = wiring.rules.len() as u32;
            wiring.rules.push(LaneRule { head: VIOLATION, body: nothing() });
            steps.push(LaneStep::Atom(VIOLATION, IndexRange { from, to: from + 1 }));
        }
        // Kept for long, so without room to grow.
        let wiring = LaneWiring {
            rules: wiring.rules.as_slice().into(),
            literals: wiring.literals.as_slice().into(),
            sums: wiring.sums.into_iter().collect::<Box<[_]>>().into(),
            ..wiring
        };
        FoldedEvaluator { evaluator: LaneEvaluator { steps, wiring: Arc::new(wiring) }, settled }
    }
}

/// A body that always holds.
fn nothing() -> LaneBody {
    LaneBody::All(IndexRange { from: 0, to: 0 })
}
