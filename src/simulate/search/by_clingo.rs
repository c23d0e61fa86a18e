//! A layout's program over several steps to clingo's verdict on what can be reached: the judge of goals and plans.
//!
//! The situation at time 0 is left open and at most one action occurs a step, so that one grounding answers for every
//! situation of the layout: a goal can be reached within t actions if the program has an answer set in which the fluents of
//! time 0 are those of the situation and the goal is true at time t. That n actions are the fewest is proved by an answer
//! set for n and none for n - 1.

use std::time::Duration;

use racgen_logic::clingo::{Program, Search, Source};
use racgen_logic::error::LogicError;
use racgen_logic::term::Term;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::domain::embedded::axioms;
use crate::domain::package::Package;
use crate::simulate::layout::Layout;

/// What is named in the grounding.
const NAMED: &[(&str, usize)] = &[("holds", 2), ("occ", 2), ("executable", 2), ("inertial", 1)];

/// A fluent as a term, and whether it is to be true.
pub type TermLiteral = (Term, bool);

/// clingo, at work on a layout's program over some steps.
pub struct PlanSearch {
    search: Search,
    /// By fluent or action, and time, its atom; none where it always holds.
    holds: HashMap<(Term, i32), Option<u32>>,
    occ: HashMap<(Term, i32), Option<u32>>,
    executable: HashMap<(Term, i32), Option<u32>>,
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

/// What further actions are to lead to.
#[derive(Clone, Copy, Debug)]
pub enum Sought<'s> {
    /// A situation with these facts.
    Facts(&'s [TermLiteral]),
    /// One in which this action can be carried out.
    Executable(&'s Term),
}

/// The atom of something that is assumed, if there is one, and its truth; an atom without a number always holds.
pub(super) type Assumed = (Option<Option<u32>>, bool);

/// What is left to assume; none where it cannot be so.
pub(super) fn assumptions(all: &[Assumed]) -> Option<Vec<(u32, bool)>> {
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
        let mut inertial = Vec::new();
        let [mut holds, mut occ, mut executable] = [(); 3].map(|()| HashMap::default());
        for (term, atom) in search.atoms() {
            if term.is("inertial", 1) {
                inertial.push(term.args()[0].clone());
            } else if let [what, Term::Number(time)] = term.args() {
                let all = match term.functor() {
                    "holds" => &mut holds,
                    "occ" => &mut occ,
                    _ => &mut executable,
                };
                all.insert((what.clone(), *time), atom);
            }
        }
        Ok(PlanSearch { search, holds, occ, executable, inertial })
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

    /// Can a situation become one with what is sought by at most so many actions, through situations in all of which a
    /// fact, if one is given, is so?
    ///
    /// # Errors
    /// Solver failures.
    pub fn reaches_keeping(
        &mut self,
        situation: &[Term],
        sought: Sought,
        within: usize,
        held: Option<(&Term, bool)>,
    ) -> Result<bool, LogicError> {
        let end = within as i32;
        let here: HashSet<&Term> = situation.iter().collect();
        let start = self.inertial.iter().map(|fluent| (self.at(fluent, 0), here.contains(fluent)));
        let mut all: Vec<Assumed> = start.collect();
        if let Some((held, truth)) = held {
            all.extend((0..=end).map(|time| (self.at(held, time), truth)));
        }
        match sought {
            Sought::Facts(facts) => {
                all.extend(facts.iter().map(|(fluent, truth)| (self.at(fluent, end), *truth)));
            }
            Sought::Executable(action) => {
                all.push((self.executable.get(&(action.clone(), end)).copied(), true));
            }
        }
        match assumptions(&all) {
            Some(assume) => Ok(!self.search.truth(&assume, 1)?.is_empty()),
            None => Ok(false),
        }
    }

    /// Are these facts together just what an action requires, in every situation that the program allows? It is not
    /// executable where one of them is not so, and it is executable where all are.
    ///
    /// # Errors
    /// Solver failures.
    pub fn requires(&mut self, action: &Term, conditions: &[TermLiteral]) -> Result<bool, LogicError> {
        let executable = self.executable.get(&(action.clone(), 0)).copied();
        let all: Vec<Assumed> =
            conditions.iter().map(|(fluent, truth)| (self.at(fluent, 0), *truth)).collect();
        let mut against: Vec<Vec<Assumed>> =
            all.iter().map(|(atom, truth)| vec![(executable, true), (*atom, !truth)]).collect();
        against.push(all.into_iter().chain([(executable, false)]).collect());
        for assumed in against {
            if let Some(assume) = assumptions(&assumed)
                && !self.search.truth(&assume, 1)?.is_empty()
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn at(&self, fluent: &Term, time: i32) -> Option<Option<u32>> {
        self.holds.get(&(fluent.clone(), time)).copied()
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
