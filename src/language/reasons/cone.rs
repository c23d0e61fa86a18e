//! Ground rules and what is known of their inputs to what is certain then, and what is possible.
//!
//! Only the rules that some goals depend on are read: their cone. Of the inputs some may be unknown. What follows
//! however they are is certain, and what follows in no case is impossible (the well-founded model, found by closing the
//! rules in turn under what is certain and what is possible). So a goal that is certain or impossible needs no input
//! beyond those that are known.

use racgen_logic::ground::{GroundProgram, Literal};
use rustc_hash::FxHashMap as HashMap;

/// A literal of a rule, and what it weighs there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighted {
    /// The atom's place in the cone.
    pub(crate) atom: usize,
    pub(crate) positive: bool,
    pub(crate) weight: i64,
}

/// A rule of the cone.
#[derive(Clone, Debug)]
pub(crate) struct ConeRule {
    head: usize,
    /// May the head be false although the body is true?
    pub(crate) optional: bool,
    /// What the weights of the true literals must sum to.
    pub(crate) bound: i64,
    pub(crate) body: Vec<Weighted>,
}

/// What each atom of a cone is known to be, by place.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) certain: Vec<bool>,
    pub(crate) possible: Vec<bool>,
}

impl Known {
    /// Is the atom's value known?
    pub(crate) fn settles(&self, atom: usize) -> bool {
        self.certain[atom] == self.possible[atom]
    }
}

/// The rules that define each atom of a program.
#[derive(Debug, Default)]
pub(crate) struct DefiningRules {
    program: GroundProgram,
    of: HashMap<u32, Vec<usize>>,
}

impl DefiningRules {
    pub(crate) fn new(program: GroundProgram) -> DefiningRules {
        let mut of: HashMap<u32, Vec<usize>> = HashMap::default();
        for (number, rule) in program.rules.iter().enumerate() {
            rule.head.iter().for_each(|head| of.entry(*head).or_default().push(number));
        }
        DefiningRules { program, of }
    }
}

/// The rules that goals depend on.
#[derive(Debug, Default)]
pub(crate) struct Cone {
    /// By place, the atom's number in the program.
    pub(crate) atoms: Vec<u32>,
    places: HashMap<u32, usize>,
    pub(crate) rules: Vec<ConeRule>,
    /// By place, the rules that define the atom; none for inputs.
    pub(crate) of: Vec<Vec<usize>>,
    /// By place, the rules that read the atom: the rule, and the place in its body.
    readers: Vec<Vec<(usize, usize)>>,
}

impl Cone {
    /// The cone of some atoms, as far as the inputs.
    pub(crate) fn new(all: &DefiningRules, goals: &[u32], is_input: impl Fn(u32) -> bool) -> Cone {
        let mut cone = Cone::default();
        for goal in goals {
            cone.place(*goal);
        }
        let mut next = 0;
        while let Some(atom) = cone.atoms.get(next).copied() {
            let defining = all.of.get(&atom).filter(|_| !is_input(atom));
            for rule in defining.into_iter().flatten().map(|number| &all.program.rules[*number]) {
                let weighted = |(literal, weight): (Literal, i32), cone: &mut Cone| Weighted {
                    atom: cone.place(literal.atom()),
                    positive: literal.positive(),
                    weight: weight.into(),
                };
                let body: Vec<Weighted> = rule.body.weighted().map(|l| weighted(l, &mut cone)).collect();
                let number = cone.rules.len();
                for (place, literal) in body.iter().enumerate() {
                    cone.readers[literal.atom].push((number, place));
                }
                cone.of[next].push(number);
                let optional = rule.choice || rule.head.len() > 1;
                cone.rules.push(ConeRule { head: next, optional, bound: rule.body.bound().into(), body });
            }
            next += 1;
        }
        cone
    }

    /// The place of an atom.
    pub(crate) fn place(&mut self, atom: u32) -> usize {
        if let Some(known) = self.places.get(&atom) {
            return *known;
        }
        let place = self.atoms.len();
        self.places.insert(atom, place);
        self.atoms.push(atom);
        self.of.push(Vec::new());
        self.readers.push(Vec::new());
        place
    }

    /// What follows from inputs, of which those without a value are unknown.
    pub(crate) fn known(&self, given: &[Option<bool>]) -> Known {
        let mut certain = vec![false; self.atoms.len()];
        loop {
            let possible = self.closure(true, |atom| given[atom] != Some(false), &certain);
            let next = self.closure(false, |atom| given[atom] == Some(true), &possible);
            if next == certain {
                return Known { certain, possible };
            }
            certain = next;
        }
    }

    /// The least set that has the inputs that are given and the heads of rules whose bodies it makes true, where a
    /// negated atom counts as true unless it is among the others.
    fn closure(&self, optional: bool, given: impl Fn(usize) -> bool, others: &[bool]) -> Vec<bool> {
        let mut found = vec![false; self.atoms.len()];
        let mut open: Vec<usize> =
            (0..self.atoms.len()).filter(|atom| self.of[*atom].is_empty() && given(*atom)).collect();
        let mut missing: Vec<i64> = Vec::with_capacity(self.rules.len());
        for rule in &self.rules {
            let absent = rule.body.iter().filter(|l| !l.positive && !others[l.atom]);
            missing.push(rule.bound - absent.map(|l| l.weight).sum::<i64>());
            if missing[missing.len() - 1] <= 0 && (optional || !rule.optional) {
                open.push(rule.head);
            }
        }
        while let Some(atom) = open.pop() {
            if std::mem::replace(&mut found[atom], true) {
                continue;
            }
            for (number, place) in &self.readers[atom] {
                let rule = &self.rules[*number];
                if rule.body[*place].positive {
                    let before = missing[*number];
                    missing[*number] -= rule.body[*place].weight;
                    if before > 0 && missing[*number] <= 0 && (optional || !rule.optional) {
                        open.push(rule.head);
                    }
                }
            }
        }
        found
    }
}
