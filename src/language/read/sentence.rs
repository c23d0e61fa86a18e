//! What a sentence says, as places in the phrase book and what fills its slots; and that to a term.

use std::sync::Arc;

use racgen_data::row::ObjectName;
use racgen_logic::term::Term;

use crate::phrases::pattern::{Pattern, PatternPlace};

/// Where a relation stands in the phrase book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToldSentence {
    /// Is it a static relation, not a fluent?
    pub fact: bool,
    /// Its place among them.
    pub entry: usize,
}

/// What a sentence says, its slots aside; numbers are places in the lists of the phrase book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// These are the objects of a type.
    Objects(usize),
    /// One atom is true.
    Each(ToldSentence),
    /// Several atoms are true that differ in one slot only.
    Group(ToldSentence, usize),
    /// Each of a list stands in a relation to the next.
    Chain(ToldSentence),
    /// The atoms of a list are true.
    All(ToldSentence),
    /// No atom of a relation is true.
    Nothing(ToldSentence),
    /// Nothing that matters.
    Remark,
    /// Statements that name some objects are left out; or an action is.
    LeftOut,
    /// All else stands in a picture.
    Pictured,
    /// Nothing is done.
    NoAction,
    /// An action takes place.
    Action(usize),
    /// A fluent is true.
    Fluent(usize),
    /// `[fluent] ask`.
    Ask(usize),
    /// `[fluent] which`, and which of its slots.
    Which(usize, usize),
    /// `[fluent] count`.
    Count(usize, usize),
    /// `[action] can`.
    Can(usize),
    /// `[question]` of the package.
    Own(usize),
    /// `[question]` of the common phrase book.
    Common(usize),
    /// A sentence of another form.
    Other(usize),
}

/// A sentence and what fills its slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// What it says.
    pub says: Says,
    /// By slot: what fills it. Slots that the wording leaves out are empty.
    pub slots: Vec<Vec<ParsedFiller>>,
    /// The groups of the only slot of a list that semicolons divide.
    pub groups: Vec<Vec<(usize, bool)>>,
    /// The phrasing.
    pub wording: Wording,
}

/// The phrasing of a sentence, where it belongs to one list of several phrasings only: its text with marks for what
/// varies, which `readable` shows. How a thing is said makes no difference to what is said, so all wordings are equal.
#[derive(Clone, Debug, Default, Eq)]
pub struct Wording(pub Option<Arc<str>>);

impl PartialEq for Wording {
    fn eq(&self, _: &Wording) -> bool {
        true
    }
}

/// What fills a slot, or a part of a list in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedFiller {
    /// An object of the story; with a minus sign?
    Object(usize, bool),
    /// A number.
    Number(i32),
    /// An action or a fluent that a clause tells.
    Term(Term),
}

/// The term that a pattern stands for once its slots are filled; `_` in place of what the wording leaves out.
pub fn term(pattern: &Pattern, slots: &[Vec<ParsedFiller>], objects: &[ObjectName]) -> Term {
    let filler = |slot: usize| match slots.get(slot).and_then(|names| names.first()) {
        Some(ParsedFiller::Object(object, _)) => constant(&objects[*object].id),
        Some(ParsedFiller::Number(number)) => Term::Number(*number),
        Some(ParsedFiller::Term(term)) => term.clone(),
        None => Term::constant("_"),
    };
    if pattern.bare {
        return filler(0);
    }
    let mut slot = 0;
    let args = pattern.places.iter().map(|place| match place {
        PatternPlace::Constant(name) => Term::constant(name),
        PatternPlace::Slot { .. } => {
            slot += 1;
            filler(slot - 1)
        }
    });
    Term::function(&pattern.functor, args.collect())
}

/// An id as a term: mostly a constant, in the vocabulary of the generic domain a ground fluent or action.
fn constant(id: &str) -> Term {
    if id.contains('(') {
        return id.parse().unwrap_or_else(|_| Term::constant(id));
    }
    Term::constant(id)
}
