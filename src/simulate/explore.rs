//! A situation to a plan that goes on to new situations, and uses all schemas of actions.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::simulate::error::SimulationError;
use crate::simulate::situation::{AnswerSheet, Outcome};
use crate::simulate::trajectory::Trajectory;
use crate::simulate::transition_system::TransitionSystem;

/// How many steps that lead back to a situation are looked at before one of them is taken. Where there is a way to a
/// new situation, two or three mostly suffice; where there is none, more would only cost time.
const MOST_STEPS_BACK: usize = 8;

/// The weight of a schema that was not used yet. The squares of 1 to 10 divide it.
const UNUSED: u64 = 2520 * 2520;

/// How often a plan that can only step back takes its last action back and goes another way: small worlds have corners.
const MOST_RETREATS: usize = 2;

/// Draws a plan of `depth` actions from an initial situation, given with what it answers; none where the plan ends early.
///
/// # Errors
/// Solver failures.
pub(crate) fn explore(
    engine: &mut TransitionSystem,
    (start, initially): (Outcome, AnswerSheet),
    depth: usize,
    rng: &mut ChaCha8Rng,
) -> Result<Option<Trajectory>, SimulationError> {
    let (mut plan, mut passed) = (Vec::new(), vec![start]);
    let mut corners: Vec<Outcome> = Vec::new();
    while plan.len() < depth {
        let known: Vec<&Outcome> = corners.iter().chain(&passed).collect();
        let Some((action, next)) = one_more(engine, &known, &plan, rng)? else { return Ok(None) };
        let back = known.iter().any(|before| before.situation == next.situation);
        if back && corners.len() < MOST_RETREATS && plan.pop().is_some() {
            corners.extend(passed.pop());
        } else {
            plan.push(action);
            passed.push(next);
        }
    }
    Ok(Some(Trajectory { plan, passed, initially }))
}

/// Draws an action that can be carried out in the last of the situations passed, and what it leads to; none where no
/// action can.
///
/// First an action schema is drawn, with a weight of `1 / (1 + times used)^2`, then one of its actions. A step back to
/// a situation passed before is put aside, and the first one put aside is taken where nothing else is found.
///
/// # Errors
/// Solver failures.
pub(crate) fn one_more(
    engine: &mut TransitionSystem,
    passed: &[&Outcome],
    plan: &[usize],
    rng: &mut ChaCha8Rng,
) -> Result<Option<(usize, Outcome)>, SimulationError> {
    let Some(here) = passed.last() else { return Ok(None) };
    let mut schemas = schemas(engine, &here.executable, plan);
    let (mut aside, mut back) = (None, 0);
    while let Some(action) = draw(&mut schemas, rng) {
        // An executable action may still be barred by a constraint on the situation it leads to.
        let Some(outcome) = engine.step(&here.situation, action)? else { continue };
        if passed.iter().all(|before| before.situation != outcome.situation) {
            return Ok(Some((action, outcome)));
        }
        aside = aside.or(Some((action, outcome)));
        back += 1;
        if back == MOST_STEPS_BACK {
            break;
        }
    }
    Ok(aside)
}

/// Actions of one functor, and the weight of them all.
struct Schema {
    weight: u64,
    actions: Vec<usize>,
}

/// The schemas of the actions.
fn schemas(engine: &TransitionSystem, actions: &[usize], plan: &[usize]) -> Vec<Schema> {
    let functor = |action: usize| engine.actions[action].functor();
    let mut found: Vec<Schema> = Vec::new();
    for action in actions.iter().copied() {
        match found.iter_mut().find(|schema| functor(schema.actions[0]) == functor(action)) {
            Some(schema) => schema.actions.push(action),
            None => {
                let used = plan.iter().filter(|past| functor(**past) == functor(action)).count() as u64;
                let weight = (UNUSED / ((1 + used) * (1 + used))).max(1);
                found.push(Schema { weight, actions: vec![action] });
            }
        }
    }
    found
}

/// Draws a schema and takes an action out of it.
fn draw(schemas: &mut Vec<Schema>, rng: &mut ChaCha8Rng) -> Option<usize> {
    let total: u64 = schemas.iter().map(|schema| schema.weight).sum();
    if total == 0 {
        return None;
    }
    let mut place = rng.random_range(0..total);
    let number = schemas.iter().position(|schema| {
        let found = place < schema.weight;
        place = place.saturating_sub(schema.weight);
        found
    })?;
    let actions = &mut schemas[number].actions;
    let action = actions.swap_remove(rng.random_range(0..actions.len()));
    if actions.is_empty() {
        schemas.swap_remove(number);
    }
    Some(action)
}
