//! The course of events that a rationale follows: from the initial situation over all that is done, skipped or impossible to
//! where the answer can be seen.

use std::borrow::Cow;

use crate::language::reasons::support::Support;
use crate::phrases::book::{Phrasings, RationalePhrases};
use crate::simulate::narrative::cases::{Shown, ShownCase};
use crate::simulate::search::goal::GoalFact;
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// No way to the goal has fewer actions than so many.
    NoFewer(usize),
    /// No way that is as short begins with another action.
    OnlyFirst,
    /// None that is as short begins with another of the listed actions.
    OnlyListed,
    /// Without any one of the actions the goal is not reached.
    AllNeeded,
    /// Nor without any two of them that follow one another.
    TwoNeeded,
    /// Together with the told actions these are a shortest way from the initial situation, and to none of the other listed
    /// goals the told actions begin a shortest way.
    Serves,
    /// No way to the goal costs less than one whose actions cost so much each.
    NoCheaper(Vec<usize>),
    /// What is asked about never comes to be so.
    Never,
    /// There is no way to the goal without it.
    Unavoidable,
    /// In every other case that the text allows it is the same.
    EveryCase,
    /// There are other cases, which the answer needs not.
    TwoCases,
    /// Cases that agree in the answer's statement agree in the other.
    Agreeing,
    /// Nothing else fits what is told to have happened.
    NoOther,
    /// In every case in which the statement is otherwise, something that was done is impossible.
    NotOtherwise,
}

/// Under which condition something stays so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptWhile {
    /// Whatever is done.
    Always,
    /// As long as what has to stay true does.
    Held,
    /// As long as what is asked about is not so.
    Avoided,
}

impl KeptWhile {
    /// The condition of a question in which something has to stay true, or nothing has.
    pub fn of(held: Option<GoalFact>) -> KeptWhile {
        if held.is_some() { KeptWhile::Held } else { KeptWhile::Always }
    }

    /// What is said where what stays so cannot be told.
    pub fn bare(self) -> Comparison {
        if self == KeptWhile::Avoided { Comparison::Unavoidable } else { Comparison::Never }
    }

    /// How it is worded.
    pub fn phrasings(self, phrases: &RationalePhrases) -> &Phrasings {
        match self {
            KeptWhile::Always => &phrases.kept,
            KeptWhile::Held => &phrases.kept_while,
            KeptWhile::Avoided => &phrases.kept_without,
        }
    }
}

/// What a rationale says beside the course of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// These facts stay so from then on.
    Kept(KeptWhile, Vec<GoalFact>),
    /// These actions bring a listed fluent about, or end with a listed action where there is none.
    Way(Option<usize>, Vec<usize>),
    /// These listed fluents are never true on the way that was told.
    NeverMet(Vec<usize>),
    /// These actions lead there as well, and a listed fluent is never true on their way.
    Avoiding(usize, Vec<usize>),
}

/// All that can be said of other courses without a number.
pub const COMPARISONS: [Comparison; 12] = [
    Comparison::OnlyFirst,
    Comparison::OnlyListed,
    Comparison::AllNeeded,
    Comparison::TwoNeeded,
    Comparison::Serves,
    Comparison::Never,
    Comparison::Unavoidable,
    Comparison::EveryCase,
    Comparison::TwoCases,
    Comparison::Agreeing,
    Comparison::NoOther,
    Comparison::NotOtherwise,
];

impl Comparison {
    /// What is said of all other cases that a story told in part allows, where these show the answer to a question.
    pub fn of_cases(family: &str, cases: &[ShownCase]) -> Comparison {
        let ruled_out = |case: &ShownCase| matches!(case.shown, Shown::Impossible(_));
        match (family, cases.len()) {
            ("settles", _) => Comparison::Agreeing,
            ("hidden_action" | "failed_action", _) => Comparison::NoOther,
            _ if cases.iter().any(ruled_out) => Comparison::NotOtherwise,
            (_, 1) => Comparison::EveryCase,
            _ => Comparison::TwoCases,
        }
    }

    /// The number that it names, as a sum where it is one, or nothing.
    pub fn number(&self) -> String {
        match self {
            Comparison::NoFewer(number) => number.to_string(),
            Comparison::NoCheaper(costs) => sum(costs),
            _ => String::new(),
        }
    }

    /// How it is worded.
    pub fn phrasings<'p>(&self, phrases: &'p RationalePhrases) -> &'p Phrasings {
        match self {
            Comparison::NoFewer(_) => &phrases.no_fewer,
            Comparison::OnlyFirst => &phrases.only_first,
            Comparison::OnlyListed => &phrases.only_listed,
            Comparison::AllNeeded => &phrases.all_needed,
            Comparison::TwoNeeded => &phrases.two_needed,
            Comparison::Serves => &phrases.serves,
            Comparison::NoCheaper(_) => &phrases.no_cheaper,
            Comparison::Never => &phrases.never,
            Comparison::Unavoidable => &phrases.unavoidable,
            Comparison::EveryCase => &phrases.every_case,
            Comparison::TwoCases => &phrases.two_cases,
            Comparison::Agreeing => &phrases.agreeing,
            Comparison::NoOther => &phrases.no_other,
            Comparison::NotOtherwise => &phrases.not_otherwise,
        }
    }
}

/// What costs come to, added up.
fn sum(costs: &[usize]) -> String {
    let all: Vec<String> = costs.iter().map(usize::to_string).collect();
    let total: usize = costs.iter().sum();
    if all.len() < 2 { total.to_string() } else { format!("{} = {total}", all.join(" + ")) }
}

/// What happens, and what of it matters.
#[derive(Clone, Debug)]
pub struct ToldCourse<'s> {
    /// The initial situation.
    pub initial: Cow<'s, Situation>,
    /// What happens, each with the situation after it.
    pub events: Vec<(CourseEvent, Cow<'s, Situation>)>,
    /// How many of them the text tells; the others are considered only.
    pub told: usize,
    /// The fluents whose truth is followed from the start on, and the static facts that matter.
    pub premises: Support,
    /// What is said at the end.
    pub ending: Ending,
    /// What is said beside.
    pub remarks: Vec<Remark>,
    /// And of other courses.
    pub comparison: Option<Comparison>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_added_up() {
        assert_eq!(Comparison::NoCheaper(vec![3]).number(), "3");
        assert_eq!(Comparison::NoCheaper(vec![3, 1, 2]).number(), "3 + 1 + 2 = 6");
        assert_eq!(Comparison::NoFewer(2).number(), "2");
    }
}
