//! The situations of a world to whether some goal of two literals takes many steps of mechanisms that depend on each other.

use crate::invent::reach::{ReachedWorld, TheoryWorld};
use crate::invent::theory::parts::InventedTheory;

/// How many steps it must take.
const STEPS: usize = 5;

/// Is there a goal of two literals that takes five steps or more, and steps of two mechanisms that depend on each other?
pub(in crate::invent) fn has_deep_goal(
    theory: &InventedTheory,
    world: &TheoryWorld,
    reached: &ReachedWorld,
) -> bool {
    let size = world.engine.fluents.len();
    let mut known = vec![false; size * size];
    for (place, situation) in reached.all.iter().enumerate() {
        let fluents: Vec<usize> =
            situation.full.iter().filter(|fluent| world.predicate[*fluent].is_some()).collect();
        let mut new = false;
        for (number, one) in fluents.iter().enumerate() {
            for other in &fluents[number..] {
                new |= !std::mem::replace(&mut known[one * size + other], true);
            }
        }
        // Situations come in the order of their distance: a pair is new where it is nearest.
        if new && situation.depth >= STEPS && is_interlocked(theory, world, reached, place) {
            return true;
        }
    }
    false
}

/// Does a step on the way to a situation become executable by a step of another mechanism?
fn is_interlocked(
    theory: &InventedTheory,
    world: &TheoryWorld,
    reached: &ReachedWorld,
    place: usize,
) -> bool {
    let way = reached.way_to(place);
    let mechanism = |action: usize| theory.actions[world.schema[action]].mechanism;
    way.windows(2).any(|pair| {
        let [(before, first), (_, second)] = pair else { return false };
        mechanism(*first) != mechanism(*second) && !reached.all[*before].executable.contains(second)
    })
}
