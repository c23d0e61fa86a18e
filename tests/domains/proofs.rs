//! What can never be so, by the ground rules alone, is so by clingo, too: the values that the rules tell contain the least ones
//! that no action leaves, and no action leaves them. What clingo finds them to admit has such values.

use std::collections::BTreeMap;

use racgen::domain::package::Package;
use racgen::simulate::layout::Layout;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::search::by_clingo::{Sought, several_steps};
use racgen::simulate::search::by_invariant::InvariantSearch;
use racgen::simulate::search::goal::GoalFact;
use racgen::simulate::search::surroundings::{NearSituation, Surroundings};
use racgen::simulate::search::values::{Values, values_of, widen};
use racgen::simulate::search::wandering::wander;
use racgen::simulate::story::Simulator;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::common::LIMIT;

/// Situations of each domain, and facts that are to stay so, of each.
const STARTS: usize = 3;
const HELD: usize = 8;

/// Does each fluent that has a value of some have it of others?
fn contain(values: &Values, some: &Values) -> bool {
    values.iter().zip(some).all(|(all, some)| (0..2).all(|value| all[value] || !some[value]))
}

/// A layout of a domain, and clingo at work on its invariants.
fn stage_and_search<'p>(package: &'p Package, rng: &mut ChaCha8Rng) -> (Simulator<'p>, InvariantSearch) {
    let layout = Layout::sample(package, 2, &BTreeMap::new(), rng, LIMIT).unwrap();
    let stage = Simulator::new(package, layout.clone(), Sampling::Walk, LIMIT, rng).unwrap();
    let program = several_steps(&layout, package, None, 1);
    let terms = (&stage.engine.fluents[..], &stage.engine.actions[..]);
    let search = InvariantSearch::new(program, terms, LIMIT).unwrap();
    (stage, search)
}

#[test]
fn no_action_leaves_the_values_that_the_rules_tell() {
    let of_papers = ["blocks", "blocks_hand", "dwr", "logistics"];
    for name in of_papers.into_iter().chain(["ferry", "floortile", "hanoi", "npuzzle", "rovers", "spanner"]) {
        let package = crate::common::package(name);
        let mut rng = crate::common::rng(3);
        let (mut stage, mut search) = stage_and_search(&package, &mut rng);
        let size = stage.engine.fluents.len();
        let (mut equal, mut larger, mut ruled_out) = (0, 0, 0);
        for _ in 0..STARTS {
            let (start, _) = stage.draw_world(&mut rng).unwrap();
            let (here, _) = stage.engine.consider(&start, None).unwrap().expect("a situation");
            let around = Surroundings::of(&mut stage.engine, &here.situation, here.executable).unwrap();
            let fluents: Vec<usize> = (0..size).collect();
            let some =
                fluents.sample(&mut rng, HELD).map(|fluent| (*fluent, here.situation.contains(*fluent)));
            for held in std::iter::once(None).chain(some.map(Some)) {
                let kept = kept(&around, held);
                let mut met = values_of(&here.situation, size);
                widen(&mut met, kept.iter().map(|near| &*near.situation));
                let told = search.by_rules(&met, held).expect("the rules tell of steps");
                let mut least = met.clone();
                wander(&mut stage.engine, &kept, held, &mut least, None).unwrap();
                assert!(contain(&told.values, &least), "{name}: the rules rule out what was met");
                search.close(&mut least, held).unwrap();
                assert!(contain(&told.values, &least), "{name}: the rules rule out what clingo finds");
                let able = told.able.expect("the rules tell of actions");
                let can = kept.iter().flat_map(|near| near.executable.iter());
                can.for_each(|action| assert!(able.contains(*action), "{name}: an action is ruled out"));
                let mut closed = told.values.clone();
                search.close(&mut closed, held).unwrap();
                assert_eq!(closed, told.values, "{name}: an action leaves the values");
                *if told.values == least { &mut equal } else { &mut larger } += 1;
                ruled_out += told.values.iter().filter(|[no, yes]| no != yes).count();
            }
        }
        println!("{name}: {equal} sets are the least, {larger} are larger; {ruled_out} values are ruled out");
        assert!(equal > 0 && ruled_out > 0, "{name}");
        assert!(larger == 0 || !of_papers.contains(&name), "{name}: the rules tell more than clingo finds");
    }
}

#[test]
fn what_is_found_to_admit_an_action_does() {
    for name in ["blocks", "dwr", "logistics", "ferry"] {
        let package = crate::common::package(name);
        let mut rng = crate::common::rng(5);
        let (mut stage, mut search) = stage_and_search(&package, &mut rng);
        let (fluents, actions) = (stage.engine.fluents.len(), stage.engine.actions.clone());
        let all: Vec<usize> = (0..actions.len()).collect();
        let (start, _) = stage.draw_world(&mut rng).unwrap();
        let (here, _) = stage.engine.consider(&start, None).unwrap().expect("a situation");
        let (mut found, mut settled) = (0, 0);
        for fluent in (0..fluents).collect::<Vec<_>>().sample(&mut rng, HELD).copied() {
            let held = (fluent, here.situation.contains(fluent));
            let mut values = values_of(&here.situation, fluents);
            search.close(&mut values, Some(held)).unwrap();
            for action in all.sample(&mut rng, HELD).copied() {
                let sought = Sought::Executable(&actions[action]);
                let witness = search.witness(&values, Some(held), sought).unwrap();
                assert_eq!(witness.is_some(), search.admits(&values, Some(held), sought).unwrap(), "{name}");
                let Some((situation, able)) = witness else { continue };
                found += 1;
                assert!(able.contains(action), "{name}: the action cannot be carried out");
                assert_eq!(situation.contains(held.0), held.1, "{name}: the fact does not stay so");
                let fits = |fluent: usize| values[fluent][usize::from(situation.contains(fluent))];
                assert!((0..fluents).all(fits), "{name}: a fluent has another value");
                // Where the rules allow the situation, they settle the same of it.
                if let Some((outcome, _)) = stage.engine.consider(&situation, None).unwrap() {
                    settled += 1;
                    assert_eq!(outcome.situation, situation, "{name}");
                    assert_eq!(outcome.executable, able.iter().collect::<Vec<_>>(), "{name}");
                }
            }
        }
        println!("{name}: {found} actions are admitted, {settled} in situations that the rules allow");
        assert!(found > 0 && settled > 0, "{name}");
    }
}

/// The situations that are reached while a fact, if any, stays so.
fn kept(around: &Surroundings, held: Option<GoalFact>) -> Vec<&NearSituation> {
    let distances = held.map(|held| around.keeping_one(held));
    let reached = around.reached.iter().enumerate();
    let is_kept = |place: usize| distances.as_ref().is_none_or(|distances| distances.leads_to(place));
    reached.filter(|(place, _)| is_kept(*place)).map(|(_, near)| near).collect()
}
