//! The layouts of a level to one grounding of their steps, one of their situations, and one of what completes situations that are told
//! in part, which each of them shares.
//!
//! Layouts of a level differ in static facts, in how many objects there are of some types, and in parameters. All this is
//! left open: objects beyond the fewest may exist or not, static facts are those that the rules for layouts can derive, and
//! parameters that vary are read from facts. What is ground then holds for every layout; folding the facts of one into the
//! compiled rules takes a small part of the time that grounding it takes.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use racgen_logic::clingo::{Program, RecordedProgram, Source};
use racgen_logic::term::Term;

use crate::domain::package::{Package, Range};
use crate::simulate::layout::Layout;
use crate::simulate::open::bounds::{LayoutBounds, OpenBounds};
use crate::simulate::open::constants::{PARAMETER, read_from_facts};
use crate::simulate::open::grounding::{LayoutGrounding, OpenGrounding, budget};
use crate::simulate::transitions::compiled_layout::SHOWN;

/// A parameter with more values than this is one that each layout is to have for itself.
const MOST_VALUES: i64 = 16;
/// Where a package has no static relations, layouts with the same parameters share a grounding anyway. With at most so
/// many of them that is enough.
const FEW_LAYOUTS: i64 = 8;

/// The groundings that the layouts of a level share.
pub(crate) struct OpenLevel {
    /// The parameters that vary.
    varying: Vec<String>,
    step: OpenGrounding,
    situation: Program,
    situations: OnceLock<Option<OpenGrounding>>,
    /// What is so in every situation.
    completion: Program,
    completions: OnceLock<Option<OpenBounds>>,
    facts: OpenFacts,
}

/// What layouts of a level have in common, and what they differ in.
#[derive(Default)]
struct OpenFacts {
    always: Vec<Term>,
    varying: Vec<Term>,
}

impl OpenFacts {
    /// The facts as a logic program, in which what varies may be chosen.
    fn source(&self, package: &Package) -> Source {
        let types = package.types.iter().map(|kind| (kind.name.as_str(), 1));
        let statics = package.statics.iter().map(|(name, arity)| (name.as_str(), *arity));
        let defined = types.chain(statics).map(|(name, arity)| format!("#defined {name}/{arity}.\n"));
        let always = self.always.iter().map(|term| format!("{term}.\n"));
        let varying = self.varying.iter().map(|term| format!("{{ {term} }}.\n"));
        Source::new("the layouts' facts", defined.chain(always).chain(varying).collect::<String>())
    }
}

/// The values of a parameter as a fact.
fn parameter(name: &str, value: i64) -> Option<Term> {
    let value = i32::try_from(value).ok()?;
    Some(Term::function(PARAMETER, vec![Term::constant(name), Term::Number(value)]))
}

