//! A family to the search that its questions rest on.
//!
//! S is the situation after the told actions; whatever a question lists would be done next, from S on. What a goal is and
//! when it is reached stands in [`crate::simulate::search`], where clingo judges it, too.

use std::collections::{BTreeMap, BTreeSet};

use crate::phrases::book::FamilyPhrases;
use crate::simulate::transitions::compiled_layout::Kind;

/// What can ever be so is so after at most this many actions: clingo finds a way over as many steps.
pub const LONGEST_WAY: usize = 6;

/// What asks for a plan after a change.
pub const NEW_PLAN: &str = "new_plan";

/// What is asked of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SearchFamily {
    /// Can the goal be reached from S by at most so many actions?
    ReachableIn,
    /// The fewest actions that reach it.
    PlanLength,
    /// The only action that a shortest way to it may begin with.
    NextAction,
    /// Can the goal ever be reached from S?
    Ever,
    /// Can the action ever be carried out?
    EverExecutable,
    /// Can the goal be reached from S through situations in all of which the fluent is true?
    EverWhile,
    /// Can the action ever be carried out, the fluent being true until then?
    ExecutableWhile,
    /// Which of the listed fluents can never be true after S, or none?
    NeverTrue,
    /// Which of the listed actions can never be carried out, or none?
    NeverExecutable,
    /// Which of them can never be true, the fluent being true all the time?
    NeverTrueWhile,
    /// Which of them can never be carried out, the fluent being true until then?
    NeverExecutableWhile,
    /// Is the fluent true at some time on every way from S to the goal?
    Landmark,
    /// The only listed fluent that is.
    WhichLandmark,
    /// The only listed action that a shortest way to the goal may begin with.
    NextChoice,
    /// The only listed fluent such that the told actions begin a shortest way to it from the initial situation.
    Recognise,
    /// The fewest actions that reach the goal from S as it is after a change.
    Replan,
    /// A shortest way to it from there.
    NewPlan,
    /// Can the listed actions be carried out, and do they reach the goal?
    ValidPlan,
    /// The number of the first listed action that cannot be carried out, or 0.
    FirstFailure,
    /// The only condition of the first listed action that cannot be carried out that is not met when its turn comes.
    WhyFailure,
    /// The only listed action without which the others still reach the goal, or none.
    Superfluous,
    /// The only two listed actions, one after the other, without which the others still do, or none.
    SuperfluousTwo,
    /// A shortest way to the goal.
    Plan,
    /// A way to it of at most so many actions.
    PlanWithin,
    /// The least cost of a way to it, where kinds of actions have costs.
    Cost,
    /// A way of the least cost.
    CheapestPlan,
    /// A way to it that is no longer than the way to another that is shown.
    Reuse,
    /// A way to it that is no longer than those to two others that are shown, which are the same but for names.
    Generalise,
}

/// By family that asks what can be while something stays so, functors of what does.
pub type LastingFunctors = BTreeMap<usize, BTreeSet<String>>;

/// Do the answers of a family rest on proofs?
pub(super) fn rests_on_proofs(family: &FamilyPhrases) -> bool {
    SearchFamily::of(family).is_some_and(SearchFamily::is_ever)
}

impl SearchFamily {
    /// The search of a family, if it rests on one.
    pub fn of(family: &FamilyPhrases) -> Option<SearchFamily> {
        match (family.group.as_str(), family.pattern.functor.as_str()) {
            ("goals", "reachable_in") => Some(SearchFamily::ReachableIn),
            ("goals", "plan_length") => Some(SearchFamily::PlanLength),
            ("goals", "next_action") => Some(SearchFamily::NextAction),
            ("goals", "next_choice") => Some(SearchFamily::NextChoice),
            ("goals", "recognise") => Some(SearchFamily::Recognise),
            ("plans", "replan") => Some(SearchFamily::Replan),
            ("plans", NEW_PLAN) => Some(SearchFamily::NewPlan),
            ("ever", "ever") => Some(SearchFamily::Ever),
            ("ever", "ever_executable") => Some(SearchFamily::EverExecutable),
            ("ever", "ever_while") => Some(SearchFamily::EverWhile),
            ("ever", "executable_while") => Some(SearchFamily::ExecutableWhile),
            ("ever", "never_true") => Some(SearchFamily::NeverTrue),
            ("ever", "never_executable") => Some(SearchFamily::NeverExecutable),
            ("ever", "never_true_while") => Some(SearchFamily::NeverTrueWhile),
            ("ever", "never_executable_while") => Some(SearchFamily::NeverExecutableWhile),
            ("ever", "landmark") => Some(SearchFamily::Landmark),
            ("ever", "which_landmark") => Some(SearchFamily::WhichLandmark),
            ("plans", "valid_plan") => Some(SearchFamily::ValidPlan),
            ("plans", "first_failure") => Some(SearchFamily::FirstFailure),
            ("plans", "why_failure") => Some(SearchFamily::WhyFailure),
            ("plans", "superfluous") => Some(SearchFamily::Superfluous),
            ("plans", "superfluous_two") => Some(SearchFamily::SuperfluousTwo),
            ("plans", "plan") => Some(SearchFamily::Plan),
            ("plans", "plan_within") => Some(SearchFamily::PlanWithin),
            ("plans", "cost") => Some(SearchFamily::Cost),
            ("plans", "cheapest_plan") => Some(SearchFamily::CheapestPlan),
            ("plans", "reuse") => Some(SearchFamily::Reuse),
            ("plans", "generalise") => Some(SearchFamily::Generalise),
            _ => None,
        }
    }

