//! Random walks from what is around a situation to the values that fluents come to have on them.
//!
//! A proof that something is never reached is a set of values that no step leaves. clingo would find those of the walks as well, a
//! step at a time; the least set that is closed is the same.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::simulate::error::SimulationError;
use crate::simulate::search::goal::GoalFact;
use crate::simulate::search::surroundings::NearSituation;
use crate::simulate::search::values::{Values, widen};
use crate::simulate::situation::Situation;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Random walks side by side, and how many steps of all of them may find nothing new.
const WALKS: usize = 128;
const IDLE_STEPS: usize = 12;

/// Adds the values that fluents come to have on walks from the last of some situations, in all situations of which one fact, if any,
/// is so, until they have all that they `may` have.
///
/// # Errors
/// Solver failures.
pub fn wander(
    engine: &mut TransitionSystem,
    starts: &[&NearSituation],
    held: Option<GoalFact>,
    values: &mut Values,
    may: Option<&Values>,
) -> Result<(), SimulationError> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let is_so = |here: &Situation| held.is_none_or(|(fluent, truth)| here.contains(fluent) == truth);
    let farthest = starts.iter().rev().take(WALKS);
    let mut here: Vec<(Situation, Vec<usize>)> =
        farthest.map(|near| (Situation::clone(&near.situation), near.executable.to_vec())).collect();
    let mut idle = 0;
    while idle < IDLE_STEPS && may != Some(&*values) {
        let chosen: Vec<Option<usize>> = here.iter().map(|(_, can)| can.choose(&mut rng).copied()).collect();
        let going = here.iter().zip(&chosen).enumerate();
        let (lanes, asked): (Vec<usize>, Vec<(&Situation, usize)>) =
            going.filter_map(|(lane, ((here, _), action))| Some((lane, (here, (*action)?)))).unzip();
        let next = engine.steps(&asked)?;
        let known = values.clone();
        for (lane, outcome) in lanes.into_iter().zip(next) {
            if let Some(outcome) = outcome.filter(|outcome| is_so(&outcome.situation)) {
                here[lane] = (outcome.situation, outcome.executable);
            }
        }
        widen(values, here.iter().map(|(here, _)| here));
        idle = if *values == known { idle + 1 } else { 0 };
    }
    Ok(())
}
