//! A world with switches to whether each condition, effect and case of a law makes a difference.

use racgen_logic::seed::stream;
use rand::RngExt;

use crate::invent::reach::{NoWorld, ReachedWorld, TheoryWorld};
use crate::simulate::situation::Situation;

/// How many situations each switch is tried in.
const SWITCH_SITUATIONS: usize = 64;

/// Does each switch change what is true, what can be done or what comes of it, in some situation?
pub(in crate::invent) fn judge_switches(
    world: &mut TheoryWorld,
    reached: &ReachedWorld,
    words: &[&str],
) -> Result<bool, NoWorld> {
    let mut dice = stream(3, words);
    let count = reached.all.len();
    let chosen: Vec<usize> = (0..SWITCH_SITUATIONS).map(|_| dice.random_range(0..count)).collect();
    let switches = world.switches.clone();
    let mut idle: Vec<usize> = switches;
    for place in chosen {
        if idle.is_empty() {
            break;
        }
        let here = &reached.all[place];
        let switched: Vec<Situation> = idle
            .iter()
            .map(|switch| {
                let mut other = here.bare.clone();
                other.insert(*switch);
                other
            })
            .collect();
        let asked: Vec<(&Situation, Option<usize>)> = switched.iter().map(|s| (s, None)).collect();
        let found = world.engine.sheets(&asked)?;
        let mut still = Vec::new();
        for ((switch, bare), found) in idle.iter().zip(&switched).zip(found) {
            let same = found.is_some_and(|(mut outcome, _)| {
                outcome.situation.remove(*switch);
                outcome.situation == here.full && outcome.executable == here.executable
            });
            if same && !changes_a_step(world, reached, place, *switch, bare)? {
                still.push(*switch);
            }
        }
        idle = still;
    }
    Ok(idle.is_empty())
}

/// Has one of the actions of a situation another outcome with this switch?
fn changes_a_step(
    world: &mut TheoryWorld,
    reached: &ReachedWorld,
    place: usize,
    switch: usize,
    bare: &Situation,
) -> Result<bool, NoWorld> {
    let here = &reached.all[place];
    if here.next.is_empty() {
        return Ok(false);
    }
    let asked: Vec<(&Situation, usize)> = here.executable.iter().map(|action| (bare, *action)).collect();
    for (outcome, next) in world.engine.steps(&asked)?.into_iter().zip(&here.next) {
        let same = outcome.is_some_and(|mut outcome| {
            outcome.situation.remove(switch);
            outcome.situation == reached.all[*next].full
        });
        if !same {
            return Ok(true);
        }
    }
    Ok(false)
}