    /// The kind of its questions.
    pub fn kind(self) -> Kind {
        match self {
            SearchFamily::ReachableIn | SearchFamily::ValidPlan => Kind::Verify,
            SearchFamily::PlanLength
            | SearchFamily::FirstFailure
            | SearchFamily::Replan
            | SearchFamily::Cost => Kind::Count,
            SearchFamily::NextAction
            | SearchFamily::NextChoice
            | SearchFamily::Recognise
            | SearchFamily::WhichLandmark
            | SearchFamily::NeverTrue
            | SearchFamily::NeverExecutable
            | SearchFamily::NeverTrueWhile
            | SearchFamily::NeverExecutableWhile
            | SearchFamily::WhyFailure
            | SearchFamily::Superfluous
            | SearchFamily::SuperfluousTwo
            | SearchFamily::NewPlan
            | SearchFamily::Plan
            | SearchFamily::PlanWithin
            | SearchFamily::CheapestPlan
            | SearchFamily::Reuse
            | SearchFamily::Generalise => Kind::Other,
            SearchFamily::Ever
            | SearchFamily::EverExecutable
            | SearchFamily::EverWhile
            | SearchFamily::ExecutableWhile
            | SearchFamily::Landmark => Kind::Verify,
        }
    }

    /// Does it ask whether something can ever be so, or must have been so?
    pub fn is_ever(self) -> bool {
        self.is_landmark()
            || self.is_never()
            || matches!(
                self,
                SearchFamily::Ever
                    | SearchFamily::EverExecutable
                    | SearchFamily::EverWhile
                    | SearchFamily::ExecutableWhile
            )
    }

    /// Does it ask which of several things can never be so?
    pub fn is_never(self) -> bool {
        matches!(
            self,
            SearchFamily::NeverTrue
                | SearchFamily::NeverExecutable
                | SearchFamily::NeverTrueWhile
                | SearchFamily::NeverExecutableWhile
        )
    }

    /// Does it ask whether actions can ever be carried out?
    pub fn is_about_actions(self) -> bool {
        matches!(
            self,
            SearchFamily::EverExecutable
                | SearchFamily::ExecutableWhile
                | SearchFamily::NeverExecutable
                | SearchFamily::NeverExecutableWhile
        )
    }

    /// Does it ask what is true at some time on every way to a goal?
    pub fn is_landmark(self) -> bool {
        matches!(self, SearchFamily::Landmark | SearchFamily::WhichLandmark)
    }

    /// Does the question name something that has to stay true?
    pub fn holds(self) -> bool {
        matches!(
            self,
            SearchFamily::EverWhile
                | SearchFamily::ExecutableWhile
                | SearchFamily::NeverTrueWhile
                | SearchFamily::NeverExecutableWhile
        )
    }

    /// Does the question show ways to other goals?
    pub fn shows(self) -> bool {
        matches!(self, SearchFamily::Reuse | SearchFamily::Generalise)
    }

    /// Does something change after the told actions?
    pub fn changes(self) -> bool {
        matches!(self, SearchFamily::Replan | SearchFamily::NewPlan)
    }

    /// Do actions have costs?
    pub fn is_priced(self) -> bool {
        matches!(self, SearchFamily::Cost | SearchFamily::CheapestPlan)
    }

    /// Does the question list actions that may be carried out?
    pub fn lists(self) -> bool {
        matches!(
            self,
            SearchFamily::ValidPlan
                | SearchFamily::FirstFailure
                | SearchFamily::WhyFailure
                | SearchFamily::Superfluous
                | SearchFamily::SuperfluousTwo
        )
    }

    /// How many listed actions, one after the other, are to be left out, if it asks for such.
    pub fn leaves_out(self) -> Option<usize> {
        match self {
            SearchFamily::Superfluous => Some(1),
            SearchFamily::SuperfluousTwo => Some(2),
            _ => None,
        }
    }
}
