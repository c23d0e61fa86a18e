//! Actions that a question lists, with the goal that they are to reach, to what comes of them.

use crate::factory::further::offers::{SearchArgument, SearchEffort};
use crate::simulate::search::goal::{GoalFact, is_met};
use crate::simulate::search::surroundings::{PlayedOut, Surroundings};

/// The least and greatest number of actions that a question lists.
const LEAST_LISTED: usize = 2;
const MOST_LISTED: usize = 6;
/// The most facts of the goal of a listed plan.
pub(super) const MOST_FACTS: usize = 3;

/// Actions with the facts that they are to bring about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Proposal {
    pub(super) actions: Vec<usize>,
    pub(super) goal: Vec<GoalFact>,
}

/// What comes of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Reaches,
    Misses,
    Fails(usize),
    Unknown,
}

/// What comes of a proposal, as far as it is known.
pub(super) fn fate(around: &Surroundings, proposal: &Proposal) -> Fate {
    match around.course(&proposal.actions) {
        PlayedOut::Ends(place) if is_met(&proposal.goal, &around.reached[place].situation) => Fate::Reaches,
        PlayedOut::Ends(_) => Fate::Misses,
        PlayedOut::Fails(step) => Fate::Fails(step),
        PlayedOut::Unknown => Fate::Unknown,
    }
}

/// The lengths of plans that are known around a situation.
pub(super) fn lengths(around: &Surroundings) -> std::ops::RangeInclusive<usize> {
    let most = if around.exhausted { MOST_LISTED } else { around.radius.min(MOST_LISTED) };
    LEAST_LISTED..=most
}

/// The arguments of a question about it.
pub(super) fn arguments(proposal: &Proposal) -> Vec<SearchArgument> {
    vec![SearchArgument::Actions(proposal.actions.clone()), SearchArgument::Goal(proposal.goal.clone())]
}

/// How much effort the question takes.
pub(super) fn length(actions: &[usize]) -> SearchEffort {
    SearchEffort { plan_length: Some(actions.len()), searched: None }
}
