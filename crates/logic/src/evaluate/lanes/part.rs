//! An evaluator to the part of it that some atoms need.

use super::{IndexRange, LaneBody, LaneEvaluator, LaneStep};
use crate::evaluate::definitions::VIOLATION;

impl LaneEvaluator {
    /// The evaluator that works out these atoms, and whether constraints are violated, and what that needs. Its words
    /// stand where those of the whole do.
    pub fn part(&self, targets: &[u32]) -> LaneEvaluator {
        let mut needs = Needs {
            whole: self,
            words: vec![false; self.wiring.atoms + self.wiring.assumed.len()],
            sums: vec![false; self.wiring.sums.len()],
        };
        needs.words[VIOLATION as usize] = true;
        targets.iter().for_each(|atom| needs.words[*atom as usize] = true);
        let mut steps: Vec<LaneStep> =
            self.steps.iter().rev().copied().filter(|step| needs.takes(step)).collect();
        steps.reverse();
        // Kept for long, so without room to grow.
        LaneEvaluator { steps: steps.as_slice().into(), wiring: self.wiring.clone() }
    }
}

/// What the steps that are taken read, from the last step to the first.
struct Needs<'e> {
    whole: &'e LaneEvaluator,
    words: Vec<bool>,
    sums: Vec<bool>,
}

impl Needs<'_> {
    /// Is the step needed by one after it? Then it needs what it reads.
    fn takes(&mut self, step: &LaneStep) -> bool {
        match step {
            LaneStep::Atom(atom, rules) => {
                let needed = self.words[*atom as usize];
                if needed {
                    self.rules(*rules);
                }
                needed
            }
            LaneStep::Sum(sum) => {
                let needed = self.sums[*sum as usize];
                if needed {
                    self.sum(*sum);
                }
                needed
            }
            LaneStep::Rivals(rivals) => {
                let rivals = &self.whole.wiring.rivals[*rivals as usize];
                let needed = rivals.iter().any(|rival| self.words[rival.atom as usize]);
                if needed {
                    rivals
                        .iter()
                        .flat_map(|rival| [rival.own, rival.default])
                        .for_each(|rules| self.rules(rules));
                }
                needed
            }
            LaneStep::Loop(step) => {
                let step = &self.whole.wiring.loops[*step as usize];
                let members = step.members.of(&self.whole.wiring.members);
                let needed = members.iter().any(|atom| self.words[*atom as usize]);
                if needed {
                    self.rules(step.rules);
                }
                needed
            }
        }
    }

    fn rules(&mut self, rules: IndexRange) {
        let whole = self.whole;
        for rule in rules.of(&whole.wiring.rules) {
            match rule.body {
                LaneBody::All(literals) => {
                    for literal in literals.of(&whole.wiring.literals) {
                        self.words[literal.place()] = true;
                    }
                }
                LaneBody::AtLeast { sum, .. } => self.sums[sum as usize] = true,
                LaneBody::Sum { sum, .. } => self.sum(sum),
            }
        }
    }

    fn sum(&mut self, sum: u32) {
        for (literal, _) in &self.whole.wiring.sums[sum as usize].literals {
            self.words[literal.place()] = true;
        }
    }
}
