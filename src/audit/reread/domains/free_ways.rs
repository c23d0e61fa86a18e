//! Ways that a rationale may choose.

use crate::language::tell::course::{Comparison, CourseEvent};
use crate::simulate::search::costs::{costs, total};
use crate::simulate::search::goal::{GoalFact, is_met};
use crate::simulate::situation::Situation;

/// A way to a goal that a rationale may choose.
pub(super) struct FreeWay {
    pub(super) goal: Vec<GoalFact>,
    pub(super) length: WayLength,
    pub(super) first: Option<usize>,
    /// The action at its end.
    pub(super) last: Option<usize>,
    /// What is so in all situations on it, but for that after an action at its end.
    pub(super) held: Option<GoalFact>,
}

/// How long a way has to be.
pub(super) enum WayLength {
    /// It has so many actions.
    Actions(usize),
    /// It costs so much, where actions have these costs.
    Cost(Vec<usize>, usize),
    /// It may be as long as it likes.
    Any,
}

/// The actions of a way; none where something else happens on it.
fn done(own: &[(CourseEvent, Situation)]) -> Option<Vec<usize>> {
    own.iter()
        .map(|(event, _)| if let CourseEvent::Done(action) = event { Some(*action) } else { None })
        .collect()
}

impl FreeWay {
    /// What is to be said of other ways, where that depends on which one is taken.
    pub(super) fn compared(&self, own: &[(CourseEvent, Situation)]) -> Option<Comparison> {
        let WayLength::Cost(prices, _) = &self.length else { return None };
        done(own).map(|done| Comparison::NoCheaper(costs(&done, prices)))
    }

    /// Are these actions, with the situations after them, and the one before them, such a way?
    pub(super) fn is_taken(&self, own: &[(CourseEvent, Situation)], start: &Situation) -> bool {
        let Some(done) = done(own) else { return false };
        let is_long = match &self.length {
            WayLength::Actions(count) => done.len() == *count,
            WayLength::Cost(prices, least) => total(&done, prices) == *least,
            WayLength::Any => true,
        };
        let passed: Vec<&Situation> =
            std::iter::once(start).chain(own.iter().map(|(_, here)| here)).collect();
        let bound = &passed[..passed.len() - usize::from(self.last.is_some())];
        is_long
            && (self.first.is_none() || done.first().copied() == self.first)
            && (self.last.is_none() || done.last().copied() == self.last)
            && bound.iter().all(|here| self.held.is_none_or(|held| is_met(&[held], here)))
            && is_met(&self.goal, passed[passed.len() - 1])
    }
}