impl OpenLevel {
    /// Grounds the steps of a level's layouts, with the parameters that are `fixed` for all of them. None where each layout
    /// is better ground for itself.
    pub(crate) fn new(package: &Package, level: i32, fixed: &BTreeMap<String, i64>) -> Option<OpenLevel> {
        let mut ranges: BTreeMap<&str, Range> =
            package.levels.get(&level)?.iter().map(|(name, range)| (name.as_str(), *range)).collect();
        for (name, value) in fixed {
            *ranges.get_mut(name.as_str())? = (*value, *value);
        }
        let varying: Vec<&str> =
            ranges.iter().filter(|(_, (low, high))| low < high).map(|(name, _)| *name).collect();
        let values = |name: &&str| ranges[name].1 - ranges[name].0 + 1;
        if varying.iter().any(|name| values(name) > MOST_VALUES) {
            return None;
        }
        let layouts = varying.iter().map(values).fold(1, i64::saturating_mul);
        if package.statics.is_empty() && layouts <= FEW_LAYOUTS {
            return None;
        }
        let most = ranges.iter().map(|(name, (_, high))| ((*name).to_owned(), *high)).collect();
        let largest = Layout::with_parameters(package, most).ok()?;
        let mut facts = OpenFacts::default();
        for (kind, of_kind) in package.types.iter().enumerate() {
            let least = ranges.get(of_kind.count.as_str()).map_or(0, |range| range.0);
            let objects = largest.objects.iter().filter(|object| object.kind == kind);
            for (number, object) in objects.enumerate() {
                let term = Term::function(&of_kind.name, vec![Term::constant(&object.id)]);
                let is_always = (number as i64) < least;
                if is_always { &mut facts.always } else { &mut facts.varying }.push(term);
            }
        }
        for name in &varying {
            for value in ranges[name].0..=ranges[name].1 {
                facts.varying.push(parameter(name, value)?);
            }
        }
        let opened = |mut program: Program, facts: &OpenFacts| {
            let own = program.sources.iter().position(|source| &*source.name == Layout::FACTS)?;
            program.sources[own] = facts.source(package);
            for source in program.sources.iter_mut().enumerate().filter(|(n, _)| *n != own).map(|(_, s)| s) {
                *source = read_from_facts(source, &varying)?;
            }
            program.constants.retain(|(name, _)| !varying.contains(&name.as_str()));
            Some(program)
        };
        if !package.statics.is_empty() {
            let shown: Vec<(&str, usize)> = package.statics.iter().map(|(n, a)| (n.as_str(), *a)).collect();
            let program = opened(largest.layout_program(package), &facts)?;
            for (term, atom) in program.ground_within(&shown, Some(budget())).ok()?.named {
                match atom {
                    None => facts.always.push(term),
                    Some(0) => {}
                    Some(_) => facts.varying.push(term),
                }
            }
        }
        let situation = opened(largest.situation_program(package), &facts)?;
        let completion = opened(largest.completion_program(package), &facts)?;
        let step = opened(largest.step_program(package), &facts)?;
        let is_input =
            |term: &Term| ["holds", "occ", "comes"].iter().any(|input| term.is(input, 2)) && is_first(term);
        let step = OpenGrounding::new(&step, SHOWN, &facts.varying, &facts.always, is_input)?;
        let varying = varying.into_iter().map(str::to_owned).collect();
        let (situations, completions) = (OnceLock::new(), OnceLock::new());
        Some(OpenLevel { varying, step, situation, situations, completion, completions, facts })
    }

    /// The rules of situations, ground once they are needed.
    fn situations(&self) -> Option<&OpenGrounding> {
        let ground = self.situations.get_or_init(|| {
            let is_input = |term: &Term| term.is("holds", 2) && is_first(term);
            let OpenFacts { varying, always } = &self.facts;
            OpenGrounding::new(&self.situation, &[("holds", 2)], varying, always, is_input)
        });
        ground.as_ref()
    }

    /// The rules that complete what is told of situations, ground once they are needed.
    fn completions(&self) -> Option<&OpenBounds> {
        let ground = self.completions.get_or_init(|| {
            let is_input = |term: &Term| term.is("holds", 2) && is_first(term);
            let OpenFacts { varying, always } = &self.facts;
            OpenBounds::new(&self.completion, &[("holds", 2)], (varying, always), is_input)
        });
        ground.as_ref()
    }

    /// A layout of the level.
    pub(crate) fn layout(self: &Arc<OpenLevel>, package: &Package, layout: &Layout) -> Option<OpenLayout> {
        let kind = |kind: usize| &*package.types[kind].name;
        let objects =
            layout.objects.iter().map(|o| Term::function(kind(o.kind), vec![Term::constant(&o.id)]));
        let mut facts: Vec<Term> = objects.chain(layout.statics.iter().cloned()).collect();
        for name in &self.varying {
            facts.push(parameter(name, *layout.parameters.get(name)?)?);
        }
        Some(OpenLayout { level: self.clone(), facts })
    }
}

/// One of the layouts that share groundings.
pub(crate) struct OpenLayout {
    level: Arc<OpenLevel>,
    facts: Vec<Term>,
}

impl OpenLayout {
    /// The rules of its steps and questions; none where they cannot be told from those of the level.
    pub(crate) fn step(&self) -> Option<LayoutGrounding> {
        self.level.step.of(&self.facts)
    }

    /// The rules of its situations.
    pub(crate) fn situations(&self) -> Option<LayoutGrounding> {
        self.level.situations()?.of(&self.facts)
    }

    /// The rules that complete what is told of its situations.
    pub(crate) fn completions(&self) -> Option<LayoutBounds> {
        self.level.completions()?.of(&self.facts)
    }

    /// The rules of all layouts' situations, for clingo to search, and what is known of their atoms in this one.
    pub(crate) fn recorded(&self) -> Option<(&RecordedProgram, Vec<(u32, bool)>)> {
        self.level.situations()?.recorded(&self.facts)
    }
}

/// Is the atom about the first situation?
fn is_first(term: &Term) -> bool {
    term.args()[1] == Term::Number(0)
}
