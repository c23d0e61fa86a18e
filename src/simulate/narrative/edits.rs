//! A story with an action left out, replaced or moved to where it leads: the edited replay.
//!
//! `asp/whatif.lp` says what an edit means; what is here runs it step by step on the ground rules, and
//! [`by_clingo`](super::by_clingo) has clingo run it as a whole.

use racgen_logic::term::Term;

use crate::simulate::error::SimulationError;
use crate::simulate::situation::Situation;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// A change of a plan. Steps are counted from 0 here, and from 1 in texts and terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PlanEdit {
    /// The step is left out.
    Without(usize),
    /// Another action takes the place of the step's.
    Instead(usize, usize),
    /// The actions of two steps change places.
    Swapped(usize, usize),
}

impl PlanEdit {
    /// The name of the family that asks about it.
    pub fn family(self) -> &'static str {
        match self {
            PlanEdit::Without(_) => "without",
            PlanEdit::Instead(..) => "instead",
            PlanEdit::Swapped(..) => "swapped",
        }
    }

    /// The first step that differs.
    pub fn first(self) -> usize {
        match self {
            PlanEdit::Without(step) | PlanEdit::Instead(step, _) => step,
            PlanEdit::Swapped(first, second) => first.min(second),
        }
    }

    /// The last step that the edit names.
    pub fn last(self) -> usize {
        match self {
            PlanEdit::Without(step) | PlanEdit::Instead(step, _) => step,
            PlanEdit::Swapped(first, second) => first.max(second),
        }
    }

    /// The arguments of its term, as `2` of `without(2,Q)`.
    pub fn arguments(self, action: impl Fn(usize) -> Term) -> Vec<Term> {
        let number = |step: usize| Term::Number(step as i32 + 1);
        match self {
            PlanEdit::Without(step) => vec![number(step)],
            PlanEdit::Instead(step, other) => vec![number(step), action(other)],
            PlanEdit::Swapped(first, second) => vec![number(first), number(second)],
        }
    }

    /// The actions that are due, step by step.
    pub fn turns(self, plan: &[usize]) -> Vec<Option<usize>> {
        let mut turns: Vec<Option<usize>> = plan.iter().copied().map(Some).collect();
        match self {
            PlanEdit::Without(step) => turns[step] = None,
            PlanEdit::Instead(step, other) => turns[step] = Some(other),
            PlanEdit::Swapped(first, second) => turns.swap(first, second),
        }
        turns
    }
}

/// Where each of these begins, which actions are due from there on, and where that leads; an action that is impossible
/// when its turn comes is skipped. All of them are worked out together.
///
/// # Errors
/// Solver failures.
pub fn replay(
    engine: &mut TransitionSystem,
    tales: &[(&Situation, Vec<Option<usize>>)],
) -> Result<Vec<Situation>, SimulationError> {
    let mut here: Vec<Situation> = tales.iter().map(|(start, _)| (*start).clone()).collect();
    let longest = tales.iter().map(|(_, turns)| turns.len()).max().unwrap_or(0);
    for step in 0..longest {
        let due = |tale: usize| tales[tale].1.get(step).copied().flatten();
        let going: Vec<(usize, usize)> =
            (0..tales.len()).filter_map(|tale| Some((tale, due(tale)?))).collect();
        let steps: Vec<(&Situation, usize)> =
            going.iter().map(|(tale, action)| (&here[*tale], *action)).collect();
        let outcomes = engine.steps(&steps)?;
        for ((tale, _), outcome) in going.into_iter().zip(outcomes) {
            if let Some(outcome) = outcome {
                here[tale] = outcome.situation;
            }
        }
    }
    Ok(here)
}
