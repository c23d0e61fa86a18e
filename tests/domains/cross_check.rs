//! Promise: of random pairs of a situation and an action, the lanes of a grounding that layouts share, the lanes of a layout's
//! own grounding, and clingo say the same: what is true afterwards and can be done then, or that it cannot be done.
//!
//! A few thousand pairs in all; `RACGEN_PAIRS` says how many instead, and `make cross-check` takes a million.

use std::sync::Arc;

use racgen::domain::package::Package;
use racgen::simulate::layout::Layout;
use racgen::simulate::layout_cache::{LayoutCache, PreparedLayout};
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::situation::{Outcome, Situation};
use racgen::simulate::story::Simulator;
use racgen::simulate::transitions::transition_system::TransitionSystem;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rayon::prelude::*;

use crate::common::{LIMIT, package, rng};

const PAIRS: usize = 2_000;
/// Pairs of one layout at most; another one follows.
const OF_LAYOUT: usize = 2_000;
/// Stories that situations are taken from together, and their actions.
const STORIES: usize = 16;
const DEPTH: usize = 6;
/// Actions tried in a situation.
const TRIED: usize = 8;

/// Situations that are met on random walks, each with random actions, half of which can be carried out.
fn pairs(stage: &mut Simulator, rng: &mut ChaCha8Rng) -> Vec<(Situation, usize)> {
    let mut rngs: Vec<ChaCha8Rng> = (0..STORIES).map(|_| crate::common::rng(rng.random::<u64>())).collect();
    let told = stage.tell_all(DEPTH, false, |_| true, 100, &mut rngs).unwrap();
    let met: Vec<Situation> = told
        .iter()
        .flatten()
        .flat_map(|story| std::iter::once(&story.initial).chain(&story.passed))
        .map(|situation| situation.intersection(&stage.engine.inertial))
        .collect();
    let asked: Vec<(&Situation, Option<usize>)> = met.iter().map(|situation| (situation, None)).collect();
    let sheets = stage.engine.sheets(&asked).unwrap();
    let actions = stage.engine.actions.len();
    let mut found = Vec::new();
    for (situation, sheet) in met.iter().zip(&sheets) {
        let possible = &sheet.as_ref().expect("a situation that was met").0.executable;
        for number in 0..TRIED {
            let some = possible.choose(rng).filter(|_| number % 2 == 0);
            let action = some.copied().unwrap_or_else(|| rng.random_range(0..actions));
            found.push((situation.clone(), action));
        }
    }
    found
}

/// Compares pairs of one layout, and says how many there were and how many of them can be carried out.
fn compare(
    package: &Package,
    prepared: &Arc<PreparedLayout>,
    most: usize,
    rng: &mut ChaCha8Rng,
) -> [usize; 2] {
    let layout = &prepared.layout;
    let alone = PreparedLayout::without_draws(package, layout.clone(), LIMIT).unwrap();
    let mut own = TransitionSystem::of(alone.compiled.clone(), LIMIT);
    let mut clingo = TransitionSystem::by_clingo(layout.bare_step_program(package), None, LIMIT).unwrap();
    let mut stage = Simulator::of(package, prepared.clone(), Sampling::Walk, LIMIT);
    assert_eq!(clingo.fluents, stage.engine.fluents, "{}", package.name);
    assert_eq!(clingo.actions, stage.engine.actions, "{}", package.name);
    let mut counted = [0, 0];
    while counted[0] < most {
        let pairs = pairs(&mut stage, rng);
        let asked: Vec<(&Situation, usize)> = pairs.iter().map(|(here, action)| (here, *action)).collect();
        let shared = stage.engine.steps(&asked).unwrap();
        assert_eq!(shared, own.steps(&asked).unwrap(), "{}: its own lanes differ", package.name);
        let judged: Vec<Option<Outcome>> = clingo.steps(&asked).unwrap();
        for ((pair, lanes), clingo) in pairs.iter().zip(&shared).zip(&judged) {
            assert_eq!(lanes, clingo, "{}: {pair:?}", package.name);
        }
        counted[0] += pairs.len();
        counted[1] += judged.iter().flatten().count();
    }
    counted
}

#[test]
fn lanes_and_clingo_agree_on_random_steps() {
    let wanted = std::env::var("RACGEN_PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(PAIRS);
    let domains = crate::common::domains();
    let places: Vec<(&String, i32)> = domains
        .iter()
        .flat_map(|name| package(name).levels.into_keys().map(move |level| (name, level)))
        .collect();
    let each = wanted.div_ceil(places.len());
    let counts: Vec<(&String, [usize; 2])> = places
        .par_iter()
        .map(|(name, level)| {
            let package = package(name);
            let cache: LayoutCache<()> = LayoutCache::default();
            let mut sum = [0, 0];
            for number in 0.. {
                if sum[0] >= each {
                    break;
                }
                let mut dice = rng(1_000 * *level as u64 + number);
                let sample = || {
                    let mut dice = rng(1_000 * *level as u64 + number);
                    let drawn = Layout::sample(&package, *level, &Default::default(), &mut dice, LIMIT);
                    Ok::<_, racgen::simulate::error::SimulationError>((drawn?, dice))
                };
                let (prepared, _) =
                    cache.at((*level, number), &package, LIMIT, sample, |_, _| Ok(())).unwrap();
                let counted = compare(&package, &prepared, OF_LAYOUT.min(each - sum[0]), &mut dice);
                sum = [sum[0] + counted[0], sum[1] + counted[1]];
            }
            (*name, sum)
        })
        .collect();
    let total = |place: usize| counts.iter().map(|(_, sum)| sum[place]).sum::<usize>();
    println!("{} pairs compared, {} of them can be carried out", total(0), total(1));
    for name in &domains {
        let of = counts.iter().filter(|(domain, _)| *domain == name);
        let [all, possible] = of.fold([0, 0], |sum, (_, one)| [sum[0] + one[0], sum[1] + one[1]]);
        println!("{name}: {all}, {possible}");
        assert!(possible > all / 3 && possible < all, "{name}: {possible} of {all} can be carried out");
    }
    assert!(total(0) >= wanted);
}
