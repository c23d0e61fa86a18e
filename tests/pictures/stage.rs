//! Packages and situations of theirs, for the tests of pictures.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use racgen::domain::catalogue::Catalogue;
use racgen::domain::package::Package;
use racgen::invent::invented::files_by_name;
use racgen::language::words::holdout::Holdout;
use racgen::language::words::naming::Naming;
use racgen::logic::clingo::Source;
use racgen::logic::seed::stream;
use racgen::simulate::layout::Layout;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::situation::Situation;
use racgen::simulate::story::Simulator;
use racgen::simulate::views::painter::Painter;
use racgen::simulate::views::view::made_view;
use rand::seq::IndexedRandom;

use crate::common::LIMIT;

/// Invented domains that are looked at, in words of all vocabularies.
pub const INVENTED: [&str; 4] = ["invented_0_1", "invented_0_4", "everyday_0_2", "contrary_0_6"];

/// All packages of the library.
pub fn library() -> Vec<Package> {
    let catalogue = Catalogue::find(&[]).unwrap();
    catalogue.iter().map(|found| found.load().unwrap()).collect()
}

/// The invented ones that there are.
pub fn invented() -> Vec<Package> {
    let catalogue = Catalogue::find(&[]).unwrap().with_made(files_by_name);
    let found: Vec<Package> = INVENTED.iter().filter_map(|name| catalogue.load(name).ok()).collect();
    assert!(found.len() >= 2, "only {} of the invented domains are there", found.len());
    found
}

/// The views of a package: its own, if it has one, and the one that is made for it.
pub fn views(package: &Package) -> Vec<Source> {
    let made = made_view(package, LIMIT).unwrap_or_else(|error| panic!("{}: {error}", package.name));
    package.view.iter().cloned().chain([made]).collect()
}

/// A layout, and what draws it by a view.
pub struct Stage<'p> {
    pub simulator: Simulator<'p>,
    pub names: Vec<Arc<str>>,
    pub rng: rand::rngs::ChaCha8Rng,
}

impl<'p> Stage<'p> {
    /// A layout of a level, the smallest one if that is asked for.
    pub fn new(package: &'p Package, level: i32, smallest: bool, seed: u64) -> Stage<'p> {
        let mut rng = stream(seed, &["stage", &package.name, &level.to_string()]);
        let fixed: BTreeMap<String, i64> = match smallest {
            true => package.levels[&level].iter().map(|(name, (low, _))| (name.clone(), *low)).collect(),
            false => BTreeMap::new(),
        };
        let layout = Layout::sample(package, level, &fixed, &mut rng, LIMIT).unwrap();
        let names = Naming::draw(package, &layout, Holdout::NONE, |_| true, &mut rng).names;
        let simulator = Simulator::new(package, layout, Sampling::Walk, LIMIT, &mut rng).unwrap();
        Stage { simulator, names, rng }
    }

    pub fn painter(&self, package: &Package, view: &Source) -> Painter {
        let engine = self.simulator.engine.compiled();
        Painter::new(package, self.simulator.layout(), engine, view, &self.names)
            .unwrap_or_else(|error| panic!("{}: {error}", view.name))
    }

    /// Situations of a walk of so many actions, from the first on, all fluents of each.
    pub fn walk(&mut self, actions: usize) -> Vec<Situation> {
        let (start, _) = self.simulator.draw_world(&mut self.rng).unwrap();
        let engine = &mut self.simulator.engine;
        let mut here = engine.consider(&start, None).unwrap().unwrap().0;
        let mut passed = vec![here.situation.clone()];
        for _ in 0..actions {
            let Some(action) = here.executable.choose(&mut self.rng).copied() else { break };
            let deeds: Vec<usize> = engine.deeds.of(action).collect();
            let deed = *deeds.choose(&mut self.rng).unwrap();
            let Some(next) = engine.step(&here.situation, deed).unwrap() else { break };
            here = next;
            passed.push(here.situation.clone());
        }
        passed
    }

    /// Situations that can be reached from some initial ones, breadth first, at most so many.
    pub fn reachable(&mut self, most: usize) -> Vec<Situation> {
        let mut known: BTreeSet<Situation> = BTreeSet::new();
        let mut open = Vec::new();
        for _ in 0..8 {
            let (start, _) = self.simulator.draw_world(&mut self.rng).unwrap();
            let outcome = self.simulator.engine.consider(&start, None).unwrap().unwrap().0;
            if known.insert(outcome.situation.clone()) {
                open.push(outcome);
            }
        }
        let engine = &mut self.simulator.engine;
        let mut at = 0;
        while at < open.len() && known.len() < most {
            let here = open[at].situation.clone();
            let deeds: Vec<usize> =
                open[at].executable.iter().flat_map(|action| engine.deeds.of(*action)).collect();
            let asked: Vec<(&Situation, usize)> = deeds.iter().map(|deed| (&here, *deed)).collect();
            for outcome in engine.steps(&asked).unwrap().into_iter().flatten() {
                if known.insert(outcome.situation.clone()) {
                    open.push(outcome);
                }
            }
            at += 1;
        }
        known.into_iter().collect()
    }
}
