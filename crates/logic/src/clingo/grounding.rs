//! A program to its ground rules, or to the facts that it derives.

use clingo::GenericControl;

use super::control::{GroundingContext, feed, free};
use super::gate;
use super::messages::Messages;
use super::observer::{Budget, Observer};
use super::program::Program;
use super::recorded::RecordedProgram;
use super::symbols::{NumberedFact, largest_predicate, named_atoms, numbered_facts};
use crate::error::LogicError;
use crate::ground::GroundProgram;

// Programs are data, which messages refer to; what clingo makes of them stands here and in `search`.
impl Program {
    /// Grounds the program and takes its rules over; nothing reaches clingo's solver.
    ///
    /// The atoms named are those whose predicate (`name/arity`) is in `shown`.
    ///
    /// # Errors
    /// Unsafe rules, syntax errors and undefined atoms, with file, line and column.
    pub fn ground(&self, shown: &[(&str, usize)]) -> Result<GroundProgram, LogicError> {
        self.ground_within(shown, None)
    }

    /// As [`Program::ground`], where atoms may have texts in quotes and tuples in them. A text is a constant whose name has
    /// the quotes, a tuple a function without a name.
    ///
    /// # Errors
    /// Those of [`Program::ground`].
    ///
    /// ```
    /// use racgen_logic::clingo::{Program, Source};
    ///
    /// let drawn = Source::new("view.lp", r#"attr(edge,(a,b),label,"to and fro")."#);
    /// let program = Program { sources: vec![drawn], ..Program::default() };
    /// let ground = program.ground_with_texts(&[("attr", 4)]).unwrap();
    /// assert_eq!(ground.named[0].0.to_string(), r#"attr(edge,(a,b),label,"to and fro")"#);
    /// ```
    pub fn ground_with_texts(&self, shown: &[(&str, usize)]) -> Result<GroundProgram, LogicError> {
        Ok(self.observed_rules(shown, Observer::within(None), true)?.0)
    }

    /// As [`Program::ground`], within a budget. Joins that yield no rule are not noticed while they run.
    ///
    /// # Errors
    /// [`LogicError::Budget`], besides those of [`Program::ground`].
    pub fn ground_within(
        &self,
        shown: &[(&str, usize)],
        budget: Option<Budget>,
    ) -> Result<GroundProgram, LogicError> {
        Ok(self.observed_rules(shown, Observer::within(budget), false)?.0)
    }

    /// As [`Program::ground_within`], and the same rules to be searched later on.
    ///
    /// # Errors
    /// Those of [`Program::ground_within`].
    pub fn ground_and_record(
        &self,
        shown: &[(&str, usize)],
        budget: Option<Budget>,
    ) -> Result<(GroundProgram, RecordedProgram), LogicError> {
        let (rules, recorded) = self.observed_rules(shown, Observer::within(budget).recording(), false)?;
        let recorded = recorded.ok_or_else(|| LogicError::Internal("no rules were recorded".into()))?;
        Ok((rules, recorded))
    }

    /// The rules that an observer hears, and those that it records.
    fn observed_rules(
        &self,
        shown: &[(&str, usize)],
        mut observer: Observer,
        texts: bool,
    ) -> Result<(GroundProgram, Option<RecordedProgram>), LogicError> {
        let (named, messages) = self.observed(&mut observer, |control| named_atoms(control, shown, texts))?;
        let recorded = observer.recorded();
        let mut rules = observer.rules()?;
        if let Some(error) = messages.complaint(self) {
            return Err(error);
        }
        let number = |literal: clingo::SolverLiteral| literal.get_integer().unsigned_abs();
        let named = named?;
        let numbered = named.iter().map(|(term, literal)| (term.clone(), literal.map(number)));
        rules.name_atoms(numbered.collect());
        Ok((rules, recorded.map(|recorded| RecordedProgram::new(self, recorded, named))))
    }

    /// The ground atoms of a program that grounding alone decides, as one without choices, disjunctions and
    /// negation in loops: the predicate, by its place in `shown`, and the arguments, which must be numbers. Much
    /// faster than [`Program::ground`] where there are many.
    ///
    /// # Errors
    /// Those of [`Program::ground`], and [`LogicError::Internal`] for an atom that is no such fact.
    pub fn facts(&self, shown: &[(&str, usize)]) -> Result<Vec<NumberedFact>, LogicError> {
        let mut observer = Observer::deaf();
        let (facts, messages) = self.observed(&mut observer, |control| numbered_facts(control, shown))?;
        match messages.complaint(self) {
            Some(error) => Err(error),
            None => facts,
        }
    }

    /// Grounds the program with an observer, and reads from the control what is wanted: what came of both, and what
    /// clingo said.
    fn observed<T>(
        &self,
        observer: &mut Observer,
        read: impl FnOnce(&GenericControl<GroundingContext<'_>>) -> Result<T, LogicError>,
    ) -> Result<(Result<T, LogicError>, Messages), LogicError> {
        let mut messages = Messages::default();
        let (_gate, meter) = gate::enter(self);
        observer.watch(meter);
        let context = GroundingContext::new(&mut messages, observer);
        let mut control = clingo::control_with_context(self.arguments(&[]), context)?;
        let fed = feed(&mut control, self);
        let largest = if fed.is_err() { largest_predicate(&control) } else { None };
        let outcome = fed.and_then(|()| read(&control));
        free(control);
        match observer.overrun() {
            Some(what) => {
                let rule = largest
                    .as_ref()
                    .and_then(|(predicate, _)| self.line_of_rule(predicate.split('/').next()?));
                Err(LogicError::grounding(rule.unwrap_or_else(|| self.file_names()), what, largest))
            }
            None => Ok((outcome, messages)),
        }
    }
}
