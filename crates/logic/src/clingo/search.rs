//! A program to its answer sets: all, random ones, or those under assumptions.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clingo::defaults::Non;
use clingo::{ClingoError, GenericControl, GenericSolveHandle, Model, SolveMode, SolverLiteral};
use rand::rngs::ChaCha8Rng;

use super::control::{SearchContext, feed, free};
use super::gate;
use super::program::Program;
use super::randomness::Orders;
use super::symbols::{NamedAtom, named_atoms};
use crate::error::LogicError;
use crate::term::Term;

/// A grounded program and clingo's solver for it. Stays on its thread.
pub struct Search {
    state: SearchState,
    atoms: Vec<NamedAtom>,
    /// The literals of the named atoms, by the atoms' numbers.
    literals: Arc<[Option<SolverLiteral>]>,
    limit: Duration,
    orders: Arc<Orders>,
}

/// A control waits, or searches for the next random answer set.
enum SearchState {
    Waiting(GenericControl<SearchContext>),
    Drawing(GenericSolveHandle<SearchContext, Non>),
    /// Between the two, or for good after clingo failed.
    Gone,
}

/// Which atoms are true in an answer set, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth(Vec<u64>);

impl Truth {
    /// Is the atom true?
    pub fn holds(&self, atom: u32) -> bool {
        self.0.get(atom as usize / 64).is_some_and(|word| word >> (atom % 64) & 1 == 1)
    }

    fn read(model: &Model, literals: &[Option<SolverLiteral>]) -> Result<Truth, ClingoError> {
        let mut truth = Truth(vec![0; literals.len().div_ceil(64)]);
        for (number, literal) in literals.iter().enumerate() {
            if let Some(literal) = literal
                && model.is_true(*literal)?
            {
                truth.0[number / 64] |= 1 << (number % 64);
            }
        }
        Ok(truth)
    }
}

/// The literal of a named atom that stands in no ground rule, so that it is true in no answer set. clingo itself calls
/// it true.
fn is_never_true(literal: SolverLiteral) -> bool {
    literal.get_integer() == 0
}

/// Is a named atom true in an answer set? A fact is in all.
fn holds(model: &Model, literal: Option<SolverLiteral>) -> Result<bool, ClingoError> {
    match literal {
        None => Ok(true),
        Some(literal) if is_never_true(literal) => Ok(false),
        Some(literal) => model.is_true(literal),
    }
}

/// The literals of named atoms, each at its atom's number.
fn by_number(atoms: &[NamedAtom]) -> Arc<[Option<SolverLiteral>]> {
    let mut literals = Vec::new();
    for literal in atoms.iter().filter_map(|(_, literal)| *literal).filter(|l| !is_never_true(*l)) {
        let number = literal.get_integer().unsigned_abs() as usize;
        literals.resize(literals.len().max(number + 1), None);
        literals[number] = Some(literal);
    }
    literals.into()
}

impl Program {
    /// Grounds the program for clingo's search.
    ///
    /// With a source of randomness each search finds a random answer set, by deciding the named atoms in random
    /// order; without one, clingo searches as it does.
    ///
    /// # Errors
    /// Those of [`Program::ground`].
    pub fn search(
        &self,
        shown: &[(&str, usize)],
        rng: Option<ChaCha8Rng>,
        limit: Duration,
    ) -> Result<Search, LogicError> {
        let (gate, _) = gate::enter(self);
        let (mut control, dice) = Search::control(&self.arguments(&[]), rng)?;
        let atoms = match feed(&mut control, self).and_then(|()| named_atoms(&control, shown, false)) {
            Ok(atoms) => atoms,
            Err(error) => {
                free(control);
                drop(gate);
                // Nobody reads what clingo says in a search; grounding again tells what is wrong.
                return Err(self.ground(shown).err().unwrap_or(error));
            }
        };
        drop(gate);
        Ok(Search::ready(control, dice, atoms, limit))
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        if let Ok(control) = self.taken() {
            free(control);
        }
    }
}

/// What a control's dice and its search have in common.
pub(super) type SharedDice = (Arc<OnceLock<Vec<SolverLiteral>>>, Arc<Orders>);

impl Search {
    /// A control without rules.
    pub(super) fn control(
        arguments: &[String],
        rng: Option<ChaCha8Rng>,
    ) -> Result<(GenericControl<SearchContext>, SharedDice), LogicError> {
        let own: &[&str] = match rng {
            // After each answer set the dice are thrown anew from the start.
            Some(_) => &["0", "--enum-mode=record", "--restart-on-model"],
            None => &["0"],
        };
        let arguments = arguments.iter().cloned().chain(own.iter().map(|&own| own.to_owned())).collect();
        let context = SearchContext::new(rng);
        let dice = (context.dice.candidates.clone(), context.dice.orders.clone());
        Ok((clingo::control_with_context(arguments, context)?, dice))
    }

    /// A search of a control that has all its rules.
    pub(super) fn ready(
        control: GenericControl<SearchContext>,
        (candidates, orders): SharedDice,
        atoms: Vec<NamedAtom>,
        limit: Duration,
    ) -> Search {
        let _ = candidates.set(atoms.iter().filter_map(|(_, literal)| *literal).collect());
        let literals = by_number(&atoms);
        Search { state: SearchState::Waiting(control), atoms, literals, limit, orders }
    }

