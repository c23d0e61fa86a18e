//! Mechanisms side by side to a theory in which they depend on each other: conditions, side effects and laws.

use crate::invent::theory::drawing::GrammarDrawing;
use crate::invent::theory::mechanisms::Builder;
use crate::invent::theory::parts::{
    Action, ActionForm, ConditionSubject, Effect, FluentChange, FluentKind, InventedLaw, InventedTheory,
    KindNumber, LawCase, LawKind, Static, StaticShape, TheoryCondition, TheoryMechanism, Variable,
};

/// The most parameters of an action.
const MOST_PARAMS: usize = 4;

/// Conditions about one thing alone.
fn about(theory: &InventedTheory, kinds: &[KindNumber], of: Variable) -> Vec<TheoryCondition> {
    let mut all = Vec::new();
    for (fluent, known) in theory.fluents.iter().enumerate() {
        match known.kind {
            FluentKind::State if known.kinds[0] == kinds[of] => {
                for positive in [true, false] {
                    all.push(TheoryCondition::Is {
                        positive,
                        what: ConditionSubject::Fluent(fluent),
                        of: vec![of],
                    });
                }
            }
            FluentKind::Has(most) if known.kinds[0] == kinds[of] => {
                all.extend((1..=most).map(|bound| TheoryCondition::Number {
                    fluent,
                    of,
                    at_least: true,
                    bound,
                }));
                all.extend((0..most).map(|bound| TheoryCondition::Number {
                    fluent,
                    of,
                    at_least: false,
                    bound,
                }));
            }
            FluentKind::State | FluentKind::Has(_) => {}
            kind => {
                for open in [0, 1].into_iter().filter(|open| known.kinds[1 - open] == kinds[of]) {
                    // Whatever moves is always somewhere.
                    if kind == FluentKind::At && open == 1 {
                        continue;
                    }
                    for positive in [true, false] {
                        all.push(TheoryCondition::Any { positive, fluent, open, of });
                    }
                }
            }
        }
    }
    for kind in (0..theory.kinds).filter(|kind| theory.is_located(*kind) && theory.is_located(kinds[of])) {
        // Things that never move are always with the same ones.
        if theory.position(kind).is_some() || theory.position(kinds[of]).is_some() {
            all.extend([true, false].map(|positive| TheoryCondition::Company { positive, kind, of }));
        }
    }
    for law in (0..theory.laws.len()).filter(|law| theory.laws[*law].kind == kinds[of]) {
        for positive in [true, false] {
            all.push(TheoryCondition::Is { positive, what: ConditionSubject::Law(law), of: vec![of] });
        }
    }
    all
}

/// True conditions that tie two things to each other.
fn between(
    theory: &InventedTheory,
    kinds: &[KindNumber],
    one: Variable,
    other: Variable,
) -> Vec<TheoryCondition> {
    let mut all = Vec::new();
    for (fluent, known) in theory.fluents.iter().enumerate().filter(|(_, known)| known.kinds.len() == 2) {
        let what = ConditionSubject::Fluent(fluent);
        if known.kinds == [kinds[one], kinds[other]] {
            all.push(TheoryCondition::Is { positive: true, what, of: vec![one, other] });
        }
        if known.kinds == [kinds[other], kinds[one]] {
            all.push(TheoryCondition::Is { positive: true, what, of: vec![other, one] });
        }
    }
    for (relation, known) in theory.statics.iter().enumerate() {
        if known.kinds == [kinds[one], kinds[other]] {
            all.push(TheoryCondition::Static { relation, of: [one, other] });
        } else if known.kinds == [kinds[other], kinds[one]] {
            all.push(TheoryCondition::Static { relation, of: [other, one] });
        }
    }
    let [first, second] = [one, other].map(|v| kinds[v]);
    let moves = theory.position(first).is_some() || theory.position(second).is_some();
    if moves && theory.is_located(first) && theory.is_located(second) {
        all.push(TheoryCondition::SamePlace(one, other));
    }
    all
}

