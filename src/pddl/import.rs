//! A planning domain and problems of it to the files of a package.
//!
//! The package's worlds are given: each layout is one of some worlds that stand in `world.lp`, by the parameter `world`, and
//! its initial situations are those that stand there, too. They are the problems' initial states, states that random walks
//! lead to from them, and the same of smaller worlds, from which objects were taken, and of larger ones, to which some were
//! added that are like others. So whatever is true of all states that
//! a problem can come to is true in all worlds, though nobody wrote it down.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use racgen_logic::canonical::WorldKeys;
use racgen_logic::fault::{Fault, Faults};
use racgen_logic::seed::stream;
use racgen_logic::term::Term;

use crate::domain::package::Package;
use crate::pddl::bounds::Bounds;
use crate::pddl::given::{GivenWorld, SaidForm};
use crate::pddl::goals::wanted_facts;
use crate::pddl::inferred::with_types;
use crate::pddl::invariants::{
    ImportedInvariant, candidates, keep_inductive, keep_minimal, keep_strongest, keep_true,
};
use crate::pddl::levels::{ImportedLevel, MOST_WORLDS, larger, levels, smaller};
use crate::pddl::package_files::{PackageText, bare_package, number_constraints};
use crate::pddl::rules::PddlRuleWriter;
use crate::pddl::syntax::{PddlDomain, PddlProblem};
use crate::pddl::vocabulary::{ImportedKind, PackageWords};
use crate::pddl::walker::{Walker, layout, steps};
use crate::pddl::world::ImportedWorld;
use crate::simulate::error::SimulationError;

/// Situations of a problem that are looked at before smaller worlds are made.
const LOOK: usize = 60;
/// Distinct worlds that a level needs, so that splits can be told apart.
const FEWEST: usize = 6;
/// And one that has a problem's own world, which nothing else would have.
const FEWEST_OF_PROBLEM: usize = 3;
/// Situations of a world that is worth having.
const FEWEST_OF_WORLD: usize = 3;

/// How a package is imported.
#[derive(Clone, Copy, Debug)]
pub struct ImportSettings {
    /// How many initial situations a level is to have in all its worlds.
    pub situations: usize,
    /// The seed of the walks and of the choice of objects that are taken away.
    pub seed: u64,
    /// What one call of the solver may take.
    pub limit: Duration,
}

/// A package as it was imported.
pub struct ImportedPackage {
    /// Its files, by name.
    pub files: Vec<(&'static str, String)>,
    /// Its worlds, by level, with their numbers.
    pub worlds: Vec<(i32, GivenWorld)>,
    /// The ids of the objects of each world start with these letters and go on with a number, in the order of its objects.
    pub kinds: Vec<ImportedKind>,
    /// What it calls each predicate and function, by what the domain calls it.
    pub relations: BTreeMap<String, String>,
    /// What it calls each action.
    pub actions: BTreeMap<String, String>,
    /// What is worth saying of the import.
    pub notes: Vec<String>,
}

/// Imports a domain and its problems as the package of a name.
///
/// # Errors
/// What cannot be said in a package; problems in which nothing can be done.
pub fn import(
    name: &str,
    domain: &PddlDomain,
    problems: &[PddlProblem],
    settings: ImportSettings,
) -> Result<ImportedPackage, Faults> {
    match with_types(domain, problems) {
        Some((domain, problems)) => Importer::new(name, &domain, &problems, settings)?.package(),
        None => Importer::new(name, domain, problems, settings)?.package(),
    }
}

struct Importer<'d> {
    name: &'d str,
    domain: &'d PddlDomain,
    problems: &'d [PddlProblem],
    settings: ImportSettings,
    vocabulary: PackageWords<'d>,
    rules: String,
    package: Package,
    whole: Vec<ImportedWorld>,
    notes: Vec<String>,
}

