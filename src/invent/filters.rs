//! A theory to whether it makes a domain worth having, or to the reason why not.
//!
//! What the theory itself shows comes first. Then clingo grounds a world of it once, with each condition, effect and case of
//! a law to be switched off; what can be reached is read off these ground rules.

use crate::invent::judging::goals::has_deep_goal;
use crate::invent::judging::reasons::Reason;
use crate::invent::judging::shape::{has_twins, is_connected};
use crate::invent::judging::switches::judge_switches;
use crate::invent::judging::transitions::{do_the_same, judge_changes, judge_executability};
use crate::invent::judging::walks::go_on;
use crate::invent::reach::{NoWorld, ReachedWorld, TheoryWorld};
use crate::invent::theory::parts::InventedTheory;

/// The level whose worlds are judged.
const LEVEL: i64 = 3;
/// The level in whose worlds goals are sought.
const GOAL_LEVEL: i64 = 2;
/// The fewest situations that must be reached, however short a theory is, and the most.
const SITUATIONS: (f64, f64) = (60.0, 1000.0);
/// How far from the first situation one must be.
const DISTANCE: usize = 4;
/// How many situations are looked at first, how many more than are needed then, and how many for goals.
const GLANCE: usize = 150;
const MORE: usize = 300;
const GOAL_SITUATIONS: usize = 2500;
/// In how many other worlds of the level a theory is judged, so that none is kept by a lucky one.
const OTHERS: usize = 2;
/// Between which shares of an action's ground instances are executable, on average.
const EXECUTABLE: (f64, f64) = (0.05, 0.6);

/// Judges a theory of so many bits; the words say which random numbers its worlds are drawn with.
///
/// # Errors
/// Why it is left out.
pub fn judge(theory: &InventedTheory, bits: f64, words: &[&str]) -> Result<(), Reason> {
    if !is_connected(theory) {
        return Err(Reason::Apart);
    }
    if has_twins(theory) {
        return Err(Reason::Alike);
    }
    let (mut world, reached) = lively(theory, bits, words)?;
    if do_the_same(&world, &reached) {
        return Err(Reason::Alike);
    }
    judge_switches(&mut world, &reached, words).map_err(failed)?.then_some(()).ok_or(Reason::Idle)?;
    let mut world = TheoryWorld::of(theory, GOAL_LEVEL, words).map_err(failed)?;
    let reached = explored(&mut world, GOAL_SITUATIONS, 0)?;
    has_deep_goal(theory, &world, &reached).then_some(()).ok_or(Reason::Shallow)?;
    (1..=OTHERS)
        .try_for_each(|other| lively(theory, bits, &[words, &[&other.to_string()]].concat()).map(|_| ()))
}

/// A world of a theory, and what is reached there: enough situations, in which actions can be carried out and fluents change.
fn lively(theory: &InventedTheory, bits: f64, words: &[&str]) -> Result<(TheoryWorld, ReachedWorld), Reason> {
    let mut world = TheoryWorld::of(theory, LEVEL, words).map_err(failed)?;
    // A glance is enough for most of those that are left out.
    let glance = explored(&mut world, GLANCE, 0)?;
    judge_executability(&world, &glance, (EXECUTABLE.0 / 4.0, (1.0 + EXECUTABLE.1) / 2.0))?;
    match go_on(&mut world, &glance, words).map_err(failed)? {
        None => return Err(Reason::NoSuccessor),
        Some(false) => return Err(Reason::DeadEnds),
        Some(true) => {}
    }
    let needed = (bits / 8.0).exp2().clamp(SITUATIONS.0, SITUATIONS.1);
    let reached = explored(&mut world, needed.ceil() as usize + MORE, DISTANCE)?;
    judge_executability(&world, &reached, EXECUTABLE)?;
    judge_changes(theory, &world, &reached)?;
    let farthest = reached.all.last().map_or(0, |last| last.depth);
    if (reached.all.len() as f64) < needed || farthest < DISTANCE {
        return Err(Reason::Small);
    }
    Ok((world, reached))
}

/// Explores a world in which each executable action has a successor.
fn explored(world: &mut TheoryWorld, most: usize, distance: usize) -> Result<ReachedWorld, Reason> {
    let reached = ReachedWorld::explore(world, most, distance).map_err(failed)?;
    if reached.stuck.is_some() { Err(Reason::NoSuccessor) } else { Ok(reached) }
}

