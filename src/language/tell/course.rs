//! The course of events that a rationale follows: from the initial situation over all that is done, skipped or impossible to
//! where the answer can be seen.

use std::borrow::Cow;

use crate::language::reasons::support::Support;
use crate::phrases::book::{Phrasings, RationalePhrases};
use crate::simulate::situation::Situation;

/// Something that a line of a rationale tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CourseEvent {
    /// An action takes place.
    Done(usize),
    /// An action is impossible when its turn comes, and is skipped; these fluents show why.
    Skipped(usize, Vec<usize>),
    /// An action is impossible, and all ends there; these fluents show why.
    Impossible(usize, Vec<usize>),
    /// A listed action is left out.
    LeftOut(usize),
    /// Facts change without any action.
    Changed,
}

/// What a rationale says of the situation at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing: the events told all.
    Untold,
    /// Which premises are true.
    Premises,
    /// Which of these fluents are true.
    Of(Vec<usize>),
}

/// What a rationale says of other courses of events, which it does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// No way to the goal has fewer actions.
    NoFewer,
    /// No way that is as short begins with another action.
    OnlyFirst,
    /// None that is as short begins with another of the listed actions.
    OnlyListed,
    /// Without any one of the actions the goal is not reached.
    AllNeeded,
    /// Together with the told actions these are a shortest way from the initial situation, and to none of the other listed
    /// goals the told actions begin a shortest way.
    Serves,
}

/// All that can be said of other courses.
pub const COMPARISONS: [Comparison; 5] = [
    Comparison::NoFewer,
    Comparison::OnlyFirst,
    Comparison::OnlyListed,
    Comparison::AllNeeded,
    Comparison::Serves,
];

impl Comparison {
    /// How it is worded.
    pub fn phrasings(self, phrases: &RationalePhrases) -> &Phrasings {
        match self {
            Comparison::NoFewer => &phrases.no_fewer,
            Comparison::OnlyFirst => &phrases.only_first,
            Comparison::OnlyListed => &phrases.only_listed,
            Comparison::AllNeeded => &phrases.all_needed,
            Comparison::Serves => &phrases.serves,
        }
    }
}

/// What happens, and what of it matters.
#[derive(Clone, Debug)]
pub struct ToldCourse<'s> {
    /// The initial situation.
    pub initial: Cow<'s, Situation>,
    /// What happens, each with the situation after it.
    pub events: Vec<(CourseEvent, Cow<'s, Situation>)>,
    /// The fluents whose truth is followed from the start on, and the static facts that matter.
    pub premises: Support,
    /// What is said at the end.
    pub ending: Ending,
    /// And of other courses.
    pub comparison: Option<Comparison>,
}
