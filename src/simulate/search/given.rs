//! A layout to the goals that its package gives for it, in the part `goal` of `world.lp`.

use std::collections::BTreeMap;

use racgen_logic::term::Term;

use crate::domain::package::Package;
use crate::simulate::error::SimulationError;
use crate::simulate::layout::Layout;
use crate::simulate::search::goal::{GOAL, GoalFact, NEGATION};

/// The goals that the package gives for a layout, in the order of their names. One that wants what is no fluent of the
/// layout is left out: it can never be reached.
///
/// # Errors
/// Rules that clingo cannot ground.
pub fn given_goals(
    package: &Package,
    layout: &Layout,
    fluents: &[Term],
) -> Result<Vec<Vec<GoalFact>>, SimulationError> {
    let Some(program) = layout.goal_program(package) else { return Ok(Vec::new()) };
    let ground = program.ground(&[(GOAL, 2)])?;
    let mut goals: BTreeMap<&Term, Option<Vec<GoalFact>>> = BTreeMap::new();
    for (atom, _) in &ground.named {
        let [wanted, goal] = atom.args() else { continue };
        let (fluent, truth) = match wanted.args() {
            [denied] if wanted.is(NEGATION, 1) => (denied, false),
            _ => (wanted, true),
        };
        let of = goals.entry(goal).or_insert_with(|| Some(Vec::new()));
        match (of.as_mut(), fluents.binary_search(fluent)) {
            (Some(facts), Ok(number)) => facts.push((number, truth)),
            _ => *of = None,
        }
    }
    let mut found: Vec<Vec<GoalFact>> = goals.into_values().flatten().collect();
    found.iter_mut().for_each(|goal| goal.sort_unstable());
    Ok(found)
}
