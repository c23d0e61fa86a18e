//! Levels to the splits of their worlds, where these are few.
//!
//! Where worlds are many, the hash of a world's key says which split it belongs to. Of few, chance would leave some
//! splits without any; they are dealt out in proportion, at least one to each split.

use std::collections::BTreeSet;
use std::sync::Arc;

use racgen_logic::seed::stream;

use crate::factory::context::{Assigned, Context, FOR_EVERY_SEED};
use crate::factory::error::FactoryError;
use crate::items::apportion::apportion;
use crate::items::clock::Clock;
use crate::simulate::story::share_of;

/// Worlds that are drawn of the first layout: if all are new, there are many. Of 300 equally likely worlds they are one in
/// a thousand times.
const OF_THE_FIRST: usize = 64;
/// Layouts that are drawn from next, and worlds of each: if half of the worlds so far are new, there are many.
const NEXT: (u64, usize) = (6, 16);
/// Layouts that are drawn from in all, and worlds of each further one, to find every world.
const ALL: (u64, usize) = (40, 48);
/// As many worlds as this are many.
const MANY: usize = 300;

/// Deals the worlds of those levels that have few.
///
/// # Errors
/// A level with fewer worlds than there are splits; failures of the solver.
pub fn assign(context: &Context, clock: &Clock) -> Result<Assigned, FactoryError> {
    let mut assigned = Assigned::default();
    let levels: BTreeSet<i32> = context.settings().levels.iter().copied().collect();
    for level in levels {
        let Some(worlds) = few(context, level, clock)? else { continue };
        if worlds.len() < context.splits().len() {
            return Err(FactoryError::FewWorlds {
                domain: context.package().name.clone(),
                level,
                found: worlds.len(),
                splits: context.splits().len(),
            });
        }
        let weights: Vec<f64> = context.splits().iter().map(|split| split.weight).collect();
        deal(&worlds, &weights, &mut assigned);
    }
    Ok(assigned)
}

/// The worlds of a level; none if they are many. They are found in layouts that are the same for every seed, so that a
/// world's split is, too: who trains on one seed and tests on another meets no world twice.
fn few(context: &Context, level: i32, clock: &Clock) -> Result<Option<BTreeSet<Arc<str>>>, FactoryError> {
    let level_word = level.to_string();
    let mut rng = stream(0, &["v1", &context.package().name, &level_word, "worlds"]);
    let mut worlds: BTreeSet<Arc<str>> = BTreeSet::new();
    let layouts = context.round(level, clock)?.layouts;
    let mut drawn = 0;
    for place in 0..ALL.0 {
        let (mut stage, _) = context.stage((level, FOR_EVERY_SEED + place % layouts), clock)?;
        // A layout that comes again goes on where it ended.
        stage.go_to((place / layouts) as usize * OF_THE_FIRST.max(ALL.1));
        let draws = match place {
            0 => OF_THE_FIRST,
            _ if place <= NEXT.0 => NEXT.1,
            _ => ALL.1,
        };
        for _ in 0..draws {
            worlds.insert(stage.draw_world(&mut rng)?.1);
        }
        drawn += draws;
        let all_new = place == 0 && worlds.len() == drawn;
        let half_new = place == NEXT.0 && worlds.len() > drawn / 2;
        if worlds.len() >= MANY || all_new || half_new {
            return Ok(None);
        }
    }
    Ok(Some(worlds))
}

/// Deals worlds to splits in proportion to the weights, at least one to each, in an order that their keys decide. Those
/// that have a split already, because they are worlds of another level as well, keep it.
fn deal(worlds: &BTreeSet<Arc<str>>, weights: &[f64], assigned: &mut Assigned) {
    let mut due = apportion(worlds.len() as u64, weights);
    while let Some(empty) = due.iter().position(|count| *count == 0) {
        let most = (0..due.len()).max_by_key(|split| due[*split]).unwrap_or(empty);
        if due[most] < 2 {
            break;
        }
        due[most] -= 1;
        due[empty] += 1;
    }
    for world in worlds {
        if let Some(split) = assigned.get(world) {
            due[*split] = due[*split].saturating_sub(1);
        }
    }
    let mut open: Vec<&Arc<str>> = worlds.iter().filter(|world| !assigned.contains_key(*world)).collect();
    open.sort_by(|a, b| share_of(a).total_cmp(&share_of(b)).then(a.cmp(b)));
    let splits = due.iter().enumerate().flat_map(|(split, count)| (0..*count).map(move |_| split));
    let rest = std::iter::repeat(0);
    for (world, split) in open.into_iter().zip(splits.chain(rest)) {
        assigned.insert(world.clone(), split);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(worlds: usize, weights: &[f64]) -> Vec<usize> {
        let worlds = (0..worlds).map(|n| n.to_string().into()).collect();
        let mut assigned = Assigned::default();
        deal(&worlds, weights, &mut assigned);
        (0..weights.len()).map(|split| assigned.values().filter(|s| **s == split).count()).collect()
    }

    #[test]
    fn few_worlds_are_dealt_in_proportion_and_at_least_one_to_each_split() {
        assert_eq!(counts(3, &[0.8, 0.1, 0.1]), [1, 1, 1]);
        assert_eq!(counts(5, &[0.8, 0.1, 0.1]), [3, 1, 1]);
        assert_eq!(counts(30, &[0.8, 0.1, 0.1]), [24, 3, 3]);
    }

    #[test]
    fn worlds_of_two_levels_keep_their_split() {
        let worlds = |range: std::ops::Range<i32>| range.map(|n| Arc::from(n.to_string())).collect();
        let mut assigned = Assigned::default();
        deal(&worlds(0..10), &[0.5, 0.5], &mut assigned);
        let before = assigned.clone();
        deal(&worlds(5..15), &[0.5, 0.5], &mut assigned);
        assert!(before.iter().all(|(world, split)| assigned[world] == *split));
        let second = worlds(5..15);
        let here = |split| second.iter().filter(|world| assigned[*world] == split).count();
        assert_eq!([here(0), here(1)], [5, 5]);
    }
}
