//! Atoms that depend on each other to their well-founded model.

use super::{BatchEvaluator, BatchValues, CompiledBody, CompiledRule, LoopStep};
use crate::evaluate::Unsupported;
use crate::ground::Literal;

/// Is the literal true, where negated atoms are read from what is fixed?
#[inline]
fn holds(literal: Literal, values: &BatchValues) -> bool {
    if literal.positive() { values.now.get(literal.atom()) } else { !values.fixed.get(literal.atom()) }
}

impl BatchEvaluator {
    /// Settles the members of a loop; everything else that they depend on is settled.
    pub(super) fn settle(&self, step: LoopStep, values: &mut BatchValues) -> Result<(), Unsupported> {
        let members = step.members.of(&self.members);
        let rules = step.rules.of(&self.rules);
        members.iter().for_each(|atom| values.set(*atom, false));
        if step.negative {
            return self.alternate(members, rules, values);
        }
        self.close(rules, values);
        members.iter().for_each(|atom| values.fixed.set(*atom, values.now.get(*atom)));
        Ok(())
    }

    /// The least fixpoint of rules over each other, with negated atoms fixed.
    fn close(&self, rules: &[CompiledRule], values: &mut BatchValues) {
        loop {
            let mut changed = false;
            for rule in rules {
                if !values.now.get(rule.head) && self.fires(rule.body, values) {
                    values.now.set(rule.head, true);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn fires(&self, body: CompiledBody, values: &BatchValues) -> bool {
        match body {
            CompiledBody::All(literals) => literals.of(&self.literals).iter().all(|l| holds(*l, values)),
            CompiledBody::AtLeast { sum, bound } => self.sum(sum, |l| holds(l, values)) >= i64::from(bound),
        }
    }

    /// The well-founded model of a loop through negation, by alternating fixpoints (Van Gelder 1989).
    /// All members are false on entry.
    fn alternate(
        &self,
        members: &[u32],
        rules: &[CompiledRule],
        values: &mut BatchValues,
    ) -> Result<(), Unsupported> {
        let mut certain = vec![false; members.len()];
        loop {
            // Assuming only what is certain, the closure holds all that is possible; and the other way round.
            let possible = self.assumed_next(members, rules, values);
            members.iter().for_each(|atom| values.now.set(*atom, false));
            let next = self.assumed_next(members, rules, values);
            if next == possible {
                return Ok(());
            }
            if next == certain {
                return Err(Unsupported::Undecided);
            }
            members.iter().for_each(|atom| values.now.set(*atom, false));
            certain = next;
        }
    }

    /// Closes the rules over members that are false, and fixes what came out.
    fn assumed_next(&self, members: &[u32], rules: &[CompiledRule], values: &mut BatchValues) -> Vec<bool> {
        self.close(rules, values);
        members.iter().for_each(|atom| values.fixed.set(*atom, values.now.get(*atom)));
        members.iter().map(|atom| values.now.get(*atom)).collect()
    }
}