impl<'d> Importer<'d> {
    fn new(
        name: &'d str,
        domain: &'d PddlDomain,
        problems: &'d [PddlProblem],
        settings: ImportSettings,
    ) -> Result<Importer<'d>, Faults> {
        let mut vocabulary = PackageWords::new(domain, problems);
        let bounds = Bounds::new(domain, problems)?;
        let rules = PddlRuleWriter::new(&mut vocabulary, &bounds).program()?;
        let whole = problems
            .iter()
            .enumerate()
            .map(|(place, problem)| ImportedWorld::of(place, problem, &vocabulary))
            .collect::<Result<Vec<_>, _>>()?;
        let package = bare_package(name, &vocabulary, &whole, &rules)?;
        let mut notes = Vec::new();
        if domain.had_costs {
            notes.push("costs of actions are left out: no situation depends on them".to_owned());
        }
        if !domain.type_predicates.is_empty() {
            let types = domain.type_predicates.iter().cloned().collect::<Vec<_>>().join(", ");
            notes.push(format!(
                "the domain declares no types, so these predicates are taken for types: {types}"
            ));
        }
        for (world, problem) in whole.iter().zip(problems) {
            if wanted_facts(problem, world, &vocabulary).is_none() {
                notes.push(format!(
                    "no question asks about the goal of the problem `{}`: it is no conjunction of facts, or can never be reached",
                    problem.name
                ));
            }
        }
        Ok(Importer { name, domain, problems, settings, vocabulary, rules, package, whole, notes })
    }

    fn fault(&self, error: SimulationError) -> Faults {
        Fault::new(&self.domain.file, 0, error.to_string(), "try smaller problems").into()
    }

    fn package(mut self) -> Result<ImportedPackage, Faults> {
        let mut rng = stream(self.settings.seed, &["import", self.name]);
        let mut looked = Vec::new();
        for world in &self.whole {
            let walked = Walker::new(&self.package, world, &self.vocabulary, self.settings.limit)
                .and_then(|mut walker| walker.walk(world, LOOK, &mut rng));
            looked.push((world.clone(), walked.map_err(|error| self.fault(error))?));
        }
        if let Some((world, _)) = looked.iter().find(|(_, situations)| situations.is_empty()) {
            let file = &self.problems[world.problem].file;
            let cause = "no action can be carried out in the initial state";
            return Err(Fault::new(file, 0, cause, "correct :init, or leave the problem out").into());
        }
        let mut known = candidates(&self.vocabulary);
        for (world, situations) in &looked {
            situations.iter().for_each(|fluents| keep_true(&mut known, world, fluents, &self.vocabulary));
        }
        keep_minimal(&mut known);
        self.prove(&mut known, &self.whole)?;
        let mut pool = self.whole.clone();
        pool.extend(smaller(&looked, &known, &self.vocabulary, &mut rng));
        pool.extend(larger(&looked, &known, &self.vocabulary, &mut rng));
        let levels = levels(pool, self.vocabulary.kinds.len(), &mut rng);
        let given = self.furnish(levels, &mut rng)?;
        let worlds: Vec<ImportedWorld> = given.iter().map(|(_, given)| given.world.clone()).collect();
        self.prove(&mut known, &worlds)?;
        keep_strongest(&mut known);
        Ok(self.written(given, known))
    }

    /// Keeps those that hold in all situations that actions lead to in these worlds.
    fn prove(&self, known: &mut Vec<ImportedInvariant>, worlds: &[ImportedWorld]) -> Result<(), Faults> {
        let functions = number_constraints(&self.vocabulary);
        let mut proved = 0;
        for world in worlds.iter().cycle() {
            if proved == worlds.len() {
                break;
            }
            let program = steps(&self.package, world, &self.vocabulary);
            let struck = keep_inductive(known, &program, &functions, &self.vocabulary, self.settings.limit)
                .map_err(|error| self.fault(error))?;
            proved = if struck { 1 } else { proved + 1 };
        }
        Ok(())
    }

    /// Walks in the worlds of each level, and numbers those that are worth having.
    fn furnish(
        &mut self,
        levels: Vec<ImportedLevel>,
        rng: &mut rand::rngs::ChaCha8Rng,
    ) -> Result<Vec<(i32, GivenWorld)>, Faults> {
        let mut all: Vec<Vec<GivenWorld>> = Vec::new();
        for level in levels {
            let mut of_level: Vec<GivenWorld> = Vec::new();
            let each = self.settings.situations.div_ceil(level.worlds.len().clamp(1, MOST_WORLDS));
            for world in level.worlds {
                if of_level.len() == MOST_WORLDS {
                    break;
                }
                let walked = Walker::new(&self.package, &world, &self.vocabulary, self.settings.limit)
                    .and_then(|mut walker| {
                        let situations = walker.walk(&world, each, rng)?;
                        let (fluents, actions) = walker.terms();
                        Ok(GivenWorld::new(world, situations, fluents, actions, &self.vocabulary))
                    });
                let given = walked.map_err(|error| self.fault(error))?;
                if given.situations.len() >= FEWEST_OF_WORLD {
                    of_level.push(given);
                }
            }
            // Those with the most to say come first and last, where the check looks.
            of_level.sort_by_key(|given| std::cmp::Reverse(given.patterns.len()));
            if of_level.len() > 1 {
                let second = of_level.remove(1);
                of_level.push(second);
            }
            let is_whole = of_level.iter().any(|given| given.world.whole);
            let least = if is_whole { FEWEST_OF_PROBLEM } else { FEWEST };
            if self.distinct(&of_level) >= least {
                all.push(of_level);
            } else {
                let counts: Vec<String> = level.counts.iter().map(ToString::to_string).collect();
                self.notes.push(format!(
                    "worlds with {} objects ({}) have too few situations, and are left out",
                    level.counts.iter().sum::<usize>(),
                    counts.join(" + ")
                ));
            }
        }
        // What is said anywhere must be said where the check looks.
        let ends = |level: &Vec<GivenWorld>| [level.first().cloned(), level.last().cloned()];
        let said: BTreeSet<SaidForm> =
            all.iter().flat_map(ends).flatten().flat_map(|given| given.patterns).collect();
        for level in &mut all {
            level.retain(|given| given.patterns.is_subset(&said));
        }
        if all.is_empty() {
            let cause = "the problems have too few situations to make data of";
            return Err(Fault::new(&self.domain.file, 0, cause, "add larger problems").into());
        }
        if all.len() < 5 {
            self.notes.push(format!(
                "there are fewer than five levels, {}: the problems, and what they are without some objects or with \
                 more of them, have no more sizes",
                all.len()
            ));
        }
        let numbered = all
            .into_iter()
            .zip(1..)
            .flat_map(|(level, number)| level.into_iter().map(move |given| (number, given)));
        Ok(numbered.collect())
    }

    /// How many of the situations differ by more than what objects are called.
    fn distinct(&self, level: &[GivenWorld]) -> usize {
        let mut keys = BTreeSet::new();
        for given in level {
            let objects = layout(&given.world, &self.vocabulary, 1).objects;
            let ids: Vec<&str> = objects.iter().map(|object| object.id.as_ref()).collect();
            let kinds: Vec<usize> = objects.iter().map(|object| object.kind).collect();
            let fluents: BTreeSet<&Term> = given.situations.iter().flatten().collect();
            let terms: Vec<&Term> = given.world.statics.iter().chain(fluents).collect();
            let worlds = WorldKeys::new(self.name, &ids, &kinds, terms.iter().copied());
            for situation in &given.situations {
                let so = |term: &Term| given.world.statics.contains(term) || situation.contains(term);
                keys.insert(worlds.key((0..terms.len()).filter(|place| so(terms[*place]))));
            }
        }
        keys.len()
    }

    fn written(self, given: Vec<(i32, GivenWorld)>, known: Vec<ImportedInvariant>) -> ImportedPackage {
        let text = PackageText {
            vocabulary: &self.vocabulary,
            worlds: &given,
            rules: &self.rules,
            invariants: &known,
            domain: self.domain,
            problems: self.problems,
        };
        let files = text.files();
        let relations = self.domain.predicates.iter().chain(&self.domain.functions);
        let relations =
            relations.map(|r| (r.name.clone(), self.vocabulary.relation(&r.name).to_owned())).collect();
        let actions = self.domain.actions.iter();
        let actions = actions.map(|a| (a.name.clone(), self.vocabulary.action(&a.name).to_owned())).collect();
        let kinds = self.vocabulary.kinds;
        ImportedPackage { files, worlds: given, kinds, relations, actions, notes: self.notes }
    }
}
