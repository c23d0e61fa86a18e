//! Atoms that depend on each other to their well-founded model, in all lanes at once.

use super::{IndexRange, LaneEvaluator, LaneValues, LoopStep, Rival, Word};

impl LaneEvaluator {
    /// Settles two rivals, and says where each would hold by default, so that neither is decided.
    ///
    /// With a rule of its own a rival holds, and the other one's defaults do not. Without one, it holds by default unless
    /// the other holds or could hold by default as well.
    pub(super) fn compare<const L: usize>(
        &self,
        [one, other]: &[Rival; 2],
        values: &mut LaneValues<L>,
    ) -> Word<L> {
        let (own, default) = (self.any(one.own, values), self.any(one.default, values));
        let (others_own, others_default) = (self.any(other.own, values), self.any(other.default, values));
        values.now[one.atom as usize] = own | (default & !(others_own | others_default));
        values.now[other.atom as usize] = others_own | (others_default & !(own | default));
        default & others_default & !(own | others_own)
    }

    /// Settles the members of a loop, and says where some remain undecided; everything else that they depend on is
    /// settled.
    pub(super) fn settle<const L: usize>(&self, step: LoopStep, values: &mut LaneValues<L>) -> Word<L> {
        let members = step.members.of(&self.wiring.members);
        members.iter().for_each(|atom| values.now[*atom as usize] = Word::NONE);
        if step.negative {
            return self.alternate(step, members, values);
        }
        self.close(step.rules, values);
        Word::NONE
    }

    /// The least fixpoint of rules over each other.
    fn close<const L: usize>(&self, rules: IndexRange, values: &mut LaneValues<L>) {
        loop {
            let mut changed = Word::NONE;
            for rule in rules.of(&self.wiring.rules) {
                let before = values.now[rule.head as usize];
                let now = before | self.body(rule.body, values);
                values.now[rule.head as usize] = now;
                changed = changed | (before ^ now);
            }
            if changed.is_none() {
                return;
            }
        }
    }

    /// The well-founded model of a loop through negation, by alternating fixpoints (Van Gelder 1989).
    fn alternate<const L: usize>(
        &self,
        step: LoopStep,
        members: &[u32],
        values: &mut LaneValues<L>,
    ) -> Word<L> {
        let assumed = step.assumed as usize;
        values.now[assumed..assumed + members.len()].fill(Word::NONE);
        let mut certain = vec![Word::NONE; members.len()];
        loop {
            // Assuming only what is certain, the closure holds all that is possible; and the other way round.
            let possible = self.assume_next(step, members, values);
            let next = self.assume_next(step, members, values);
            let differ = |some: &[Word<L>], others: &[Word<L>]| {
                let pairs = some.iter().zip(others);
                pairs.fold(Word::NONE, |any, (one, other)| any | (*one ^ *other))
            };
            let open = differ(&next, &possible);
            if (open & differ(&next, &certain)).is_none() {
                return open;
            }
            certain = next;
        }
    }

    /// Closes the rules over members that are false, and has negated members read what came out.
    fn assume_next<const L: usize>(
        &self,
        step: LoopStep,
        members: &[u32],
        values: &mut LaneValues<L>,
    ) -> Vec<Word<L>> {
        members.iter().for_each(|atom| values.now[*atom as usize] = Word::NONE);
        if step.positive {
            self.close(step.rules, values);
        } else {
            for rule in step.rules.of(&self.wiring.rules) {
                let body = self.body(rule.body, values);
                values.now[rule.head as usize] = values.now[rule.head as usize] | body;
            }
        }
        let found: Vec<Word<L>> = members.iter().map(|atom| values.now[*atom as usize]).collect();
        let assumed = step.assumed as usize;
        values.now[assumed..assumed + members.len()].copy_from_slice(&found);
        found
    }
}
