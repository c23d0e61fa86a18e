//! A story told in part to its completions: all that may have been so, and where each of that leads.
//!
//! `asp/partly.lp` says what a completion is. Here the initial situations that the told facts and the package's invariants allow
//! are found by the ground rules ([`completions`](super::completions)), or by clingo, and the evaluator steps all of them
//! together; [`part_search`](super::part_search) has clingo find the completions as a whole.

use std::time::Duration;

use racgen_logic::clingo::{Program, Search};
use racgen_logic::statements::statements;
use racgen_logic::term::Term;

use crate::domain::package::Package;
use crate::simulate::error::SimulationError;
use crate::simulate::layout::Layout;
use crate::simulate::narrative::completions::{CompletionRules, ToldStart};
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// The part of `world.lp` that says what is so in every situation.
pub const INVARIANT: &str = "invariant";

/// In the column of facts, an object of which nothing is told; in that of the plan, an action that is not told.
pub const LEFT_OUT: &str = "left_out";
/// The latter.
pub const UNTOLD: &str = "untold";

/// What a telling of a story leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartTelling {
    /// Objects, by their places in the layout: whatever could be said of the initial situation that names one is left out.
    pub left_out: Vec<usize>,
    /// The step of which only is told that something was done.
    pub untold: Option<usize>,
}

impl PartTelling {
    /// Is everything told?
    pub fn is_whole(&self) -> bool {
        self.left_out.is_empty() && self.untold.is_none()
    }
}

/// Does a package say what is so in every situation? Without that nobody can tell what completions there are.
pub fn has_invariants(package: &Package) -> bool {
    let text = &*package.world.text;
    statements(text).iter().any(|s| s.part == INVARIANT && s.is_constraint(text))
}

/// Does a term name one of these objects?
pub fn names_any(term: &Term, ids: &[&str]) -> bool {
    term.args().iter().any(|argument| ids.iter().any(|id| argument.is(id, 0)) || names_any(argument, ids))
}

/// The terms that name one of these objects.
pub fn naming(terms: &[Term], ids: &[&str]) -> BitSet {
    let mut found = BitSet::new(terms.len());
    let all = terms.iter().enumerate().filter(|(_, term)| names_any(term, ids));
    all.for_each(|(place, _)| found.insert(place));
    found
}

/// So many searches that leave too much open, one after the other, and the others are not made.
const SEARCHED_AT_ONCE: usize = 8;

/// Finds the initial situations of a layout that agree with what is told of them: by the ground rules, and by clingo where
/// these do not decide it.
pub struct Completer<'c> {
    package: &'c Package,
    layout: &'c Layout,
    compiled: &'c CompiledLayout,
    rules: Option<&'c CompletionRules>,
    limit: Duration,
    /// Made once it is needed.
    clingo: Option<CompleterByClingo>,
}

impl<'c> Completer<'c> {
    /// What completes situations of a layout, given its ground rules, if these decide it.
    pub fn new(
        package: &'c Package,
        layout: &'c Layout,
        (compiled, rules): (&'c CompiledLayout, Option<&'c CompletionRules>),
        limit: Duration,
    ) -> Completer<'c> {
        Completer { package, layout, compiled, rules, limit, clingo: None }
    }

    /// For each of what is told, the situations that agree with it, in order; none where there are more than `most`.
    ///
    /// # Errors
    /// Solver failures.
    pub fn completions(
        &mut self,
        told: &[ToldStart],
        most: usize,
    ) -> Result<Vec<Option<Vec<Situation>>>, SimulationError> {
        let by_rules = self.rules.map_or_else(|| vec![None; told.len()], |rules| rules.of(told, most));
        let mut found = Vec::with_capacity(told.len());
        for ((known, situation), by_rules) in told.iter().zip(by_rules) {
            found.push(match by_rules {
                Some(all) => all,
                None => self.by_clingo(known, situation, most)?,
            });
        }
        Ok(found)
    }

    /// The same, but those that leave less open are searched first; where some of these in a row all leave too much, it is taken to be so
    /// of the others as well.
    ///
    /// # Errors
    /// Solver failures.
    pub fn few_completions(
        &mut self,
        told: &[ToldStart],
        most: usize,
    ) -> Result<Vec<Option<Vec<Situation>>>, SimulationError> {
        let unknown = |known: &BitSet| (self.compiled.fluents.len() - known.iter().count()) as f64;
        let openness =
            |told: &ToldStart| self.rules.map_or_else(|| unknown(&told.0), |rules| rules.openness(told));
        let openness: Vec<f64> = told.iter().map(openness).collect();
        let mut order: Vec<usize> = (0..told.len()).collect();
        order.sort_by(|one, other| openness[*one].total_cmp(&openness[*other]));
        let mut found = vec![None; told.len()];
        for places in order.chunks(SEARCHED_AT_ONCE) {
            let some: Vec<ToldStart> = places.iter().map(|place| told[*place].clone()).collect();
            let completed = self.completions(&some, most)?;
            if completed.iter().all(Option::is_none) {
                break;
            }
            places.iter().zip(completed).for_each(|(place, all)| found[*place] = all);
        }
        Ok(found)
    }

    fn by_clingo(
        &mut self,
        known: &BitSet,
        told: &Situation,
        most: usize,
    ) -> Result<Option<Vec<Situation>>, SimulationError> {
        let solver = match &mut self.clingo {
            Some(ready) => ready,
            none => {
                let program = self.layout.completion_program(self.package);
                none.insert(CompleterByClingo::new(&program, self.compiled, self.limit)?)
            }
        };
        solver.completions(known, told, most)
    }
}

/// Finds them by clingo alone.
pub struct CompleterByClingo {
    search: Search,
    /// Fluents and their atoms; those without one always hold.
    places: Vec<(usize, Option<u32>)>,
    fluents: usize,
}

impl CompleterByClingo {
    /// Grounds what is so in every situation of a layout.
    ///
    /// # Errors
    /// Solver failures.
    pub fn new(
        program: &Program,
        compiled: &CompiledLayout,
        limit: Duration,
    ) -> Result<CompleterByClingo, SimulationError> {
        let search = program.search(&[("holds", 2)], None, limit)?;
        let places = search.atoms().filter_map(|(atom, number)| {
            let fluent = compiled.fluents.binary_search(&atom.args()[0]).ok()?;
            Some((fluent, number))
        });
        let places = places.collect();
        Ok(CompleterByClingo { search, places, fluents: compiled.fluents.len() })
    }

    /// The situations in which all of `known` is as in `told`, in order; none where there are more than `most`.
    ///
    /// # Errors
    /// Solver failures.
    pub fn completions(
        &mut self,
        known: &BitSet,
        told: &Situation,
        most: usize,
    ) -> Result<Option<Vec<Situation>>, SimulationError> {
        let numbered = self.places.iter().filter_map(|(fluent, number)| Some((*fluent, (*number)?)));
        let assume: Vec<(u32, bool)> = numbered
            .filter(|(fluent, _)| known.contains(*fluent))
            .map(|(fluent, number)| (number, told.contains(fluent)))
            .collect();
        let found = self.search.truth(&assume, most + 1)?;
        if found.len() > most {
            return Ok(None);
        }
        let mut all: Vec<Situation> = found
            .iter()
            .map(|truth| {
                let mut situation = BitSet::new(self.fluents);
                let holds = |number: Option<u32>| number.is_none_or(|number| truth.holds(number));
                let true_ones = self.places.iter().filter(|(_, number)| holds(*number));
                true_ones.for_each(|(fluent, _)| situation.insert(*fluent));
                situation
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        Ok(Some(all))
    }
}
