//! A program's texts to its ground rules.

use std::sync::Arc;

use clingo::GenericControl;

use super::control::{GroundingContext, feed, free};
use super::gate;
use super::messages::Messages;
use super::observer::{Budget, Observer};
use super::symbols::{NumberedFact, named_atoms, numbered_facts};
use crate::error::LogicError;
use crate::ground::GroundProgram;

/// One logic program text and the name its errors carry.
#[derive(Clone, Debug)]
pub struct Source {
    /// File name, as the user knows it.
    pub name: Arc<str>,
    /// clingo's input language.
    pub text: Arc<str>,
}

impl Source {
    /// A source from its name and text.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Source {
        Source { name: name.into(), text: text.into() }
    }
}

/// A logic program: its texts, the parts to ground besides `base`, and its constants.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The texts, in order.
    pub sources: Vec<Source>,
    /// Names of `#program` parts to ground with `base`.
    pub parts: Vec<String>,
    /// Constants (`#const name = value`).
    pub constants: Vec<(String, i64)>,
}

/// The lines that [`Program::numbered_texts`] leaves between two texts.
const MARGIN: usize = 2;

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

    /// As [`Program::ground`], within a budget. Joins that yield no rule are not noticed while they run.
    ///
    /// # Errors
    /// [`LogicError::Budget`], besides those of [`Program::ground`].
    pub fn ground_within(
        &self,
        shown: &[(&str, usize)],
        budget: Option<Budget>,
    ) -> Result<GroundProgram, LogicError> {
        let mut observer = Observer::within(budget);
        let (named, messages) = self.observed(&mut observer, |control| named_atoms(control, shown))?;
        let mut rules = observer.rules()?;
        if let Some(error) = messages.complaint(self) {
            return Err(error);
        }
        let number = |literal: clingo::SolverLiteral| literal.get_integer().unsigned_abs();
        rules.name_atoms(named?.into_iter().map(|(term, literal)| (term, literal.map(number))).collect());
        Ok(rules)
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
        let _gate = gate::enter();
        let context = GroundingContext::new(&mut messages, observer);
        let mut control = clingo::control_with_context(self.arguments(&[]), context)?;
        let outcome = feed(&mut control, self).and_then(|()| read(&control));
        free(control);
        Ok((outcome, messages))
    }

    /// The arguments of a control: the program's constants, and what else is asked of it.
    pub(super) fn arguments(&self, extra: &[&str]) -> Vec<String> {
        let constants = self.constants.iter().map(|(name, value)| format!("-c{name}={value}"));
        constants.chain(extra.iter().map(|&argument| argument.to_owned())).collect()
    }

    /// The texts as clingo is given them: each starts on a line of its own number range, so that a line number alone
    /// tells the file.
    pub(super) fn numbered_texts(&self) -> impl Iterator<Item = String> {
        self.sources.iter().scan(0, |first_line, source| {
            let padded = "\n".repeat(*first_line) + &source.text + "\n#program base.\n";
            *first_line += source.text.lines().count() + MARGIN;
            Some(padded)
        })
    }

    /// The file and its own line for a line number of [`Program::numbered_texts`].
    pub(super) fn file_and_line(&self, mut line: usize) -> Option<(&str, usize)> {
        for source in &self.sources {
            let lines = source.text.lines().count();
            if line <= lines + MARGIN {
                // What follows the last line of a text shows that it ends too early.
                return Some((&source.name, line.clamp(1, lines.max(1))));
            }
            line -= lines + MARGIN;
        }
        None
    }
}
