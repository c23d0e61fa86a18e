//! A package and a level to layouts, which clingo samples, and a layout to its logic programs.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use racgen_logic::clingo::{Program, Source};
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::domain::embedded::axioms;
use crate::domain::package::Package;
use crate::simulate::error::SimulationError;

/// An object of a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its constant.
    pub id: Arc<str>,
    /// Its type, as an index into [`Package::types`].
    pub kind: usize,
}

/// The objects and static relations of a world.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The parameters drawn.
    pub parameters: BTreeMap<String, i64>,
    /// The objects, type by type.
    pub objects: Vec<Object>,
    /// The static facts, in the order of their terms.
    pub statics: Vec<Term>,
}

fn tell(parameters: &BTreeMap<String, i64>) -> String {
    parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

fn unknown_level(package: &Package, level: i32) -> SimulationError {
    let known = package.levels.keys().map(|n| format!("N{n}")).collect::<Vec<_>>().join(", ");
    SimulationError::Unknown(format!("the domain `{}` has no level N{level}; it has {known}", package.name))
}

impl Layout {
    /// What the source of [`Layout::facts`] is called.
    pub(crate) const FACTS: &'static str = "the layout's facts";

    /// Samples a layout of a level; `fixed` parameters override the package's.
    ///
    /// # Errors
    /// Unknown levels and parameters, contradictory constraints, solver failures.
    pub fn sample(
        package: &Package,
        level: i32,
        fixed: &BTreeMap<String, i64>,
        rng: &mut ChaCha8Rng,
        limit: Duration,
    ) -> Result<Layout, SimulationError> {
        Layout::bare(package, level, fixed, rng)?.furnish(package, rng, limit)
    }

    /// Draws the parameters of a layout: it has objects, but no static facts yet.
    ///
    /// # Errors
    /// Unknown levels and parameters.
    pub fn bare(
        package: &Package,
        level: i32,
        fixed: &BTreeMap<String, i64>,
        rng: &mut ChaCha8Rng,
    ) -> Result<Layout, SimulationError> {
        let ranges = package.levels.get(&level).ok_or_else(|| unknown_level(package, level))?;
        let mut parameters = BTreeMap::new();
        for (name, (low, high)) in ranges {
            parameters.insert(name.clone(), rng.random_range(*low..=*high));
        }
        for (name, value) in fixed {
            if parameters.insert(name.clone(), *value).is_none() {
                let known = ranges.keys().cloned().collect::<Vec<_>>().join(", ");
                return Err(SimulationError::Unknown(format!(
                    "the domain `{}` has no parameter `{name}`; it has {known}",
                    package.name
                )));
            }
        }
        Layout::with_parameters(package, parameters)
    }

    /// The layout of these parameters, without static facts.
    ///
    /// # Errors
    /// More objects than there are names for.
    pub(crate) fn with_parameters(
        package: &Package,
        parameters: BTreeMap<String, i64>,
    ) -> Result<Layout, SimulationError> {
        let mut objects = Vec::new();
        for (kind, t) in package.types.iter().enumerate() {
            let count = parameters.get(&t.count).copied().unwrap_or(0);
            if count > t.names.len() as i64 || count < 0 {
                return Err(SimulationError::Unknown(format!(
                    "{count} is no possible number of {}s: the domain `{}` has names for {}",
                    t.name,
                    package.name,
                    t.names.len()
                )));
            }
            objects.extend((1..=count).map(|n| Object { id: format!("{}{n}", t.id).into(), kind }));
        }
        Ok(Layout { parameters, objects, statics: Vec::new() })
    }

    /// Samples the static facts.
    ///
    /// # Errors
    /// Contradictory constraints, solver failures.
    pub fn furnish(
        mut self,
        package: &Package,
        rng: &mut ChaCha8Rng,
        limit: Duration,
    ) -> Result<Layout, SimulationError> {
        if !package.statics.is_empty() {
            let shown: Vec<(&str, usize)> = package.statics.iter().map(|(n, a)| (n.as_str(), *a)).collect();
            let program = self.layout_program(package);
            let mut search = program.search(&shown, Some(ChaCha8Rng::from_rng(rng)), limit)?;
            let drawn = search.draw()?.ok_or_else(|| SimulationError::NoLayout {
                domain: package.name.clone(),
                parameters: tell(&self.parameters),
            })?;
            let terms: Vec<&Term> = search.terms().collect();
            self.statics = drawn.into_iter().map(|n| terms[n].clone()).collect();
            self.statics.sort_unstable();
        }
        Ok(self)
    }

    /// The program whose answer sets are the layouts with these objects.
    pub fn layout_program(&self, package: &Package) -> Program {
        Program {
            sources: vec![self.facts(package), part_of_world(package, "layout")],
            parts: vec!["layout".into()],
            constants: self.constants(None),
        }
    }

    /// The layout that a row's facts describe, and the other facts: the fluents true initially. Parameters that
    /// count objects are counted; the others, which the facts do not tell, get the least value of the level.
    ///
    /// # Errors
    /// A level or an object that the package does not know.
    pub fn from_facts(
        package: &Package,
        level: i32,
        facts: Vec<Term>,
    ) -> Result<(Layout, Vec<Term>), SimulationError> {
        let ranges = package.levels.get(&level).ok_or_else(|| unknown_level(package, level))?;
        let mut parameters: BTreeMap<String, i64> =
            ranges.iter().map(|(name, (low, _))| (name.clone(), *low)).collect();
        let (mut objects, mut statics, mut fluents) = (Vec::new(), Vec::new(), Vec::new());
        for fact in facts {
            let kind = package.types.iter().position(|t| fact.is(&t.name, 1));
            if let Some(kind) = kind {
                let id: Arc<str> = fact.args()[0].to_string().into();
                if package.kind_of(&id) != Some(kind) {
                    return Err(SimulationError::Unknown(format!(
                        "`{fact}` is no object of the domain `{}`, where a {} is called {}1 and the like",
                        package.name, package.types[kind].name, package.types[kind].id
                    )));
                }
                objects.push(Object { id, kind });
            } else if package.statics.iter().any(|(name, arity)| fact.is(name, *arity)) {
                statics.push(fact);
            } else {
                fluents.push(fact);
            }
        }
        for (kind, t) in package.types.iter().enumerate() {
            let count = objects.iter().filter(|o| o.kind == kind).count();
            parameters.insert(t.count.clone(), count as i64);
        }
        Ok((Layout { parameters, objects, statics }, fluents))
    }

    pub(crate) fn without_situations(&self, package: &Package) -> SimulationError {
        SimulationError::NoSituation { domain: package.name.clone(), parameters: tell(&self.parameters) }
    }

    /// The object facts and static facts as a logic program. A layout may have no object of some type, and no
    /// fact of some static relation.
    pub fn facts(&self, package: &Package) -> Source {
        let mut text = String::new();
        for t in &package.types {
            text += &format!("#defined {}/1.\n", t.name);
        }
        for (name, arity) in &package.statics {
            text += &format!("#defined {name}/{arity}.\n");
        }
        for object in &self.objects {
            text += &format!("{}({}).\n", package.types[object.kind].name, object.id);
        }
        for fact in &self.statics {
            text += &format!("{fact}.\n");
        }
        Source::new(Layout::FACTS, text)
    }

    fn constants(&self, n: Option<i64>) -> Vec<(String, i64)> {
        let n = n.map(|n| ("n".to_owned(), n));
        self.parameters.iter().map(|(name, value)| (name.clone(), *value)).chain(n).collect()
    }

    /// The one-step program with its question layer.
    pub fn step_program(&self, package: &Package) -> Program {
        let mut sources = vec![
            axioms("kernel.lp"),
            axioms("open.lp"),
            axioms("ask.lp"),
            self.facts(package),
            package.domain.clone(),
            package.questions.clone(),
            package.automatic.clone(),
        ];
        sources.extend(outcomes(package));
        Program { sources, parts: vec![], constants: self.constants(Some(1)) }
    }

    /// The same without questions: the transitions alone.
    pub fn bare_step_program(&self, package: &Package) -> Program {
        let mut sources =
            vec![axioms("kernel.lp"), axioms("open.lp"), self.facts(package), package.domain.clone()];
        sources.extend(outcomes(package));
        Program { sources, ..self.step_program(package) }
    }

    /// The program whose answer sets are the trajectories of length `depth` from a situation (section 2.5).
    pub fn trajectory_program(&self, package: &Package, initially: &[Term], depth: usize) -> Program {
        let text = initially.iter().map(|fluent| format!("initially({fluent}).\n")).collect::<String>();
        let mut sources = vec![
            axioms("kernel.lp"),
            axioms("closed.lp"),
            self.facts(package),
            package.domain.clone(),
            Source::new("the initial situation", text + "#defined initially/1.\n"),
        ];
        sources.extend(outcomes(package));
        Program { sources, parts: vec![], constants: self.constants(Some(depth as i64)) }
    }

    /// Stories of `depth` actions in which what `world.lp` says of every situation holds at first; what is so then and what
    /// is done are for the caller to add.
    pub fn invariant_program(&self, package: &Package, depth: usize) -> Program {
        let mut sources =
            vec![axioms("kernel.lp"), self.facts(package), package.domain.clone(), package.world.clone()];
        sources.extend(outcomes(package));
        Program { sources, parts: vec!["invariant".into()], constants: self.constants(Some(depth as i64)) }
    }

    /// What is so in every situation of the layout, as a program whose answer sets are the situations that it allows.
    pub fn completion_program(&self, package: &Package) -> Program {
        let mut program = self.invariant_program(package, 0);
        program.sources.push(axioms("open.lp"));
        program
    }

    /// The program that says what the package's goals for the layout are: `goal(F,G)` wants F, or `neg(F)`, in the goal G.
    /// None where `world.lp` has no part `goal`.
    pub fn goal_program(&self, package: &Package) -> Option<Program> {
        let has_goals = package.world.text.lines().any(|line| part_begun(line) == Some("goal"));
        has_goals.then(|| Program {
            sources: vec![self.facts(package), part_of_world(package, "goal")],
            parts: vec!["goal".into()],
            constants: self.constants(None),
        })
    }

    /// The program whose answer sets are the legal situations.
    pub fn situation_program(&self, package: &Package) -> Program {
        let mut sources = vec![
            axioms("kernel.lp"),
            axioms("open.lp"),
            self.facts(package),
            package.domain.clone(),
            package.world.clone(),
        ];
        sources.extend(outcomes(package));
        Program { sources, parts: vec!["situation".into()], constants: self.constants(Some(0)) }
    }
}

/// What says which outcomes come, where the package's actions have several.
fn outcomes(package: &Package) -> Option<Source> {
    package.has_outcomes.then(|| axioms("outcomes.lp"))
}

/// The part of world.lp that a line begins.
fn part_begun(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("#program")?.trim_start();
    Some(&rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())])
}

/// The world program with all parts but one left blank, so that clingo misses nothing from another program in them.
fn part_of_world(package: &Package, part: &str) -> Source {
    let (mut text, mut current) = (String::new(), "base");
    for line in package.world.text.lines() {
        current = part_begun(line).unwrap_or(current);
        if current == part || current == "base" {
            text += line;
        }
        text.push('\n');
    }
    Source::new(package.world.name.clone(), text)
}