/// The mechanisms of the fluents that a condition reads, those of laws included.
pub(super) fn mechanisms_read(
    theory: &InventedTheory,
    condition: &TheoryCondition,
    kinds: &[KindNumber],
) -> Vec<TheoryMechanism> {
    let mut found = Vec::new();
    for subject in condition.reads(theory, kinds) {
        match subject {
            ConditionSubject::Fluent(fluent) => found.push(theory.fluents[fluent].mechanism),
            ConditionSubject::Law(law) => found.extend(mechanisms_of_law(theory, law)),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The mechanisms of the fluents that a law reads.
pub(crate) fn mechanisms_of_law(theory: &InventedTheory, law: usize) -> Vec<TheoryMechanism> {
    let mut found = Vec::new();
    for case in &theory.laws[law].cases {
        let kinds: Vec<KindNumber> = [theory.laws[law].kind].iter().chain(&case.others).copied().collect();
        for condition in &case.when {
            let itself = matches!(condition, TheoryCondition::Is { what: ConditionSubject::Law(own), .. } if *own >= law);
            if !itself {
                found.extend(mechanisms_read(theory, condition, &kinds));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Is one of them that condition, or its opposite?
fn is_said(all: &[TheoryCondition], condition: &TheoryCondition) -> bool {
    let same = |known: &TheoryCondition| match (known, condition) {
        (TheoryCondition::Is { what, of, .. }, TheoryCondition::Is { what: other, of: these, .. }) => {
            what == other && of == these
        }
        (
            TheoryCondition::Any { fluent, open, of, .. },
            TheoryCondition::Any { fluent: other, open: opened, of: these, .. },
        ) => fluent == other && open == opened && of == these,
        (
            TheoryCondition::Company { kind, of, .. },
            TheoryCondition::Company { kind: other, of: these, .. },
        ) => kind == other && of == these,
        (
            TheoryCondition::Number { fluent, of, .. },
            TheoryCondition::Number { fluent: other, of: these, .. },
        ) => fluent == other && of == these,
        (known, condition) => known == condition,
    };
    all.iter().any(same)
}

/// A thing to be spoken of besides, and what is said of it.
#[derive(Clone)]
struct Guest {
    kind: Option<KindNumber>,
    when: Vec<TheoryCondition>,
}

impl Builder<'_> {
    /// Makes an action require something of another mechanism; false where nothing fits.
    pub(super) fn require(&mut self, action: usize, of: TheoryMechanism) -> bool {
        let theory = &self.theory;
        let known = &theory.actions[action];
        if known.added > 0 && known.own > 1 || known.added > 1 {
            return false;
        }
        let params = known.params.clone();
        let fits = |condition: &TheoryCondition, kinds: &[KindNumber]| {
            mechanisms_read(theory, condition, kinds).contains(&of) && !is_said(&known.requires, condition)
        };
        let mut plain: Vec<Guest> = Vec::new();
        for variable in 0..params.len() {
            let said = about(theory, &params, variable).into_iter().filter(|c| fits(c, &params));
            plain.extend(said.map(|condition| Guest { kind: None, when: vec![condition] }));
        }
        let mut guests: Vec<Guest> = Vec::new();
        if params.len() < MOST_PARAMS && known.own == 1 && params.len() == 1 {
            for kind in 0..theory.kinds {
                let kinds: Vec<KindNumber> = params.iter().copied().chain([kind]).collect();
                let guest = params.len();
                for variable in 0..params.len() {
                    for tie in between(theory, &kinds, variable, guest) {
                        if fits(&tie, &kinds) {
                            guests.push(Guest { kind: Some(kind), when: vec![tie.clone()] });
                        }
                        for more in about(theory, &kinds, guest).into_iter().filter(|c| fits(c, &kinds)) {
                            guests.push(Guest { kind: Some(kind), when: vec![tie.clone(), more] });
                        }
                    }
                }
            }
        }
        let lists = [plain, guests].into_iter().filter(|list| !list.is_empty()).collect::<Vec<_>>();
        if lists.is_empty() {
            return false;
        }
        let list = &lists[self.drawing.one_of(lists.len())];
        let chosen = list[self.drawing.one_of(list.len())].clone();
        let action = &mut self.theory.actions[action];
        if chosen.kind.is_some() {
            // Things that effects speak of besides come after all parameters.
            let guest = action.params.len();
            action.effects.iter_mut().for_each(|effect| effect.make_room(guest));
        }
        action.added += 1;
        action.params.extend(chosen.kind);
        action.requires.extend(chosen.when);
        true
    }

    /// Gives an action a side effect on a fluent of another mechanism; false where nothing fits.
    pub(super) fn affect(&mut self, action: usize, on: TheoryMechanism) -> bool {
        let theory = &self.theory;
        let known = &theory.actions[action];
        let params = known.params.clone();
        let mut all: Vec<Effect> = Vec::new();
        for variable in 0..params.len() {
            for effect in changes(theory, &params, variable, on) {
                all.push(Effect { each: Vec::new(), ..effect });
            }
        }
        for kind in 0..theory.kinds {
            let kinds: Vec<KindNumber> = params.iter().copied().chain([kind]).collect();
            for variable in 0..params.len() {
                for tie in between(theory, &kinds, variable, params.len()) {
                    // What a tie of the changed mechanism says of the moment before is true of a moved thing's old place.
                    for effect in changes(theory, &kinds, params.len(), on) {
                        let when = [tie.clone()].into_iter().chain(effect.when).collect();
                        all.push(Effect { each: vec![kind], when, change: effect.change });
                    }
                }
            }
        }
        let new =
            |effect: &Effect| known.effects.iter().all(|old| old.change.fluent() != effect.change.fluent());
        all.retain(new);
        if all.is_empty() {
            return false;
        }
        let mut chosen = all[self.drawing.one_of(all.len())].clone();
        if self.drawing.chance(1, 2) {
            let kinds: Vec<KindNumber> = params.iter().chain(&chosen.each).copied().collect();
            let subjects: Vec<Variable> = (0..kinds.len()).collect();
            let more: Vec<TheoryCondition> =
                subjects.into_iter().flat_map(|v| about(&self.theory, &kinds, v)).collect();
            let free = |c: &TheoryCondition| {
                !is_said(&self.theory.actions[action].requires, c) && !is_said(&chosen.when, c)
            };
            let more: Vec<TheoryCondition> = more.into_iter().filter(free).collect();
            if !more.is_empty() {
                chosen.when.push(more[self.drawing.one_of(more.len())].clone());
            }
        }
        self.theory.actions[action].effects.push(chosen);
        true
    }

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
        for (number, first) in own.iter().enumerate() {
            for second in &own[number + 1..] {
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
            for more in about(&self.theory, &[read], 0) {
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

/// The side effects that a thing may suffer from another mechanism's action.
fn changes(theory: &InventedTheory, kinds: &[KindNumber], of: Variable, on: TheoryMechanism) -> Vec<Effect> {
    let mut all = Vec::new();
    let own = theory.fluents.iter().enumerate().filter(|(_, f)| f.mechanism == on && f.kinds[0] == kinds[of]);
    for (fluent, known) in own {
        match known.kind {
            FluentKind::State => {
                all.push((Vec::new(), FluentChange::Flip { fluent, of }));
                for to in [true, false] {
                    all.push((Vec::new(), FluentChange::Set { to, fluent, of: vec![of] }));
                }
            }
            FluentKind::Has(most) => {
                for (up, at_least, bound) in [(true, false, most - 1), (false, true, 1)] {
                    let room = TheoryCondition::Number { fluent, of, at_least, bound };
                    all.push((vec![room], FluentChange::Step { up, fluent, of }));
                }
            }
            FluentKind::At | FluentKind::In | FluentKind::On | FluentKind::Tied => {}
        }
    }
    all.into_iter().map(|(when, change)| Effect { each: Vec::new(), when, change }).collect()
}

/// Ties a new mechanism to those before it, and adds what else there is to be.
pub(super) fn couple(builder: &mut Builder, mechanisms: &[TheoryMechanism], more: usize) -> bool {
    let all = |builder: &Builder, of: TheoryMechanism| -> Vec<usize> {
        let actions = builder.theory.actions.iter().enumerate();
        actions.filter(|(_, action)| action.mechanism == of).map(|(number, _)| number).collect()
    };
    let couple_two = |builder: &mut Builder, of: TheoryMechanism, with: TheoryMechanism| {
        let actions = all(builder, of);
        let Some(action) = builder.drawing.pick(&actions) else { return false };
        match builder.drawing.chance(2, 3) {
            true => builder.require(action, with) || builder.affect(action, with),
            false => builder.affect(action, with) || builder.require(action, with),
        }
    };
    for (number, of) in mechanisms.iter().enumerate().skip(1) {
        let with = mechanisms[builder.drawing.one_of(number)];
        let done = match builder.drawing.chance(1, 2) {
            true => couple_two(builder, *of, with) || couple_two(builder, with, *of),
            false => couple_two(builder, with, *of) || couple_two(builder, *of, with),
        };
        if !done {
            return false;
        }
    }
    for _ in 0..more {
        let of = builder.drawing.one_of(mechanisms.len());
        let with = builder.drawing.one_of(mechanisms.len());
        if of != with {
            couple_two(builder, mechanisms[of], mechanisms[with]);
        }
    }
    restrain(builder, mechanisms)
}

/// Has actions that could nearly always be done require something of another mechanism; false where nothing fits.
fn restrain(builder: &mut Builder, mechanisms: &[TheoryMechanism]) -> bool {
    for action in 0..builder.theory.actions.len() {
        let known = &builder.theory.actions[action];
        let is_free = matches!(known.form, ActionForm::Raise | ActionForm::Lower | ActionForm::Turn)
            && known.added == 0;
        let own = known.mechanism;
        if !is_free {
            continue;
        }
        let mut others: Vec<TheoryMechanism> =
            mechanisms.iter().copied().filter(|other| *other != own).collect();
        let first = builder.drawing.one_of(others.len());
        others.rotate_left(first);
        if !others.into_iter().any(|other| builder.require(action, other)) {
            return false;
        }
    }
    true
}

/// A builder of a theory that has nothing yet.
pub(super) fn builder(drawing: &mut GrammarDrawing) -> Builder<'_> {
    Builder { theory: InventedTheory::default(), drawing }
}