fn failed(why: NoWorld) -> Reason {
    match why {
        NoWorld::Contradiction => Reason::Contradiction,
        NoWorld::Solver => Reason::Solver,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::invent::series::{SeriesSettings, theory_of};
    use crate::invent::theory::conditions::mechanisms_read;
    use crate::invent::theory::parts::{
        ConditionSubject, Effect, Fluent, FluentChange, FluentKind, InventedLaw, LawCase, TheoryCondition,
    };

    fn is(positive: bool, fluent: usize) -> TheoryCondition {
        TheoryCondition::Is { positive, what: ConditionSubject::Fluent(fluent), of: vec![0] }
    }

    fn set(to: bool, fluent: usize) -> Effect {
        let change = FluentChange::Set { to, fluent, of: vec![0] };
        Effect { each: Vec::new(), when: Vec::new(), change }
    }

    /// A state of things that some action names first, which no action changes.
    fn with_a_state(theory: &InventedTheory) -> (InventedTheory, usize, usize) {
        let mut theory = theory.clone();
        let action = theory.actions.iter().position(|action| !action.params.is_empty()).expect("an action");
        let mechanism = theory.actions[action].mechanism;
        let kinds = vec![theory.actions[action].params[0]];
        theory.fluents.push(Fluent { kind: FluentKind::State, mechanism, kinds });
        (theory.clone(), action, theory.fluents.len() - 1)
    }

    /// A theory that is kept is left out for the reason that was put into it.
    #[test]
    fn each_fault_is_found() {
        let settings = SeriesSettings { seed: 7, ..SeriesSettings::default() };
        // By fault, whether it was found. A world may have others beside.
        let mut found: BTreeMap<Reason, bool> = BTreeMap::new();
        for number in [4, 5, 6, 8] {
            let drawn = theory_of(&settings, number).expect("a theory");
            // What is said in several worlds, the one in which it was judged before among them.
            let attempt = drawn.rejected.values().sum::<usize>();
            let judged = |theory: &InventedTheory| -> Vec<Option<Reason>> {
                let of = |attempt: usize| {
                    let (number, attempt) = (number.to_string(), attempt.to_string());
                    judge(theory, drawn.bits, &["invent", "7", &number, &attempt]).err()
                };
                (attempt..attempt + 6).map(of).collect()
            };
            let mut is_left_out = |theory: &InventedTheory, why: Reason| {
                let said = judged(theory);
                assert!(!said.contains(&None), "{why:?}: {said:?}");
                *found.entry(why).or_insert(false) |= said.contains(&Some(why));
            };
            assert_eq!(judged(&drawn.theory)[0], None);
            let with = |change: &dyn Fn(&mut InventedTheory)| {
                let mut other = drawn.theory.clone();
                change(&mut other);
                other
            };

            let twin = with(&|theory| theory.actions.push(theory.actions[0].clone()));
            is_left_out(&twin, Reason::Alike);

            let apart = with(&|theory| {
                let known = theory.clone();
                theory.laws.clear();
                for action in &mut theory.actions {
                    let own = action.mechanism;
                    let params = action.params.clone();
                    action.effects.truncate(1);
                    action.requires.retain(|condition| {
                        mechanisms_read(&known, condition, &params).iter().all(|read| *read == own)
                    });
                }
            });
            is_left_out(&apart, Reason::Apart);

            let said_twice = with(&|theory| {
                let action = theory.actions.iter_mut().find(|action| !action.requires.is_empty());
                let requires = &mut action.expect("an action that requires something").requires;
                requires.push(requires[0].clone());
            });
            is_left_out(&said_twice, Reason::Idle);

            let (mut theory, action, state) = with_a_state(&drawn.theory);
            is_left_out(&theory, Reason::Unchanging);
            theory.actions[action].effects.extend([set(true, state), set(false, state)]);
            is_left_out(&theory, Reason::NoSuccessor);
            let (mut theory, action, state) = with_a_state(&drawn.theory);
            theory.actions[action].requires.extend([is(true, state), is(false, state)]);
            is_left_out(&theory, Reason::Executability);

            let (mut theory, _, state) = with_a_state(&drawn.theory);
            let kind = theory.fluents[state].kinds[0];
            let never = LawCase { others: Vec::new(), when: vec![is(true, state), is(false, state)] };
            theory.laws.push(InventedLaw { kind, cases: vec![never] });
            is_left_out(&theory, Reason::Unchanging);
        }
        assert!(found.len() == 6 && found.values().all(|found| *found), "{found:?}");
    }
}
