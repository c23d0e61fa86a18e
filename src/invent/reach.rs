//! A theory to a world of it, and to the situations that can be reached there.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use racgen_logic::clingo::{Program, Source};
use racgen_logic::error::LogicError;
use racgen_logic::seed::stream;
use racgen_logic::term::Term;

use crate::domain::embedded::axioms;
use crate::invent::encode::domain_program::domain_program;
use crate::invent::encode::symbols::TheorySymbols;
use crate::invent::encode::world_program::world_program;
use crate::invent::theory::parts::{InventedTheory, TheoryCondition};
use crate::simulate::error::SimulationError;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// What one solver call may take; a theory that needs more is none to make data of. Those that are kept need a hundredth of a
/// second, so that a slow machine keeps the same ones.
const LIMIT: Duration = Duration::from_secs(60);
/// The most situations that are looked at, however near they are.
const MOST: usize = 20_000;

/// How many things of each type there are at a level; of places there are more.
pub(crate) fn sizes(theory: &InventedTheory, level: i64) -> Vec<i64> {
    let places = theory.places();
    let size = |kind: usize| match (places, level) {
        (Some(place), level) if place == kind => level + 1 + i64::from(level == 1),
        (Some(_), level) => level.max(2),
        (None, level) => level.max(2) + 1,
    };
    (0..theory.kinds).map(size).collect()
}

/// A world of a theory, with all rules to step through it.
pub(super) struct TheoryWorld {
    pub(super) engine: TransitionSystem,
    /// By action of the layout, its number in the theory.
    pub(super) schema: Vec<usize>,
    /// By action of the theory, how many ground instances static relations leave it.
    pub(super) instances: Vec<usize>,
    /// By fluent, its number among the theory's inertial fluents, then its laws; switches have none.
    pub(super) predicate: Vec<Option<usize>>,
    /// By switch, its fluent.
    pub(super) switches: Vec<usize>,
    pub(super) start: Situation,
}

/// Why there is no world to judge a theory by.
pub(super) enum NoWorld {
    /// There are no layouts, or no initial situations.
    Contradiction,
    /// The solver gave up, or took too long.
    Solver,
}

impl From<LogicError> for NoWorld {
    fn from(_: LogicError) -> NoWorld {
        NoWorld::Solver
    }
}

impl From<SimulationError> for NoWorld {
    fn from(_: SimulationError) -> NoWorld {
        NoWorld::Solver
    }
}

impl TheoryWorld {
    /// The world of a theory that these random numbers lead to, with as many things as there are at a level.
    pub(super) fn of(theory: &InventedTheory, level: i64, words: &[&str]) -> Result<TheoryWorld, NoWorld> {
        let symbols = TheorySymbols::plain(theory);
        let written = domain_program(theory, &symbols, true);
        let domain = Source::new("domain.lp", written.text);
        let world = Source::new("world.lp", world_program(theory, &symbols));
        let sizes = sizes(theory, level);
        let mut constants: Vec<(String, i64)> = Vec::new();
        let mut facts = String::new();
        let mut fixed: BTreeSet<Term> = BTreeSet::new();
        for (kind, most) in sizes.iter().enumerate() {
            constants.push((symbols.counts[kind].clone(), *most));
            let letter = (b'a' + kind as u8) as char;
            (1..=*most).for_each(|n| facts += &format!("{}({letter}{n}).\n", symbols.kinds[kind]));
        }
        if !theory.statics.is_empty() {
            let shown: Vec<(&str, usize)> = symbols.statics.iter().map(|name| (name.as_str(), 2)).collect();
            let sources = vec![Source::new("objects", facts.as_str()), alone(&world, "layout")];
            let program = Program { sources, parts: vec!["layout".into()], constants: constants.clone() };
            let mut search = program.search(&shown, Some(stream(0, words)), LIMIT)?;
            let drawn = search.draw()?.ok_or(NoWorld::Contradiction)?;
            let terms: Vec<&Term> = search.terms().collect();
            for number in drawn {
                facts += &format!("{}.\n", terms[number]);
                fixed.insert(terms[number].clone());
            }
        }
        let base = [axioms("kernel.lp"), axioms("open.lp"), Source::new("facts", facts)];
        let with = |n: i64| constants.iter().cloned().chain([("n".to_owned(), n)]).collect();
        let sources = base.iter().cloned().chain([domain]).collect();
        let step = Program { sources, parts: vec![], constants: with(1) };
        // What actions do, and what follows from laws, decides nothing here.
        let declared = Source::new("domain.lp", written.declared);
        let sources = base.into_iter().chain([declared, alone(&world, "situation")]).collect();
        let situations = Program { sources, parts: vec!["situation".into()], constants: with(0) };
        let mut search = situations.search(&[("holds", 2)], Some(stream(1, words)), LIMIT)?;
        let drawn = search.draw()?.ok_or(NoWorld::Contradiction)?;
        let terms: Vec<&Term> = search.terms().collect();
        let initial: Vec<&Term> = drawn.into_iter().map(|number| &terms[number].args()[0]).collect();
        let mut world =
            TheoryWorld::read(TransitionSystem::new(step, LIMIT)?, &symbols, written.switches, &initial)?;
        for (action, schema) in world.engine.actions.iter().zip(&world.schema) {
            let is_left = theory.actions[*schema].requires.iter().all(|condition| match condition {
                TheoryCondition::Static { relation, of } => {
                    let args = of.iter().map(|variable| action.args()[*variable].clone()).collect();
                    fixed.contains(&Term::function(&symbols.statics[*relation], args))
                }
                _ => true,
            });
            world.instances[*schema] += usize::from(is_left);
        }
        Ok(world)
    }

