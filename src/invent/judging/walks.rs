//! A world to whether one can always go on in it: random walks, and how many actions can be carried out at their ends.

use racgen_logic::seed::stream;
use rand::RngExt;

use crate::invent::reach::{NoWorld, ReachedWorld, TheoryWorld};
use crate::simulate::situation::Situation;

/// Walks, and how many steps each has.
const WALKS: usize = 64;
const STEPS: usize = 20;
/// How many actions must be executable at the end, and in which share of the walks.
const LEAST: usize = 3;
const SHARE: f64 = 0.9;

/// Do nearly all walks still have some actions to choose from at their end? None where an action has no successor.
pub(in crate::invent) fn go_on(
    world: &mut TheoryWorld,
    reached: &ReachedWorld,
    words: &[&str],
) -> Result<Option<bool>, NoWorld> {
    let mut dice = stream(2, words);
    let first = &reached.all[0];
    let mut walks: Vec<(Situation, Vec<usize>)> = vec![(first.bare.clone(), first.executable.clone()); WALKS];
    for _ in 0..STEPS {
        let open: Vec<usize> = (0..WALKS).filter(|walk| !walks[*walk].1.is_empty()).collect();
        let chosen: Vec<usize> =
            open.iter().map(|walk| walks[*walk].1[dice.random_range(0..walks[*walk].1.len())]).collect();
        let asked: Vec<(&Situation, usize)> =
            open.iter().zip(&chosen).map(|(walk, action)| (&walks[*walk].0, *action)).collect();
        let outcomes = world.engine.steps(&asked)?;
        for (walk, outcome) in open.into_iter().zip(outcomes) {
            let Some(outcome) = outcome else { return Ok(None) };
            walks[walk] = (outcome.situation.intersection(&world.engine.inertial), outcome.executable);
        }
    }
    let good = walks.iter().filter(|(_, executable)| executable.len() >= LEAST).count();
    Ok(Some(good as f64 >= SHARE * WALKS as f64))
}
