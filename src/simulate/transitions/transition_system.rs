//! A compiled layout to its transitions and answers: ground once, ask often.
//!
//! A native evaluator settles situations, successors and answers; clingo solves the same program under the same
//! assumptions as judge, and in place of the evaluator where that cannot decide.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use racgen_logic::clingo::{Program, Search, Truth};
use racgen_logic::error::LogicError;
use racgen_logic::evaluate::lanes::{LaneValues, Word};
use racgen_logic::term::Term;

use crate::simulate::error::SimulationError;
use crate::simulate::situation::{AnswerSheet, Outcome, Situation};
use crate::simulate::theory::named_atoms::AtomPlace;
use crate::simulate::transitions::compiled_layout::{CompiledLayout, Native, SHOWN};
use crate::simulate::transitions::lanes::{load, truth, unload};

/// Values for the evaluators, once they are needed.
#[derive(Default)]
struct NativeValues {
    step: Option<LaneValues<WIDTH>>,
    bare_step: Option<LaneValues<WIDTH>>,
    sheet: Option<LaneValues<WIDTH>>,
}

/// Steps through a layout's situations and answers its questions.
pub struct TransitionSystem {
    compiled: Arc<CompiledLayout>,
    values: NativeValues,
    /// Does clingo decide everything?
    by_clingo: bool,
    judge: Option<Search>,
    limit: Duration,
}

impl Deref for TransitionSystem {
    type Target = CompiledLayout;

    fn deref(&self) -> &CompiledLayout {
        &self.compiled
    }
}

/// Words of 64 situations that are evaluated at once.
const WIDTH: usize = 1;
/// How many situations that is.
const LANES: usize = Word::<WIDTH>::LANES;

/// What a step leads to, if the action can occur.
type Stepped = Option<Outcome>;
/// A settled situation with its answers, if it is one.
type Considered = Option<(Outcome, AnswerSheet)>;

impl TransitionSystem {
    /// Grounds a layout's one-step program with its question layer.
    ///
    /// # Errors
    /// Those of [`Program::ground`].
    pub fn new(program: Program, limit: Duration) -> Result<TransitionSystem, LogicError> {
        Ok(TransitionSystem::of(Arc::new(CompiledLayout::new(program)?), limit))
    }

    /// An engine for a layout that is compiled already.
    pub fn of(compiled: Arc<CompiledLayout>, limit: Duration) -> TransitionSystem {
        TransitionSystem { compiled, values: NativeValues::default(), by_clingo: false, judge: None, limit }
    }

    /// Grounds a layout's one-step program for clingo's own search, which decides everything.
    ///
    /// # Errors
    /// Those of [`Program::search`].
    pub fn by_clingo(program: Program, limit: Duration) -> Result<TransitionSystem, LogicError> {
        let judge = program.search(SHOWN, None, limit)?;
        let named: Vec<(Term, Option<u32>)> = judge.atoms().map(|(t, a)| (t.clone(), a)).collect();
        let compiled = Arc::new(CompiledLayout::of_named(program, &named)?);
        Ok(TransitionSystem {
            compiled,
            values: NativeValues::default(),
            by_clingo: true,
            judge: Some(judge),
            limit,
        })
    }

    /// What the layout was compiled to.
    pub fn compiled(&self) -> &Arc<CompiledLayout> {
        &self.compiled
    }

    /// Settles a situation from its inertial fluents and says what can be asked and answered in it, with
    /// `supposed` as the action that would come next.
    ///
    /// # Errors
    /// Solver failures.
    pub fn consider(
        &mut self,
        situation: &Situation,
        supposed: Option<usize>,
    ) -> Result<Option<(Outcome, AnswerSheet)>, SimulationError> {
        Ok(self.sheets(&[(situation, supposed)])?.pop().flatten())
    }

