//! What is asked of the future: whether something can ever be so.

use crate::factory::further::offers::{SearchArgument, facts, kind_of};
use crate::simulate::search::goal::GoalFact;
use crate::simulate::story::Simulator;

/// What is asked of the future.
#[derive(Clone, Debug)]
pub(super) enum Aim {
    Fact(usize),
    Goal(Vec<GoalFact>),
    Action(usize),
}

impl Aim {
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

/// Something of which it is known whether it can ever be so, and whether it could without the told actions.
pub(super) struct SettledAim {
    pub(super) aim: Aim,
    pub(super) yes: bool,
    pub(super) before: bool,
}