    fn read(
        engine: TransitionSystem,
        symbols: &TheorySymbols,
        switches: usize,
        initial: &[&Term],
    ) -> Result<TheoryWorld, NoWorld> {
        let place = |term: &Term, among: &[String]| among.iter().position(|name| name == term.functor());
        let schema = engine.actions.iter().map(|action| place(action, &symbols.actions));
        let schema: Option<Vec<usize>> = schema.collect();
        let predicate = |fluent: &Term| {
            let law = || Some(symbols.fluents.len() + place(fluent, &symbols.laws)?);
            place(fluent, &symbols.fluents).or_else(law)
        };
        let predicate = engine.fluents.iter().map(predicate).collect();
        let off = |number: usize| {
            let term = Term::function("off", vec![Term::Number(number as i32)]);
            engine.fluents.binary_search(&term).ok()
        };
        let switches: Option<Vec<usize>> = (1..=switches).map(off).collect();
        let mut start = BitSet::new(engine.fluents.len());
        for fluent in initial {
            let number = engine.fluents.binary_search(fluent).ok();
            if let Some(number) = number.filter(|number| engine.inertial.contains(*number)) {
                start.insert(number);
            }
        }
        let (schema, switches) = schema.zip(switches).ok_or(NoWorld::Solver)?;
        let instances = vec![0; symbols.actions.len()];
        Ok(TheoryWorld { engine, schema, instances, predicate, switches, start })
    }
}

/// The world program with all parts but one left blank.
fn alone(world: &Source, part: &str) -> Source {
    let mut current = "base";
    let mut text = String::new();
    for line in world.text.lines() {
        if let Some(named) = line.strip_prefix("#program ") {
            current = named.trim_end_matches('.');
        }
        if current == part {
            text += line;
        }
        text.push('\n');
    }
    Source::new("world.lp", text)
}

/// A situation that can be reached, and how.
pub(super) struct ReachedSituation {
    /// Its inertial fluents.
    pub(super) bare: Situation,
    /// All its fluents.
    pub(super) full: Situation,
    pub(super) executable: Vec<usize>,
    pub(super) depth: usize,
    /// The situation before it, and the action.
    pub(super) from: Option<(usize, usize)>,
    /// Where its actions lead, in the order of `executable`; empty if it was not gone on from.
    pub(super) next: Vec<usize>,
}

/// The situations of a world in the order of their distance.
pub(super) struct ReachedWorld {
    pub(super) all: Vec<ReachedSituation>,
    /// Was there an executable action without a successor?
    pub(super) stuck: Option<usize>,
}

impl ReachedWorld {
    /// Goes on from the start until there are so many situations, and one at such a distance, or no more.
    pub(super) fn explore(
        world: &mut TheoryWorld,
        enough: usize,
        distance: usize,
    ) -> Result<ReachedWorld, NoWorld> {
        let start = world.start.clone();
        let Some((here, _)) = world.engine.consider(&start, None)? else {
            return Err(NoWorld::Contradiction);
        };
        let first = ReachedSituation {
            bare: start.clone(),
            full: here.situation,
            executable: here.executable,
            depth: 0,
            from: None,
            next: Vec::new(),
        };
        let mut known: HashMap<Situation, usize> = HashMap::from([(start, 0)]);
        let mut reached = ReachedWorld { all: vec![first], stuck: None };
        let mut open = 0;
        while open < reached.all.len() {
            let is_far = reached.all.last().is_some_and(|last| last.depth >= distance);
            if reached.all.len() >= enough && is_far || reached.all.len() >= MOST {
                break;
            }
            // Many at once, of one distance.
            let depth = reached.all[open].depth;
            let end = (open..reached.all.len())
                .find(|n| reached.all[*n].depth > depth)
                .unwrap_or(reached.all.len());
            let end = end.min(open + 64);
            let tried: Vec<(usize, usize)> =
                (open..end).flat_map(|n| reached.all[n].executable.iter().map(move |a| (n, *a))).collect();
            let asked: Vec<(&Situation, usize)> =
                tried.iter().map(|(n, a)| (&reached.all[*n].bare, *a)).collect();
            let outcomes = world.engine.steps(&asked)?;
            for ((from, action), outcome) in tried.into_iter().zip(outcomes) {
                let Some(outcome) = outcome else {
                    reached.stuck = Some(action);
                    return Ok(reached);
                };
                let bare = outcome.situation.intersection(&world.engine.inertial);
                let place = *known.entry(bare.clone()).or_insert(reached.all.len());
                if place == reached.all.len() {
                    reached.all.push(ReachedSituation {
                        bare,
                        full: outcome.situation,
                        executable: outcome.executable,
                        depth: depth + 1,
                        from: Some((from, action)),
                        next: Vec::new(),
                    });
                }
                reached.all[from].next.push(place);
            }
            open = end;
        }
        Ok(reached)
    }

    /// The actions that lead to a situation, with the situations that they are done in.
    pub(super) fn way_to(&self, place: usize) -> Vec<(usize, usize)> {
        let mut way = Vec::new();
        let mut at = place;
        while let Some((from, action)) = self.all[at].from {
            way.push((from, action));
            at = from;
        }
        way.reverse();
        way
    }
}
