//! What families with three answers ask of a story that is told in part: a matter that is sure, surely not so, or open.

use racgen_logic::term::Term;

use crate::domain::question_groups::{HIDDEN_FACT, UNKNOWN, is_of_outcomes};
use crate::phrases::book::FamilyPhrases;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Does a family ask what is sure of a story that is told in part?
pub(crate) fn is_of_three_answers(family: &FamilyPhrases) -> bool {
    let name = &family.pattern.functor;
    name == HIDDEN_FACT
        || family.group == UNKNOWN && family.pattern.places.len() == 1 && !is_of_outcomes(name)
}

/// What a family asks that has three answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matter {
    /// Whether a statement is true at the end.
    Statement,
    /// Whether an action can be carried out there.
    Action,
    /// Whether a statement that is not told was true at first.
    Beginning,
}

impl Matter {
    /// All, each at its own number.
    pub(super) const ALL: [Matter; 3] = [Matter::Statement, Matter::Action, Matter::Beginning];

    pub(super) fn of(family: &FamilyPhrases) -> Matter {
        match family.pattern.slots().first() {
            Some(&"first") => Matter::Action,
            _ if family.pattern.functor == HIDDEN_FACT => Matter::Beginning,
            _ => Matter::Statement,
        }
    }

    /// The terms that it is asked about.
    pub(super) fn terms(self, engine: &TransitionSystem) -> &[Term] {
        if self == Matter::Action { &engine.actions } else { &engine.fluents }
    }
}
