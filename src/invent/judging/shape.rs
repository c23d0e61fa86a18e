//! A theory to whether its parts touch each other, and to whether two of its actions are one: no world is needed for that.

use std::collections::BTreeSet;

use crate::invent::theory::conditions::mechanisms_of_law;
use crate::invent::theory::parts::{
    Action, ConditionSubject, Effect, FluentChange, InventedTheory, KindNumber, TheoryCondition,
    TheoryMechanism, Variable,
};

/// The mechanisms that each action belongs to or reads, tied to those that it changes: all in one piece?
pub(in crate::invent) fn is_connected(theory: &InventedTheory) -> bool {
    let mut ties: Vec<(TheoryMechanism, TheoryMechanism)> = Vec::new();
    for action in &theory.actions {
        for effect in &action.effects {
            let changed = theory.fluents[effect.change.fluent()].mechanism;
            ties.extend(read_by(theory, action, effect).into_iter().map(|read| (read, changed)));
        }
    }
    let all = theory.mechanisms();
    let mut found: BTreeSet<TheoryMechanism> = all.iter().take(1).copied().collect();
    loop {
        let before = found.len();
        for (one, other) in &ties {
            if found.contains(one) || found.contains(other) {
                found.extend([*one, *other]);
            }
        }
        if found.len() == before {
            return found.len() == all.len();
        }
    }
}

/// The mechanisms of the fluents on which it depends whether an action has an effect.
fn read_by(theory: &InventedTheory, action: &Action, effect: &Effect) -> Vec<TheoryMechanism> {
    let kinds: Vec<KindNumber> = action.params.iter().chain(&effect.each).copied().collect();
    let conditions = action.requires.iter().chain(&effect.when);
    let subjects = conditions.flat_map(|condition| condition.reads(theory, &kinds));
    let mechanisms = subjects.flat_map(|subject| match subject {
        ConditionSubject::Fluent(fluent) => vec![theory.fluents[fluent].mechanism],
        ConditionSubject::Law(law) => mechanisms_of_law(theory, law),
    });
    mechanisms.collect()
}

/// What an action requires and does, in an order that says nothing.
type SortedAction =
    (Vec<KindNumber>, Vec<TheoryCondition>, Vec<(Vec<KindNumber>, Vec<TheoryCondition>, FluentChange)>);

/// Are two actions the same but for the order of parameters, conditions and effects?
pub(in crate::invent) fn has_twins(theory: &InventedTheory) -> bool {
    let mut seen: BTreeSet<SortedAction> = BTreeSet::new();
    theory.actions.iter().any(|action| {
        let own = orders(action.params.len()).iter().map(|order| form(action, order)).min();
        own.is_some_and(|own| !seen.insert(own))
    })
}

/// All orders of so many things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for next in 0..count {
        let with = |order: &Vec<usize>| {
            let at = |place: usize| {
                let mut longer = order.clone();
                longer.insert(place, next);
                longer
            };
            (0..=order.len()).map(at).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// An action with its parameters in another order, and all else sorted.
fn form(action: &Action, order: &[usize]) -> SortedAction {
    let mut params = vec![0; order.len()];
    order.iter().zip(&action.params).for_each(|(place, kind)| params[*place] = *kind);
    let rename = |variable: &mut Variable| *variable = order.get(*variable).copied().unwrap_or(*variable);
    let conditions = |all: &[TheoryCondition]| {
        let mut all = all.to_vec();
        for condition in &mut all {
            condition.variables_mut().into_iter().for_each(rename);
            if let TheoryCondition::SamePlace(one, other) = condition {
                (*one, *other) = ((*one).min(*other), (*one).max(*other));
            }
        }
        all.sort_unstable();
        all
    };
    let effect = |effect: &Effect| {
        let mut change = effect.change.clone();
        change.variables_mut().into_iter().for_each(rename);
        (effect.each.clone(), conditions(&effect.when), change)
    };
    let mut effects: Vec<_> = action.effects.iter().map(effect).collect();
    effects.sort_unstable();
    (params, conditions(&action.requires), effects)
}

#[cfg(test)]
mod tests {
    use racgen_logic::seed::stream;

    use super::*;
    use crate::invent::theory::grammar::{QuotaCell, draw};

    #[test]
    fn an_action_is_its_own_twin_in_whatever_order_it_is_written() {
        let mut turned = 0;
        for number in 0..60 {
            let Some((mut theory, _)) = draw(&QuotaCell::of(number), stream(5, &[&number.to_string()]))
            else {
                continue;
            };
            assert!(!has_twins(&theory), "{theory:?}");
            let Some(action) = theory.actions.iter().find(|action| action.params.len() > 1).cloned() else {
                continue;
            };
            let last = action.params.len() - 1;
            let swap = |v: &mut Variable| {
                *v = if *v == 0 {
                    last
                } else if *v == last {
                    0
                } else {
                    *v
                }
            };
            let mut other = action.clone();
            other.params.swap(0, last);
            other.requires.reverse();
            other.requires.iter_mut().flat_map(TheoryCondition::variables_mut).for_each(swap);
            for effect in &mut other.effects {
                effect.when.iter_mut().flat_map(TheoryCondition::variables_mut).for_each(swap);
                effect.change.variables_mut().into_iter().for_each(swap);
            }
            theory.actions.push(other);
            assert!(has_twins(&theory));
            turned += 1;
        }
        assert!(turned > 20, "only {turned}");
    }
}
