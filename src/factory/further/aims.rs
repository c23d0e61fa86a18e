//! What is asked of the future: whether something can ever be so.

use crate::factory::further::offers::{SearchArgument, facts, kind_of};
use crate::simulate::search::goal::GoalFact;
use crate::simulate::search::surroundings::Surroundings;
use crate::simulate::situation::BitSet;
use crate::simulate::story::Simulator;

/// What is asked of the future.
#[derive(Clone, Debug)]
pub(super) enum Aim {
    Fact(usize),
    Goal(Vec<GoalFact>),
    Action(usize),
}

impl Aim {
    /// The places at which it is so.
    pub(super) fn places(&self, around: &Surroundings) -> BitSet {
        match self {
            Aim::Fact(fluent) => around.places.of_fact(*fluent).clone(),
            Aim::Action(action) => around.places_of_action(*action).clone(),
            Aim::Goal(goal) => around.places.of_goal(goal),
        }
    }

    /// Is it so at one of some places?
    pub(super) fn is_in(&self, around: &Surroundings, places: &BitSet) -> bool {
        match self {
            Aim::Fact(fluent) => around.places.of_fact(*fluent).meets(places),
            Aim::Action(action) => around.places_of_action(*action).meets(places),
            Aim::Goal(_) => self.places(around).meets(places),
        }
    }

    /// The number of the fluent or action; none of goals.
    pub(super) fn single(&self) -> Option<usize> {
        match self {
            Aim::Fact(number) | Aim::Action(number) => Some(*number),
            Aim::Goal(_) => None,
        }
    }

    pub(super) fn argument(&self) -> SearchArgument {
        match self {
            Aim::Fact(fluent) => SearchArgument::Fluent(*fluent),
            Aim::Goal(goal) => SearchArgument::Goal(goal.clone()),
            Aim::Action(action) => SearchArgument::Action(*action),
        }
    }

    pub(super) fn detail(&self, stage: &Simulator) -> String {
        match self {
            Aim::Fact(fluent) => stage.engine.fluents[*fluent].functor().to_owned(),
            Aim::Goal(goal) => facts(goal.len()),
            Aim::Action(action) => kind_of(&stage.engine.actions[*action]),
        }
    }
}

/// Something of which it is known whether it can ever be so, and whether it could without the told actions, as far
/// as that is known.
pub(super) struct SettledAim {
    pub(super) aim: Aim,
    pub(super) yes: bool,
    pub(super) before: bool,
}
