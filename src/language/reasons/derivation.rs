//! A cone of rules whose atoms are all known to a derivation of its goals that needs few inputs.
//!
//! A true atom is derived by one rule whose body is true, a false one by a false literal of each of its rules. Which
//! rule and which literal is decided by what they cost: the sum of what the inputs below them cost, as if no two needed
//! the same one. That is not always the cheapest derivation, but no input is needed that the derivation does not use.

use crate::language::reasons::cone::{Cone, ConeRule, Weighted};

/// What no derivation costs.
const ENDLESS: u64 = 1 << 40;
/// How often the costs are worked out anew, each time from those before, unless they settle earlier.
const MOST_SWEEPS: usize = 100;

/// The atoms of a cone as they are, and what it costs to derive each of them.
pub(crate) struct Derivation<'c> {
    cone: &'c Cone,
    truth: &'c [bool],
    costs: Vec<u64>,
}

impl Derivation<'_> {
    /// Works out what everything costs. `input` says what an input costs; none where an atom is no input.
    pub(crate) fn new<'c>(
        cone: &'c Cone,
        truth: &'c [bool],
        input: impl Fn(usize) -> Option<u64>,
    ) -> Derivation<'c> {
        let inputs: Vec<Option<u64>> = (0..cone.atoms.len()).map(input).collect();
        // What is true needs a derivation that ends; what is false may rest on what is false for the same reason.
        let first = |atom: usize| inputs[atom].unwrap_or(if truth[atom] { ENDLESS } else { 0 });
        let costs = (0..cone.atoms.len()).map(first).collect();
        let mut found = Derivation { cone, truth, costs };
        for _ in 0..MOST_SWEEPS {
            let mut changed = false;
            for atom in (0..cone.atoms.len()).rev().filter(|atom| inputs[*atom].is_none()) {
                let cost = found.chosen(atom).1.min(ENDLESS);
                changed |= std::mem::replace(&mut found.costs[atom], cost) != cost;
            }
            if !changed {
                break;
            }
        }
        found
    }

    /// The atoms that a derivation of the goals uses.
    pub(crate) fn uses(&self, goals: &[usize]) -> Vec<usize> {
        let mut seen = vec![false; self.truth.len()];
        let mut used = Vec::new();
        let mut open: Vec<usize> = goals.to_vec();
        while let Some(atom) = open.pop() {
            if !std::mem::replace(&mut seen[atom], true) {
                used.push(atom);
                open.extend(self.chosen(atom).0);
            }
        }
        used
    }

    /// What is true of the bodies that fail, of all rules that a derivation of the goals looks at: the atoms that it is
    /// derived from. Of a false answer, they tell what is the case instead.
    pub(crate) fn near(&self, goals: &[usize]) -> Vec<usize> {
        let failed = self.uses(goals).into_iter().filter(|atom| !self.truth[*atom]);
        let bodies = failed.flat_map(|atom| &self.cone.of[atom]).map(|rule| &self.cone.rules[*rule].body);
        let literals = bodies.flatten().filter(|literal| literal.positive && self.truth[literal.atom]);
        self.uses(&literals.map(|literal| literal.atom).collect::<Vec<_>>())
    }

    /// The atoms that an atom is derived from, and what that costs.
    fn chosen(&self, atom: usize) -> (Vec<usize>, u64) {
        let rules = self.cone.of[atom].iter().map(|number| &self.cone.rules[*number]);
        if self.truth[atom] {
            let ways = rules.filter(|rule| !rule.optional).filter_map(|rule| self.bound_reached(rule));
            return ways.min_by_key(|(_, cost)| *cost).unwrap_or((Vec::new(), ENDLESS));
        }
        let mut all = (Vec::new(), 1);
        for (atoms, cost) in rules.map(|rule| self.bound_missed(rule)) {
            all.0.extend(atoms);
            all.1 += cost;
        }
        all
    }

    /// The cheapest true literals that make a body true.
    fn bound_reached(&self, rule: &ConeRule) -> Option<(Vec<usize>, u64)> {
        self.cheapest(rule, true, rule.bound)
    }

    /// The cheapest false literals that make a body false.
    fn bound_missed(&self, rule: &ConeRule) -> (Vec<usize>, u64) {
        let most: i64 = rule.body.iter().map(|l| l.weight).sum();
        self.cheapest(rule, false, most - rule.bound + 1).unwrap_or((Vec::new(), ENDLESS))
    }

    /// The cheapest of a body's literals with this value whose weights sum to the bound.
    fn cheapest(&self, rule: &ConeRule, value: bool, bound: i64) -> Option<(Vec<usize>, u64)> {
        let has = |l: &&Weighted| (self.truth[l.atom] == l.positive) == value;
        let mut all: Vec<&Weighted> = rule.body.iter().filter(has).collect();
        all.sort_by_key(|l| self.costs[l.atom]);
        let (mut atoms, mut cost, mut sum) = (Vec::new(), 1, 0);
        for literal in all {
            if sum >= bound {
                break;
            }
            atoms.push(literal.atom);
            cost += self.costs[literal.atom];
            sum += literal.weight;
        }
        (sum >= bound).then_some((atoms, cost))
    }
}
