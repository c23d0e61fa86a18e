//! A layout's program over several steps to clingo's verdict on what can be reached: the judge of goals and plans.
//!
//! The situation at time 0 is left open and at most one action occurs a step, so that one grounding answers for every
//! situation of the layout: a goal can be reached within t actions if the program has an answer set in which the fluents of
//! time 0 are those of the situation and the goal is true at time t. That n actions are the fewest is proved by an answer
//! set for n and none for n - 1. That something can never become so is proved by a fixpoint over one step: with each fluent
//! taken to have, at time 0, any of the values that it was found to be able to have, no answer set gives a further one.

use std::time::Duration;

use racgen_logic::clingo::{Program, Search, Source};
use racgen_logic::error::LogicError;
use racgen_logic::term::Term;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::domain::embedded::axioms;
use crate::domain::package::Package;
use crate::simulate::layout::Layout;

/// What is named in the grounding.
const NAMED: &[(&str, usize)] = &[("holds", 2), ("occ", 2), ("inertial", 1)];

/// A fluent as a term, and whether it is to be true.
pub type TermLiteral = (Term, bool);

/// clingo, at work on a layout's program over some steps.
pub struct PlanSearch {
    search: Search,
    /// By fluent or action, and time, its atom; none where it always holds.
    holds: HashMap<(Term, i32), Option<u32>>,
    occ: HashMap<(Term, i32), Option<u32>>,
    inertial: Vec<Term>,
}

/// The layout's program over so many steps; `theory` takes the place of its rules where a text tells them.
pub fn several_steps(layout: &Layout, package: &Package, theory: Option<&Source>, steps: usize) -> Program {
    let one = layout.step_program(package);
    let constants = one.constants.into_iter().filter(|(name, _)| name != "n");
    let sources = match theory {
        Some(theory) => vec![axioms("kernel.lp"), axioms("open.lp"), axioms("told.lp"), theory.clone()],
        None => {
            vec![axioms("kernel.lp"), axioms("open.lp"), layout.facts(package), package.domain.clone()]
        }
    };
    Program { sources, parts: vec![], constants: constants.chain([("n".to_owned(), steps as i64)]).collect() }
}

/// The atom of something that is assumed, if there is one, and its truth; an atom without a number always holds.
type Assumed = (Option<Option<u32>>, bool);

/// What is left to assume; none where it cannot be so.
fn assumptions(all: &[Assumed]) -> Option<Vec<(u32, bool)>> {
    let mut assume = Vec::new();
    for (atom, truth) in all {
        match atom {
            // What always holds, and what never does.
            Some(None) if !truth => return None,
            None | Some(Some(0)) if *truth => return None,
            Some(Some(number)) if *number > 0 => assume.push((*number, *truth)),
            _ => {}
        }
    }
    Some(assume)
}

impl PlanSearch {
    /// Grounds a program over several steps.
    ///
    /// # Errors
    /// Those of [`Program::search`].
    pub fn new(program: &Program, limit: Duration) -> Result<PlanSearch, LogicError> {
        let search = program.search(NAMED, None, limit)?;
        let (mut holds, mut occ, mut inertial) = (HashMap::default(), HashMap::default(), Vec::new());
        for (term, atom) in search.atoms() {
            if term.is("inertial", 1) {
                inertial.push(term.args()[0].clone());
            } else if let [what, Term::Number(time)] = term.args() {
                let all = if term.is("holds", 2) { &mut holds } else { &mut occ };
                all.insert((what.clone(), *time), atom);
            }
        }
        Ok(PlanSearch { search, holds, occ, inertial })
    }

    /// Can a situation, of which the true fluents are given, become one in which all of the goal is so, by at most so many
    /// actions? With `first`, the first action is this one, or any but this one.
    ///
    /// # Errors
    /// Solver failures.
    pub fn reaches(
        &mut self,
        situation: &[Term],
        goal: &[TermLiteral],
        within: usize,
        first: Option<(&Term, bool)>,
    ) -> Result<bool, LogicError> {
        let here: HashSet<&Term> = situation.iter().collect();
        let start = self.inertial.iter().map(|fluent| (fluent, 0, here.contains(fluent)));
        let end = goal.iter().map(|(fluent, truth)| (fluent, within as i32, *truth));
        let mut all: Vec<Assumed> =
            start.chain(end).map(|(fluent, time, truth)| (self.at(fluent, time), truth)).collect();
        all.extend(first.map(|(action, truth)| (self.occ.get(&(action.clone(), 0)).copied(), truth)));
        match assumptions(&all) {
            Some(assume) => Ok(!self.search.truth(&assume, 1)?.is_empty()),
            None => Ok(false),
        }
    }

