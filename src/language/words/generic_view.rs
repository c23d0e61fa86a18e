//! A layout to the generic theory that it is told as.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::domain::package::Package;
use crate::language::error::LanguageError;
use crate::language::words::generic_books::Books;
use crate::language::words::holdout::Holdout;
use crate::language::words::numbering::{Numbering, Numbers};
use crate::simulate::layout::Layout;
use crate::simulate::theory::action_theory::{Inquiry, Theory};
use crate::simulate::theory::theory_reader::{READ, read_theory};
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// A layout seen as a generic theory.
pub struct GenericView {
    pub(crate) books: &'static Books,
    pub(crate) theory: Theory,
    fluents: usize,
}

impl GenericView {
    /// Reads the theory of a layout off its ground rules.
    ///
    /// # Errors
    /// Rules that are no preconditions, effects and static laws; solver failures.
    pub fn new(
        package: &Package,
        layout: &Layout,
        engine: &CompiledLayout,
    ) -> Result<GenericView, LanguageError> {
        let program = layout.step_program(package).ground(READ)?;
        let theory = read_theory(&program, engine)
            .map_err(|cause| LanguageError::Form { domain: package.name.clone(), cause })?;
        Ok(GenericView { books: Books::load()?, theory, fluents: engine.fluents.len() })
    }

    /// The theory.
    pub fn theory(&self) -> &Theory {
        &self.theory
    }

    /// Can the question be asked, that is, is it about a list of fluents or of actions?
    pub fn asks(&self, question: usize) -> bool {
        self.theory.questions[question].is_some()
    }

    /// The questions that a text asks in the same words as this one, itself among them: of the same things, the same.
    pub(crate) fn alike(&self, question: usize) -> Vec<usize> {
        let same = |a: &Inquiry, b: &Inquiry| {
            let things = |inquiry: &Inquiry| -> BTreeSet<usize> {
                inquiry.things.iter().map(|(thing, _)| *thing).collect()
            };
            (a.shape, a.property, a.things.len()) == (b.shape, b.property, b.things.len())
                && things(a) == things(b)
        };
        let questions = &self.theory.questions;
        let Some(own) = &questions[question] else { return vec![question] };
        let all = questions.iter().enumerate();
        all.filter(|(_, other)| other.as_ref().is_some_and(|other| same(own, other)))
            .map(|(q, _)| q)
            .collect()
    }

    /// Draws numbers; those that `known` accepts go to fluents first.
    ///
    /// No number is a part of another, for all have as many digits: three, or more where there are not enough.
    pub fn number(
        &self,
        package: &Package,
        holdout: Holdout,
        known: impl Fn(&str) -> bool,
        rng: &mut ChaCha8Rng,
    ) -> Numbers {
        let possible = |a: &usize| self.theory.actions[*a].is_some();
        let actions: Vec<usize> = (0..self.theory.actions.len()).filter(possible).collect();
        let needed = self.fluents + actions.len();
        let mut first = 100;
        while holdout.names(9 * first).len() < needed {
            first *= 10;
        }
        let mut pool: Vec<usize> = holdout.names(9 * first).map(|n| first + n).collect();
        pool.shuffle(rng);
        let told = || pool.iter().map(|number| -> Arc<str> { number.to_string().into() });
        let mut pool = told().filter(|number| known(number)).chain(told().filter(|number| !known(number)));
        let persons = &package.common.persons[holdout.names(package.common.persons.len())];
        Numbers {
            fluents: Numbering::new(self.fluents, (0..self.fluents).collect(), &mut pool, rng),
            actions: Numbering::new(self.theory.actions.len(), actions, &mut pool, rng),
            person: persons.choose(rng).cloned().unwrap_or_default(),
        }
    }
}
