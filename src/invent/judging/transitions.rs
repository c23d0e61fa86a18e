//! The situations and transitions of a world to whether its actions can be carried out, differ, and change what they should.

use std::collections::BTreeSet;

use crate::invent::judging::reasons::Reason;
use crate::invent::reach::{ReachedWorld, TheoryWorld};
use crate::invent::theory::parts::InventedTheory;
use crate::simulate::situation::Situation;

/// In which share of the transitions static laws take effect.
const LAWS: f64 = 0.2;

/// Is each action executable in so great a share of its ground instances, on average? An instance that static relations rule
/// out is none.
pub(in crate::invent) fn judge_executability(
    world: &TheoryWorld,
    reached: &ReachedWorld,
    bounds: (f64, f64),
) -> Result<(), Reason> {
    let mut executable = vec![0usize; world.instances.len()];
    for situation in &reached.all {
        situation.executable.iter().for_each(|action| executable[world.schema[*action]] += 1);
    }
    let all = |schema: usize| (world.instances[schema] * reached.all.len()).max(1) as f64;
    let fits = |schema: usize| {
        let share = executable[schema] as f64 / all(schema);
        executable[schema] > 0 && (bounds.0..=bounds.1).contains(&share)
    };
    if (0..executable.len()).all(fits) { Ok(()) } else { Err(Reason::Executability) }
}

/// Does each fluent change, and do static laws take effect often enough?
pub(in crate::invent) fn judge_changes(
    theory: &InventedTheory,
    world: &TheoryWorld,
    reached: &ReachedWorld,
) -> Result<(), Reason> {
    let inertial = theory.fluents.len();
    let mut changed = vec![false; inertial + theory.laws.len()];
    let (mut steps, mut lawful) = (0usize, 0usize);
    for situation in &reached.all {
        for next in &situation.next {
            let other = &reached.all[*next].full;
            let mut by_law = false;
            for fluent in differences(&situation.full, other) {
                if let Some(predicate) = world.predicate[fluent] {
                    changed[predicate] = true;
                    by_law |= predicate >= inertial;
                }
            }
            steps += 1;
            lawful += usize::from(by_law);
        }
    }
    if !changed.iter().all(|changed| *changed) {
        return Err(Reason::Unchanging);
    }
    if !theory.laws.is_empty() && (lawful as f64) < LAWS * steps as f64 {
        return Err(Reason::IdleLaws);
    }
    Ok(())
}

/// The fluents that are true in one of two situations only.
fn differences(one: &Situation, other: &Situation) -> Vec<usize> {
    let only = |a: &Situation, b: &Situation| a.iter().filter(|f| !b.contains(*f)).collect::<Vec<_>>();
    only(one, other).into_iter().chain(only(other, one)).collect()
}

/// Do two actions lead from the same situations to the same situations, however they are written?
pub(in crate::invent) fn do_the_same(world: &TheoryWorld, reached: &ReachedWorld) -> bool {
    let mut all: Vec<BTreeSet<(usize, usize)>> = vec![BTreeSet::new(); world.instances.len()];
    for (place, situation) in reached.all.iter().enumerate() {
        for (action, next) in situation.executable.iter().zip(&situation.next) {
            all[world.schema[*action]].insert((place, *next));
        }
    }
    let count = all.len();
    all.into_iter().collect::<BTreeSet<_>>().len() < count
}
