//! Plans of the default sampling seldom come back and use all schemas of actions, and what is said to be the length of
//! a shortest plan is that.

use std::collections::{BTreeMap, BTreeSet};

use racgen::data::row::ExtraValue;
use racgen::domain::package::Package;
use racgen::factory::settings::Settings;
use racgen::simulate::layout::Layout;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::situation::Situation;
use racgen::simulate::story::{Simulator, Story};

use crate::common;

const LAYOUTS: u64 = 5;
const STORIES: usize = 30;

/// A layout ready for stories.
fn stage(package: &Package, level: i32, number: u64, sampling: Sampling) -> Simulator<'_> {
    let mut rng = common::rng(number);
    let layout = Layout::sample(package, level, &BTreeMap::new(), &mut rng, common::LIMIT).unwrap();
    Simulator::new(package, layout, sampling, common::LIMIT, &mut rng).unwrap()
}

/// Calls something with stories of some layouts of a level.
fn with_stories(
    package: &Package,
    (level, depth): (i32, usize),
    sampling: Sampling,
    mut see: impl FnMut(&mut Simulator, &Story),
) {
    for number in 0..LAYOUTS {
        let mut stage = stage(package, level, number, sampling);
        let mut rng = common::rng(number + 100);
        for _ in 0..STORIES {
            let story = stage.tell(depth, false, |_| true, 100, &mut rng).unwrap().expect("a story");
            see(&mut stage, &story);
        }
    }
}

/// All situations of a story's plan, the initial one first.
fn situations(story: &Story) -> Vec<&Situation> {
    std::iter::once(&story.initial).chain(&story.passed).collect()
}

/// The share of plans that visit a situation twice.
fn coming_back(package: &Package, (level, depth): (i32, usize), sampling: Sampling) -> f64 {
    let (mut back, mut all) = (0, 0);
    with_stories(package, (level, depth), sampling, |_, story| {
        let visited = situations(story);
        back += usize::from(visited.iter().collect::<BTreeSet<_>>().len() < visited.len());
        all += 1;
    });
    back as f64 / all as f64
}

#[test]
fn the_default_explores() {
    assert_eq!(Settings::default().sampling, Sampling::Explore);
}

#[test]
fn plans_seldom_visit_a_situation_twice() {
    for domain in ["blocks", "dwr", "logistics"] {
        let package = common::package(domain);
        // At N1 there is no other way in a third of the worlds of dwr.
        for (level, most) in [(1, 0.4), (3, 0.15)] {
            let [walk, explore] = [Sampling::Walk, Sampling::Explore]
                .map(|sampling| coming_back(&package, (level, 5), sampling));
            println!(
                "{domain} N{level}, five actions: {walk:.2} of walks come back, {explore:.2} that explore"
            );
            assert!(explore < most, "{domain} N{level}: {explore}");
            assert!(explore < walk / 2.0, "{domain} N{level}: {explore} and {walk}");
        }
    }
}

/// The shares of the functors in the actions of plans.
fn shares(package: &Package, level: i32, sampling: Sampling) -> BTreeMap<String, f64> {
    let mut functors = Vec::new();
    with_stories(package, (level, 5), sampling, |stage, story| {
        functors.extend(story.plan.iter().map(|a| stage.engine.actions[*a].functor().to_owned()));
    });
    let all = functors.len() as f64;
    common::count(functors).into_iter().map(|(functor, n)| (functor, n as f64 / all)).collect()
}

#[test]
fn vehicles_do_not_only_move() {
    let package = common::package("logistics");
    for level in [1, 3] {
        let moving = |sampling| -> f64 {
            let shares = shares(&package, level, sampling);
            println!("logistics N{level} {sampling:?}: {shares:.2?}");
            ["drive_truck", "fly_airplane"].iter().filter_map(|functor| shares.get(*functor)).sum()
        };
        let (walk, explore) = (moving(Sampling::Walk), moving(Sampling::Explore));
        assert!(
            explore < 0.55 && explore < walk,
            "N{level}: {explore:.2} of the actions move, {walk:.2} in walks"
        );
    }
}

