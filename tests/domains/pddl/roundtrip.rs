//! Packages to PDDL and back: in random walks the same actions can be carried out, and the same fluents are true.

use std::collections::{BTreeMap, BTreeSet};

use racgen::domain::package::Package;
use racgen::logic::seed::stream;
use racgen::logic::term::Term;
use racgen::pddl::export::{PddlFiles, export};
use racgen::simulate::layout::Layout;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::situation::Situation;
use racgen::simulate::story::Simulator;
use racgen::simulate::transitions::transition_system::TransitionSystem;
use rand::seq::IndexedRandom;

use super::judge::{Judge, problem};
use super::{import_texts, loaded};
use crate::common::LIMIT;

/// Steps of the walks.
const STEPS: usize = 120;
/// Steps of the walks with the plain interpreter.
const WALK: usize = 20;

/// A world of a package: its engine, a situation, and the world in PDDL.
fn written(name: &str, level: i32) -> (TransitionSystem, Situation, PddlFiles) {
    let package = Package::load(name).unwrap();
    let mut rng = stream(0, &["round trip", name]);
    let layout = Layout::sample(&package, level, &BTreeMap::new(), &mut rng, LIMIT).unwrap();
    let engine = TransitionSystem::new(layout.step_program(&package), LIMIT).unwrap();
    let mut stage = Simulator::new(&package, layout.clone(), Sampling::Walk, LIMIT, &mut rng).unwrap();
    let story = stage.tell(3, false, |_| true, 200, &mut rng).unwrap().unwrap();
    let last = story.passed.last().unwrap();
    let files = export(&package, &layout, engine.compiled(), &story.initial, last)
        .unwrap_or_else(|fault| panic!("{name}: {fault}"));
    (engine, story.initial, files)
}

/// The name of a functor as it was before it was told apart.
fn plain(name: &str) -> &str {
    name.split('-').next().unwrap()
}

fn back(name: &str, arguments: impl Iterator<Item = String>) -> String {
    let number = |argument: String| match argument.strip_prefix('n').map(str::parse::<i32>) {
        Some(Ok(number)) => number.to_string(),
        _ => argument,
    };
    let arguments: Vec<String> = arguments.map(number).collect();
    if arguments.is_empty() {
        plain(name).to_owned()
    } else {
        format!("{}({})", plain(name), arguments.join(","))
    }
}

/// Walks in the package's world and in the interpreted PDDL that was written of it.
fn interpreted(name: &str, level: i32) {
    let (mut engine, initial, files) = written(name, level);
    let (objects, mut state) = problem(&files.problem);
    let judge = Judge::new(&files.domain).with(&objects);
    let mut rng = stream(1, &["round trip", name]);
    let mut here = engine.consider(&initial, None).unwrap().unwrap().0;
    for _ in 0..WALK {
        let true_here: BTreeSet<String> =
            here.situation.iter().map(|fluent| engine.fluents[fluent].to_string()).collect();
        let told = judge.told(&state);
        let predicates: BTreeSet<&str> = engine.fluents.iter().map(Term::functor).collect();
        let judged: BTreeSet<String> = told
            .atoms
            .iter()
            .filter(|atom| {
                predicates.contains(plain(&atom[0])) && !atom[0].contains("-fits") && !atom[0].contains("-of")
            })
            .map(|atom| back(&atom[0], atom[1..].iter().cloned()))
            .collect();
        assert_eq!(true_here, judged, "{name}");
        let next = judge.successors(&state);
        let can: BTreeSet<String> = here.executable.iter().map(|a| engine.actions[*a].to_string()).collect();
        let judged: BTreeSet<String> =
            next.keys().map(|action| back(&action[0], action[1..].iter().cloned())).collect();
        assert_eq!(can, judged, "{name}");
        let actions: Vec<_> = next.iter().collect();
        let Some((action, after)) = actions.choose(&mut rng) else { break };
        let term: Term = back(&action[0], action[1..].iter().cloned()).parse().unwrap();
        let number = engine.actions.binary_search(&term).unwrap();
        here = engine.step(&here.situation, number).unwrap().unwrap();
        state = (*after).clone();
    }
}

#[test]
fn what_is_written_means_what_the_package_means() {
    for (name, level) in [("blocks", 1), ("blocks_hand", 1), ("logistics", 1), ("dwr", 1)] {
        interpreted(name, level);
    }
}

#[test]
fn what_is_written_can_be_imported_again() {
    for name in ["blocks", "blocks_hand", "logistics", "dwr"] {
        let (mut engine, initial, files) = written(name, 1);
        let made = import_texts(name, &files.domain, std::slice::from_ref(&files.problem), 40);
        let package = loaded(name, &made);
        let places = made.worlds.iter().enumerate().find(|(_, (_, given))| given.world.whole);
        let (number, (level, given)) = places.unwrap_or_else(|| panic!("{name}: the world is not there"));
        let fixed = BTreeMap::from([("world".to_owned(), number as i64 + 1)]);
        let mut rng = stream(2, &["round trip", name]);
        let layout = Layout::sample(&package, *level, &fixed, &mut rng, LIMIT).unwrap();
        let mut again = TransitionSystem::new(layout.step_program(&package), LIMIT).unwrap();
        let named: BTreeMap<String, String> =
            given.world.ids(&made.kinds).into_iter().map(|(name, id)| (id, name)).collect();
        let own = |names: &BTreeMap<String, String>, term: &Term| {
            let pddl =
                names.iter().find(|(_, own)| **own == term.functor()).map_or(term.functor(), |(p, _)| p);
            back(
                pddl,
                term.args().iter().map(|a| named.get(a.functor()).cloned().unwrap_or_else(|| a.to_string())),
            )
        };
        let mut start = racgen::simulate::situation::BitSet::new(again.fluents.len());
        for fluent in &given.world.fluents {
            start.insert(again.fluents.binary_search(fluent).unwrap());
        }
        let mut there = again.consider(&start, None).unwrap().unwrap().0;
        let mut here = engine.consider(&initial, None).unwrap().unwrap().0;
        for _ in 0..STEPS {
            let one: BTreeSet<String> =
                here.situation.iter().map(|f| engine.fluents[f].to_string()).collect();
            let other: BTreeSet<String> =
                there.situation.iter().map(|f| own(&made.relations, &again.fluents[f])).collect();
            assert_eq!(one, other, "{name}: what is true");
            let one: BTreeSet<String> =
                here.executable.iter().map(|a| engine.actions[*a].to_string()).collect();
            let other: BTreeMap<String, usize> =
                there.executable.iter().map(|a| (own(&made.actions, &again.actions[*a]), *a)).collect();
            assert_eq!(one, other.keys().cloned().collect(), "{name}: what can be done");
            let all: Vec<usize> = here.executable.clone();
            let Some(action) = all.choose(&mut rng) else { break };
            let term = engine.actions[*action].to_string();
            here = engine.step(&here.situation, *action).unwrap().unwrap();
            there = again.step(&there.situation, other[&term]).unwrap().unwrap();
        }
    }
}
