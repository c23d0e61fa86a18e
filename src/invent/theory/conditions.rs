//! A theory to the conditions that can be put about its things, and to what a condition reads.

use crate::invent::theory::parts::{
    ConditionSubject, FluentKind, InventedTheory, KindNumber, TheoryCondition, TheoryMechanism, Variable,
};

/// Conditions about one thing alone.
pub(super) fn about(theory: &InventedTheory, kinds: &[KindNumber], of: Variable) -> Vec<TheoryCondition> {
    let mut all = Vec::new();
    for (fluent, known) in theory.fluents.iter().enumerate() {
        match known.kind {
            FluentKind::State if known.kinds == [kinds[of]] => {
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

/// Conditions about the whole world.
pub(super) fn about_the_world(theory: &InventedTheory) -> Vec<TheoryCondition> {
    let states = (0..theory.fluents.len()).filter(|fluent| theory.fluents[*fluent].kinds.is_empty());
    let is = |fluent| {
        let what = ConditionSubject::Fluent(fluent);
        [true, false].map(|positive| TheoryCondition::Is { positive, what, of: Vec::new() })
    };
    states.flat_map(is).collect()
}

/// True conditions that tie two things to each other.
pub(super) fn between(
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
pub(crate) fn mechanisms_read(
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
pub(super) fn is_said(all: &[TheoryCondition], condition: &TheoryCondition) -> bool {
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

/// Does a condition read a fluent?
pub(super) fn reads(
    theory: &InventedTheory,
    condition: &TheoryCondition,
    kinds: &[KindNumber],
    fluent: usize,
) -> bool {
    condition.reads(theory, kinds).contains(&ConditionSubject::Fluent(fluent))
}