/// The length of a shortest plan, breadth first.
fn shortest(stage: &mut Simulator, from: &Situation, to: &Situation) -> usize {
    let mut layer = BTreeSet::from([from.clone()]);
    let mut seen = layer.clone();
    for length in 0.. {
        if layer.contains(to) {
            return length;
        }
        let mut next = BTreeSet::new();
        for situation in &layer {
            for action in 0..stage.engine.actions.len() {
                if let Some(outcome) = stage.engine.step(situation, action).unwrap() {
                    next.insert(outcome.situation);
                }
            }
        }
        layer = next.difference(&seen).cloned().collect();
        assert!(!layer.is_empty(), "the situation is never reached");
        seen.extend(layer.iter().cloned());
    }
    unreachable!("the layers do not end")
}

#[test]
fn effective_depths_are_those_of_a_search_breadth_first() {
    for (domain, depths) in [("blocks", 1..=5), ("dwr", 1..=3), ("logistics", 1..=2), ("generic", 1..=2)] {
        let package = common::package(domain);
        let (mut known, mut all, mut told) = (0, 0, 0);
        for depth in depths {
            for sampling in [Sampling::Walk, Sampling::Explore] {
                with_stories(&package, (1, depth), sampling, |stage, story| {
                    told += 1;
                    // The search breadth first takes long.
                    if told % 4 != 0 {
                        return;
                    }
                    all += 1;
                    let Some(found) = stage.effective_depth(story).unwrap() else { return };
                    known += 1;
                    let last = situations(story)[depth];
                    assert!(found <= depth, "{domain}: {found} of {depth}");
                    assert_eq!(found == 0, *last == story.initial, "{domain}: {found}");
                    assert_eq!(found, shortest(stage, &story.initial, last), "{domain}, {depth} actions");
                });
            }
        }
        println!("{domain} N1: {known} of {all} effective depths are known");
        assert!(known * 10 > all * 9, "{domain}: only {known} of {all}");
    }
}

/// The search rests on it: nothing changes a fluent but what the rules say could.
#[test]
fn only_the_actions_that_are_said_to_change_a_fluent_do() {
    for domain in common::domains() {
        let package = common::package(&domain);
        let (mut changed, mut told) = (0, 0);
        for (level, sampling) in [(1, Sampling::Walk), (3, Sampling::Explore)] {
            with_stories(&package, (level, 5), sampling, |stage, story| {
                let visited = situations(story);
                for (step, action) in visited.windows(2).zip(&story.plan) {
                    for fluent in stage.engine.inertial.iter() {
                        let (before, after) = (step[0].contains(fluent), step[1].contains(fluent));
                        if before != after {
                            changed += 1;
                            if let Some(actions) = stage.engine.changers().of(fluent, after) {
                                told += 1;
                                assert!(
                                    actions.contains(action),
                                    "{domain}: {}",
                                    stage.engine.fluents[fluent]
                                );
                            }
                        }
                    }
                }
            });
        }
        println!("{domain}: {told} of {changed} changes are by actions of which that is told");
        // A static law of the generic domain may make a fluent so after any action.
        assert!(told * 10 > changed * 7, "{domain}: what changes a fluent is hardly known");
    }
}

#[test]
fn rows_have_the_effective_depth_of_their_story() {
    let settings = Settings { items: 200, depths: vec![3], ..Settings::default() };
    let mut depths: BTreeMap<_, BTreeSet<Option<i64>>> = BTreeMap::new();
    for item in common::made("dwr", &settings) {
        let depth = match item.row.extra.get("effective_depth") {
            Some(ExtraValue::Number(depth)) => Some(*depth),
            None => None,
            Some(other) => panic!("{other:?}"),
        };
        assert!(depth.is_none_or(|depth| (0..=3).contains(&depth)), "{depth:?}");
        depths.entry((item.row.facts.to_vec(), item.row.plan.to_vec())).or_default().insert(depth);
    }
    assert!(depths.values().all(|of_story| of_story.len() == 1), "rows of one story differ");
    assert!(depths.values().any(|of_story| *of_story == BTreeSet::from([Some(3)])));
}
