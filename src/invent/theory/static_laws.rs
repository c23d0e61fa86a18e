//! A theory to static laws over it, and to an action that reads each of them.

use crate::invent::theory::conditions::{about, about_the_world, between, is_said};
use crate::invent::theory::mechanisms::Builder;
use crate::invent::theory::parts::{
    Action, ConditionSubject, InventedLaw, KindNumber, LawCase, LawKind, Static, StaticShape, TheoryCondition,
};

impl Builder<'_> {
    /// Adds static laws, and has an action read each of them; false where the theory has no room for such a law.
    pub(super) fn laws(&mut self, kind: LawKind) -> bool {
        match kind {
            LawKind::None => true,
            LawKind::Simple => self.simple_law() && self.use_law(),
            LawKind::Chain => self.simple_law() && self.chained_law() && self.use_law(),
            LawKind::Recursive => self.recursive_law() && self.use_law(),
        }
    }

    /// Two conditions about one thing, or about it and another.
    fn simple_law(&mut self) -> bool {
        let kind = self.drawing.one_of(self.theory.kinds);
        let mut all: Vec<LawCase> = Vec::new();
        let own = about(&self.theory, &[kind], 0);
        let of_world = about_the_world(&self.theory);
        for (number, first) in own.iter().enumerate() {
            for second in own[number + 1..].iter().chain(&of_world) {
                if !is_said(std::slice::from_ref(first), second) {
                    all.push(LawCase { others: Vec::new(), when: vec![first.clone(), second.clone()] });
                }
            }
        }
        let alone = all.len();
        for other in 0..self.theory.kinds {
            for tie in between(&self.theory, &[kind, other], 0, 1) {
                for more in about(&self.theory, &[kind, other], 1) {
                    all.push(LawCase { others: vec![other], when: vec![tie.clone(), more] });
                }
            }
        }
        let (single, paired) = all.split_at(alone);
        let lists: Vec<&[LawCase]> = [single, paired].into_iter().filter(|list| !list.is_empty()).collect();
        let Some(list) = self.drawing.pick(&lists) else { return false };
        let case = list[self.drawing.one_of(list.len())].clone();
        self.theory.laws.push(InventedLaw { kind, cases: vec![case] });
        true
    }

    /// A law that reads the law before it.
    fn chained_law(&mut self) -> bool {
        let law = self.theory.laws.len() - 1;
        let read = self.theory.laws[law].kind;
        let mut all: Vec<(KindNumber, LawCase)> = Vec::new();
        for positive in [true, false] {
            let is = |of| TheoryCondition::Is { positive, what: ConditionSubject::Law(law), of: vec![of] };
            for more in about(&self.theory, &[read], 0).into_iter().chain(about_the_world(&self.theory)) {
                if !is_said(&[is(0)], &more) {
                    all.push((read, LawCase { others: Vec::new(), when: vec![is(0), more] }));
                }
            }
            for kind in (0..self.theory.kinds).filter(|kind| *kind != read) {
                for tie in between(&self.theory, &[kind, read], 0, 1) {
                    all.push((kind, LawCase { others: vec![read], when: vec![tie, is(1)] }));
                }
            }
        }
        if all.is_empty() {
            return false;
        }
        let (kind, case) = all[self.drawing.one_of(all.len())].clone();
        self.theory.laws.push(InventedLaw { kind, cases: vec![case] });
        true
    }

    /// A law that spreads along ways, stacks or ties.
    fn recursive_law(&mut self) -> bool {
        let law = self.theory.laws.len();
        let mut roads: Vec<(KindNumber, TheoryCondition)> = Vec::new();
        for kind in 0..self.theory.kinds {
            for tie in between(&self.theory, &[kind, kind], 0, 1) {
                let spreads = match &tie {
                    TheoryCondition::Static { relation, .. } => {
                        self.theory.statics[*relation].shape.is_ways()
                    }
                    TheoryCondition::Is { .. } => true,
                    _ => false,
                };
                if spreads {
                    roads.push((kind, tie));
                }
            }
        }
        if roads.is_empty() {
            // Things that are in no such relation get one that stays.
            let has = |kind: &KindNumber| !about(&self.theory, &[*kind], 0).is_empty();
            let kinds: Vec<KindNumber> = (0..self.theory.kinds).filter(has).collect();
            let Some(kind) = self.drawing.pick(&kinds) else { return false };
            let shape = self
                .drawing
                .pick(&[StaticShape::Graph, StaticShape::Tree, StaticShape::Ring])
                .unwrap_or(StaticShape::Graph);
            self.theory.statics.push(Static { shape, kinds: [kind, kind] });
            let relation = self.theory.statics.len() - 1;
            roads.push((kind, TheoryCondition::Static { relation, of: [1, 0] }));
        }
        let (kind, road) = roads[self.drawing.one_of(roads.len())].clone();
        let bases = about(&self.theory, &[kind], 0);
        if bases.is_empty() {
            return false;
        }
        let base = bases[self.drawing.one_of(bases.len())].clone();
        let spread = TheoryCondition::Is { positive: true, what: ConditionSubject::Law(law), of: vec![1] };
        let mut step = vec![road, spread];
        let gates: Vec<TheoryCondition> = about(&self.theory, &[kind, kind], 0)
            .into_iter()
            .chain(about_the_world(&self.theory))
            .filter(|gate| !is_said(std::slice::from_ref(&base), gate))
            .collect();
        if !gates.is_empty() && self.drawing.chance(1, 2) {
            step.push(gates[self.drawing.one_of(gates.len())].clone());
        }
        let first = LawCase { others: Vec::new(), when: vec![base] };
        self.theory
            .laws
            .push(InventedLaw { kind, cases: vec![first, LawCase { others: vec![kind], when: step }] });
        true
    }

    /// Has an action require what the last law defines, or its absence.
    fn use_law(&mut self) -> bool {
        let law = self.theory.laws.len() - 1;
        let kind = self.theory.laws[law].kind;
        let mut all: Vec<(usize, TheoryCondition)> = Vec::new();
        let open = |action: &Action| action.added < 1 || action.own == 1 && action.added < 2;
        for (number, action) in self.theory.actions.iter().enumerate().filter(|(_, action)| open(action)) {
            for of in (0..action.params.len()).filter(|of| action.params[*of] == kind) {
                for positive in [true, false] {
                    let condition =
                        TheoryCondition::Is { positive, what: ConditionSubject::Law(law), of: vec![of] };
                    all.push((number, condition));
                }
            }
        }
        if all.is_empty() {
            return false;
        }
        let (action, condition) = all[self.drawing.one_of(all.len())].clone();
        self.theory.actions[action].added += 1;
        self.theory.actions[action].requires.push(condition);
        true
    }
}