    /// As [`PlanSearch::reaches`], with a fluent that is false from the beginning to the end.
    ///
    /// # Errors
    /// Solver failures.
    pub fn reaches_without(
        &mut self,
        situation: &[Term],
        goal: &[TermLiteral],
        within: usize,
        never: &Term,
    ) -> Result<bool, LogicError> {
        let here: HashSet<&Term> = situation.iter().collect();
        let start = self.inertial.iter().map(|fluent| (fluent, 0, here.contains(fluent)));
        let end = goal.iter().map(|(fluent, truth)| (fluent, within as i32, *truth));
        let held_off = (0..=within as i32).map(|time| (never, time, false));
        let all: Vec<Assumed> =
            start.chain(end).chain(held_off).map(|(f, time, truth)| (self.at(f, time), truth)).collect();
        match assumptions(&all) {
            Some(assume) => Ok(!self.search.truth(&assume, 1)?.is_empty()),
            None => Ok(false),
        }
    }

    fn at(&self, fluent: &Term, time: i32) -> Option<Option<u32>> {
        self.holds.get(&(fluent.clone(), time)).copied()
    }

    /// The values that fluents could come to have from a situation on, if one of them is false from the beginning to the
    /// end: the fixpoint over one step, beginning with the values in the situation and those that are `known` to be reached.
    /// A value that is not among them is never reached so. This needs the program over one step.
    ///
    /// # Errors
    /// Solver failures.
    pub fn values_without(
        &mut self,
        situation: &[Term],
        known: &[TermLiteral],
        never: &Term,
    ) -> Result<HashSet<TermLiteral>, LogicError> {
        let here: HashSet<&Term> = situation.iter().collect();
        let mut fluents: Vec<Term> =
            self.holds.keys().filter(|(f, _)| !f.is("neg", 1)).map(|(fluent, _)| fluent.clone()).collect();
        fluents.sort_unstable();
        fluents.dedup();
        let mut may: HashSet<TermLiteral> =
            fluents.iter().map(|fluent| (fluent.clone(), here.contains(fluent))).collect();
        may.extend(known.iter().cloned());
        loop {
            let mut grew = false;
            let open: Vec<TermLiteral> = (fluents.iter())
                .flat_map(|fluent| [true, false].map(|truth| (fluent.clone(), truth)))
                .filter(|literal| !may.contains(literal))
                .collect();
            for literal in open {
                if may.contains(&literal) {
                    continue;
                }
                let fixed = self.inertial.iter().filter_map(|fluent| {
                    let [yes, no] = [true, false].map(|truth| may.contains(&(fluent.clone(), truth)));
                    (yes != no).then_some((fluent, 0, yes))
                });
                let held_off = [(never, 0, false), (never, 1, false)];
                let all: Vec<Assumed> = fixed
                    .chain(held_off)
                    .chain([(&literal.0, 1, literal.1)])
                    .map(|(f, time, truth)| (self.at(f, time), truth))
                    .collect();
                let Some(assume) = assumptions(&all) else { continue };
                let Some(found) = self.search.truth(&assume, 1)?.pop() else { continue };
                grew = true;
                for fluent in &fluents {
                    let truth = match self.at(fluent, 1) {
                        None | Some(Some(0)) => false,
                        Some(None) => true,
                        Some(Some(atom)) => found.holds(atom),
                    };
                    may.insert((fluent.clone(), truth));
                }
            }
            if !grew {
                return Ok(may);
            }
        }
    }

    /// Are so many actions the fewest that lead from a situation to a goal?
    ///
    /// # Errors
    /// Solver failures.
    pub fn is_fewest(
        &mut self,
        situation: &[Term],
        goal: &[TermLiteral],
        actions: usize,
    ) -> Result<bool, LogicError> {
        Ok(self.reaches(situation, goal, actions, None)?
            && (actions == 0 || !self.reaches(situation, goal, actions - 1, None)?))
    }
}