    /// As [`TransitionSystem::consider`], for many situations at once.
    ///
    /// # Errors
    /// Solver failures.
    pub fn sheets(
        &mut self,
        asked: &[(&Situation, Option<usize>)],
    ) -> Result<Vec<Considered>, SimulationError> {
        let mut found = Vec::with_capacity(asked.len());
        for some in asked.chunks(LANES) {
            let undecided = self.sheets_in_lanes(some, &mut found);
            for ((situation, supposed), place) in some.iter().zip(found.len() - some.len()..) {
                if undecided.get(place % LANES) {
                    let truth = self.solve(situation, *supposed)?;
                    found[place] = truth.map(|t| self.read(|p| look_up(p, &t), &self.now, &self.can));
                }
            }
        }
        Ok(found)
    }

    /// Adds what the evaluator finds to `found`, and says in which lanes it found nothing out.
    fn sheets_in_lanes(
        &mut self,
        asked: &[(&Situation, Option<usize>)],
        found: &mut Vec<Considered>,
    ) -> Word<WIDTH> {
        let compiled = &*self.compiled;
        let Some(Native { sheet: evaluator, .. }) = compiled.native.as_ref().filter(|_| !self.by_clingo)
        else {
            found.extend(asked.iter().map(|_| None));
            return Word::ALL;
        };
        let values = self.values.sheet.get_or_insert_with(|| evaluator.values());
        let situations: Vec<&Situation> = asked.iter().map(|(situation, _)| *situation).collect();
        load(values, &compiled.now, &situations);
        compiled.load_actions(values, asked.iter().map(|(_, action)| *action));
        let verdict = evaluator.run(values);
        let lanes = asked.len();
        let outcomes = compiled.outcomes(values, lanes, &compiled.now, &compiled.can);
        let askable: Vec<Word<WIDTH>> = compiled
            .asked
            .iter()
            .zip(&compiled.trivial)
            .map(|(asked, trivial)| truth(values, *asked) & !truth(values, *trivial))
            .collect();
        let sheets = unload(lanes, compiled.answers.len(), |answer| {
            askable[compiled.answers[answer].question] & truth(values, compiled.answered[answer])
        });
        let all = outcomes.into_iter().zip(sheets).enumerate();
        found.extend(all.map(|(lane, all)| (!verdict.inconsistent.get(lane)).then_some(all)));
        verdict.undecided
    }

    /// The situation after an action and what is executable there, or none if the action cannot occur.
    ///
    /// # Errors
    /// Solver failures; an action with several outcomes.
    pub fn step(&mut self, situation: &Situation, action: usize) -> Result<Option<Outcome>, SimulationError> {
        Ok(self.steps(&[(situation, action)])?.pop().flatten())
    }

    /// As [`TransitionSystem::step`], for many steps at once.
    ///
    /// # Errors
    /// Solver failures; an action with several outcomes.
    pub fn steps(&mut self, asked: &[(&Situation, usize)]) -> Result<Vec<Stepped>, SimulationError> {
        self.outcomes_of(asked, false)
    }

    /// As [`TransitionSystem::steps`], but with the inertial fluents of the situations alone, which say all else. Takes
    /// less time.
    ///
    /// # Errors
    /// Solver failures; an action with several outcomes.
    pub fn bare_steps(&mut self, asked: &[(&Situation, usize)]) -> Result<Vec<Stepped>, SimulationError> {
        self.outcomes_of(asked, true)
    }

    fn outcomes_of(
        &mut self,
        asked: &[(&Situation, usize)],
        bare: bool,
    ) -> Result<Vec<Stepped>, SimulationError> {
        let mut found = Vec::with_capacity(asked.len());
        for some in asked.chunks(LANES) {
            let undecided = self.steps_in_lanes(some, bare, &mut found);
            for ((situation, action), place) in some.iter().zip(found.len() - some.len()..) {
                if undecided.get(place % LANES) {
                    let truth = self.solve(situation, Some(*action))?;
                    found[place] =
                        truth.map(|t| self.outcome(|p| look_up(p, &t), &self.next, &self.can_next));
                }
            }
        }
        if bare {
            for outcome in found.iter_mut().flatten() {
                outcome.situation = outcome.situation.intersection(&self.compiled.inertial);
            }
        }
        Ok(found)
    }

