//! A family to the search that its questions rest on.
//!
//! S is the situation after the told actions; whatever a question lists would be done next, from S on. What a goal is and
//! when it is reached stands in [`crate::simulate::search`], where clingo judges it, too.

use crate::phrases::book::FamilyPhrases;
use crate::simulate::transitions::compiled_layout::Kind;

/// What is asked of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SearchFamily {
    /// Can the goal be reached from S by at most so many actions?
    ReachableIn,
    /// The fewest actions that reach it.
    PlanLength,
    /// The only action that a shortest way to it may begin with.
    NextAction,
    /// Can the listed actions be carried out, and do they reach the goal?
    ValidPlan,
    /// The number of the first listed action that cannot be carried out, or 0.
    FirstFailure,
    /// The only condition of the first listed action that cannot be carried out that is not met when its turn comes.
    WhyFailure,
    /// The only listed action without which the others still reach the goal, or none.
    Superfluous,
    /// A shortest way to the goal.
    Plan,
    /// A way to it of at most so many actions.
    PlanWithin,
}

impl SearchFamily {
    /// The search of a family, if it rests on one.
    pub fn of(family: &FamilyPhrases) -> Option<SearchFamily> {
        match (family.group.as_str(), family.pattern.functor.as_str()) {
            ("goals", "reachable_in") => Some(SearchFamily::ReachableIn),
            ("goals", "plan_length") => Some(SearchFamily::PlanLength),
            ("goals", "next_action") => Some(SearchFamily::NextAction),
            ("plans", "valid_plan") => Some(SearchFamily::ValidPlan),
            ("plans", "first_failure") => Some(SearchFamily::FirstFailure),
            ("plans", "why_failure") => Some(SearchFamily::WhyFailure),
            ("plans", "superfluous") => Some(SearchFamily::Superfluous),
            ("plans", "plan") => Some(SearchFamily::Plan),
            ("plans", "plan_within") => Some(SearchFamily::PlanWithin),
            _ => None,
        }
    }

    /// The kind of its questions.
    pub fn kind(self) -> Kind {
        match self {
            SearchFamily::ReachableIn | SearchFamily::ValidPlan => Kind::Verify,
            SearchFamily::PlanLength | SearchFamily::FirstFailure => Kind::Count,
            SearchFamily::NextAction
            | SearchFamily::WhyFailure
            | SearchFamily::Superfluous
            | SearchFamily::Plan
            | SearchFamily::PlanWithin => Kind::Other,
        }
    }

    /// Does the question list actions?
    pub fn lists(self) -> bool {
        matches!(
            self,
            SearchFamily::ValidPlan
                | SearchFamily::FirstFailure
                | SearchFamily::WhyFailure
                | SearchFamily::Superfluous
        )
    }
}
