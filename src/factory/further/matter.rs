//! What families with three answers ask of a story that is told in part: a matter that is sure, surely not so, or open.

use racgen_logic::term::Term;

use crate::domain::question_groups::{HIDDEN_FACT, UNKNOWN, is_of_outcomes};
use crate::phrases::book::FamilyPhrases;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Does a family ask what is sure of a story that is told in part?
pub(crate) fn is_of_three_answers(family: &FamilyPhrases) -> bool {
    let name = &family.pattern.functor;
    is_of_four(family) || family.group == UNKNOWN && family.pattern.places.len() == 1 && !is_of_outcomes(name)
}

/// Are its questions asked four by four, so that they cross? Else they come in threes, one for each answer: of what was so at first
/// there are none, since of two beginnings after the same actions the one hardly ever has a yes where the other has a no.
pub(crate) fn is_of_four(family: &FamilyPhrases) -> bool {
    family.pattern.functor == HIDDEN_FACT
}

/// What a family asks that has three answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PartMatter {
    /// Whether a statement is true at the end.
    Statement,
    /// Whether an action can be carried out there.
    Action,
    /// Whether a statement that is not told was true at first.
    Beginning,
}

/// What is asked about: the matter, and which actions or fluents.
pub(super) type AskedThings = (PartMatter, Vec<usize>);

/// One of them.
pub(super) type AskedThing = (PartMatter, usize);

impl PartMatter {
    /// All, each at its own number, those about the end first.
    pub(super) const ALL: [PartMatter; 3] =
        [PartMatter::Statement, PartMatter::Action, PartMatter::Beginning];
    /// Those about the end, of which questions come in threes.
    pub(super) const AT_THE_END: [PartMatter; 2] = [PartMatter::Statement, PartMatter::Action];

    pub(super) fn of(family: &FamilyPhrases) -> PartMatter {
        match family.pattern.slots().first() {
            Some(&"first") => PartMatter::Action,
            _ if family.pattern.functor == HIDDEN_FACT => PartMatter::Beginning,
            _ => PartMatter::Statement,
        }
    }

    /// The terms that it is asked about.
    pub(super) fn terms(self, engine: &TransitionSystem) -> &[Term] {
        if self == PartMatter::Action { &engine.actions } else { &engine.fluents }
    }
}