    /// Adds what the evaluator finds to `found`, and says in which lanes it found nothing out.
    fn steps_in_lanes(
        &mut self,
        asked: &[(&Situation, usize)],
        bare: bool,
        found: &mut Vec<Stepped>,
    ) -> Word<WIDTH> {
        let compiled = &*self.compiled;
        let Some(native) = compiled.native.as_ref().filter(|_| !self.by_clingo) else {
            found.extend(asked.iter().map(|_| None));
            return Word::ALL;
        };
        let (evaluator, values) = match bare {
            true => (&native.bare_step, &mut self.values.bare_step),
            false => (&native.step, &mut self.values.step),
        };
        let values = values.get_or_insert_with(|| evaluator.values());
        let situations: Vec<&Situation> = asked.iter().map(|(situation, _)| *situation).collect();
        load(values, &compiled.now, &situations);
        compiled.load_actions(values, asked.iter().map(|(_, action)| Some(*action)));
        let verdict = evaluator.run(values);
        let outcomes = compiled.outcomes(values, asked.len(), &compiled.next, &compiled.can_next);
        let all = outcomes.into_iter().enumerate();
        found.extend(all.map(|(lane, outcome)| (!verdict.inconsistent.get(lane)).then_some(outcome)));
        verdict.undecided
    }

    /// Has clingo confirm a step.
    ///
    /// # Errors
    /// [`SimulationError::Disagreement`].
    pub fn judge_step(
        &mut self,
        situation: &Situation,
        action: usize,
        claim: Option<&Outcome>,
    ) -> Result<(), SimulationError> {
        let found = self.solve(situation, Some(action))?;
        let found = found.map(|truth| self.outcome(|p| look_up(p, &truth), &self.next, &self.can_next));
        if found.as_ref() == claim { Ok(()) } else { Err(self.disagreement("a step by", Some(action))) }
    }

    /// Has clingo confirm a sheet.
    ///
    /// # Errors
    /// [`SimulationError::Disagreement`].
    pub fn judge_sheet(
        &mut self,
        situation: &Situation,
        supposed: Option<usize>,
        claim: &AnswerSheet,
    ) -> Result<(), SimulationError> {
        let found = self.solve(situation, supposed)?;
        let sheet = found.map(|truth| self.read(|p| look_up(p, &truth), &self.now, &self.can).1);
        if sheet.as_ref() == Some(claim) {
            Ok(())
        } else {
            Err(self.disagreement("the answers after", supposed))
        }
    }

    fn disagreement(&self, what: &str, action: Option<usize>) -> SimulationError {
        let action = action.map_or("no action".to_owned(), |a| format!("`{}`", self.actions[a]));
        SimulationError::Disagreement { what: format!("{what} {action}") }
    }

    /// clingo's own answer: the true named atoms of the only answer set under the assumptions.
    fn solve(
        &mut self,
        situation: &Situation,
        action: Option<usize>,
    ) -> Result<Option<Truth>, SimulationError> {
        if self.judge.is_none() {
            self.judge = Some(self.compiled.program.search(SHOWN, None, self.limit)?);
        }
        let Some(judge) = &mut self.judge else {
            return Ok(None);
        };
        let compiled = &*self.compiled;
        let mut assume = Vec::new();
        for i in compiled.inertial.iter() {
            if let AtomPlace::Atom(atom) = compiled.now[i] {
                assume.push((atom, situation.contains(i)));
            }
        }
        for (i, place) in compiled.occ.iter().enumerate() {
            match place {
                AtomPlace::Atom(atom) => assume.push((*atom, action == Some(i))),
                _ if action == Some(i) => return Ok(None),
                _ => {}
            }
        }
        let mut found = judge.truth(&assume, 2)?;
        if found.len() > 1 {
            let action = action.map_or("no action".to_owned(), |a| compiled.actions[a].to_string());
            return Err(SimulationError::Nondeterministic { action });
        }
        Ok(found.pop())
    }
}

fn look_up(place: AtomPlace, truth: &Truth) -> bool {
    match place {
        AtomPlace::Always => true,
        AtomPlace::Never => false,
        AtomPlace::Atom(atom) => truth.holds(atom),
    }
}