    /// The named atoms, which [`Search::draw`] numbers.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.atoms.iter().map(|(term, _)| term)
    }

    /// The named atoms with the numbers that [`Search::truth`] knows them by; a fact has none, and what is true in no
    /// answer set has 0.
    pub fn atoms(&self) -> impl Iterator<Item = (&Term, Option<u32>)> {
        let number = |literal: &SolverLiteral| literal.get_integer().unsigned_abs();
        self.atoms.iter().map(move |(term, literal)| (term, literal.as_ref().map(number)))
    }

    /// Which named atoms are true, by their numbers, in up to `most` answer sets under the given truth values;
    /// facts are not listed.
    ///
    /// # Errors
    /// [`LogicError::TimeLimit`] if the search takes longer than the limit.
    pub fn truth(&mut self, assume: &[(u32, bool)], most: usize) -> Result<Vec<Truth>, LogicError> {
        let literals = self.literals.clone();
        let of_number = |atom: u32| literals.get(atom as usize).copied().flatten();
        let assume: Vec<SolverLiteral> = assume
            .iter()
            .filter_map(|(atom, value)| of_number(*atom).map(|l| if *value { l } else { l.negate() }))
            .collect();
        self.models(&assume, most, |model| Truth::read(model, &literals))
    }

    /// The true named atoms of up to `most` answer sets, in clingo's own order.
    ///
    /// # Errors
    /// As [`Search::truth`].
    pub fn enumerate(&mut self, most: usize) -> Result<Vec<Vec<Term>>, LogicError> {
        let atoms = std::mem::take(&mut self.atoms);
        self.orders.rest(true);
        let found = self.models(&[], most, |model| {
            let mut answer = Vec::new();
            for (term, literal) in &atoms {
                if holds(model, *literal)? {
                    answer.push(term.clone());
                }
            }
            Ok(answer)
        });
        self.orders.rest(false);
        self.atoms = atoms;
        found
    }

    /// Draws the next random answer set: the numbers of its named atoms. None is drawn twice before all were.
    ///
    /// # Errors
    /// [`LogicError::TimeLimit`] if the search takes longer than the limit.
    pub fn draw(&mut self) -> Result<Option<Vec<usize>>, LogicError> {
        self.orders.give_up_after(Some(self.limit));
        for fresh in [false, true] {
            if fresh || !matches!(self.state, SearchState::Drawing(_)) {
                let control = self.taken()?;
                self.state = SearchState::Drawing(control.solve(SolveMode::YIELD, &[])?);
            }
            let SearchState::Drawing(handle) = &mut self.state else { break };
            self.orders.start_afresh();
            let model = match handle.resume().and_then(|()| handle.model()) {
                Ok(Some(model)) => model,
                Ok(None) if fresh => break,
                Ok(None) => continue,
                Err(_) if self.orders.expired() => return Err(LogicError::TimeLimit(self.limit)),
                Err(error) => return Err(error.into()),
            };
            let mut found = Vec::new();
            for (number, (_, literal)) in self.atoms.iter().enumerate() {
                if holds(model, *literal)? {
                    found.push(number);
                }
            }
            return Ok(Some(found));
        }
        Ok(None)
    }

    /// Choices and conflicts of the last search: what it took, whatever the machine.
    ///
    /// # Errors
    /// clingo's.
    pub fn effort(&mut self) -> Result<u64, LogicError> {
        let control = self.taken()?;
        let counted = ["choices", "conflicts"].into_iter().try_fold(0.0, |sum, name| {
            let statistics = control.statistics()?;
            let mut key = statistics.root()?;
            for step in ["solving", "solvers", name] {
                key = statistics.map_at(key, step)?;
            }
            Ok::<f64, ClingoError>(sum + statistics.value_get(key)?)
        });
        self.state = SearchState::Waiting(control);
        Ok(counted? as u64)
    }

    /// What `read` reads from up to `most` answer sets under the assumptions, within the time limit.
    fn models<T>(
        &mut self,
        assume: &[SolverLiteral],
        most: usize,
        read: impl Fn(&Model) -> Result<T, ClingoError>,
    ) -> Result<Vec<T>, LogicError> {
        let control = self.taken()?;
        self.orders.give_up_after(Some(self.limit));
        let mut handle = control.solve(SolveMode::YIELD, assume)?;
        let mut found = Vec::new();
        let mut outcome = Ok(());
        while found.len() < most {
            match handle.resume().and_then(|()| handle.model()) {
                Ok(Some(model)) => found.push(read(model)?),
                Ok(None) => break,
                Err(_) if self.orders.expired() => {
                    outcome = Err(LogicError::TimeLimit(self.limit));
                    break;
                }
                Err(error) => {
                    outcome = Err(error.into());
                    break;
                }
            }
        }
        self.orders.give_up_after(None);
        self.state = SearchState::Waiting(handle.close()?);
        outcome.map(|()| found)
    }

    /// The control, after any search has been ended.
    fn taken(&mut self) -> Result<GenericControl<SearchContext>, LogicError> {
        match std::mem::replace(&mut self.state, SearchState::Gone) {
            SearchState::Waiting(control) => Ok(control),
            SearchState::Drawing(handle) => Ok(handle.close()?),
            SearchState::Gone => Err(LogicError::Internal("an earlier call failed".into())),
        }
    }
}
