//! Worlds to plans that start in them, many at once: each has its own random numbers, and what all of them want to know
//! next is evaluated together.

use std::sync::Arc;

use rand::rngs::ChaCha8Rng;

use crate::simulate::error::SimulationError;
use crate::simulate::plans::course::{Course, Next, Policy};
use crate::simulate::situation::{AnswerSheet, Outcome, Situation};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// A plan that was carried out, and further actions.
pub(crate) struct Played {
    /// Key of the world.
    pub(crate) world: Arc<str>,
    /// What the initial situation answers.
    pub(crate) initially: AnswerSheet,
    pub(crate) plan: Vec<usize>,
    /// The same with what came of it.
    pub(crate) deeds: Vec<usize>,
    /// The situations passed, the initial one first.
    pub(crate) passed: Vec<Outcome>,
    pub(crate) beyond: Vec<(usize, Outcome)>,
}

/// A story that is not told yet.
pub(crate) struct Draft<'r> {
    rng: &'r mut ChaCha8Rng,
    /// How many worlds may still be drawn for it.
    tries: usize,
    dead_ends: usize,
    progress: DraftState,
}

enum DraftState {
    /// There is no world yet.
    Blank,
    /// A world was drawn.
    Drawn(Situation, Arc<str>),
    /// The plan grows.
    Going(Box<Course>, Arc<str>, AnswerSheet),
    Arrived(Box<Played>),
    /// No world was found.
    GivenUp,
}

impl<'r> Draft<'r> {
    pub(crate) fn new(rng: &'r mut ChaCha8Rng, tries: usize) -> Draft<'r> {
        Draft { rng, tries, dead_ends: 0, progress: DraftState::Blank }
    }

    /// Is there nothing to be done any more?
    pub(crate) fn is_complete(&self) -> bool {
        matches!(self.progress, DraftState::Arrived(_) | DraftState::GivenUp)
    }

    /// What came of it; none where no world was found.
    pub(crate) fn played(self) -> Option<Played> {
        if let DraftState::Arrived(played) = self.progress { Some(*played) } else { None }
    }

    /// Was no world found?
    pub(crate) fn is_given_up(&self) -> bool {
        matches!(self.progress, DraftState::GivenUp)
    }

    /// Draws worlds until one is accepted, unless it is known that there are none.
    pub(crate) fn draw(
        &mut self,
        given_up: bool,
        mut world: impl FnMut(&mut ChaCha8Rng) -> Result<(Situation, Arc<str>), SimulationError>,
        accept: impl Fn(&str) -> bool,
    ) -> Result<(), SimulationError> {
        while matches!(self.progress, DraftState::Blank) {
            if given_up || self.tries == 0 {
                self.progress = DraftState::GivenUp;
                break;
            }
            self.tries -= 1;
            let (start, key) = world(self.rng)?;
            if accept(&key) {
                self.progress = DraftState::Drawn(start, key);
            }
        }
        Ok(())
    }

    /// Another world is drawn, since no plan came about in this one.
    fn ends(&mut self, most_dead_ends: usize) -> Result<(), usize> {
        self.progress = DraftState::Blank;
        self.dead_ends += 1;
        if self.dead_ends < most_dead_ends { Ok(()) } else { Err(self.dead_ends) }
    }
}

/// Begins a course in each world that was drawn. `policy` says how actions are chosen, if any plan is possible.
pub(crate) fn begin(
    drafts: &mut [Draft],
    engine: &mut TransitionSystem,
    depth: usize,
    mut policy: impl FnMut(&Situation, &mut ChaCha8Rng) -> Result<Option<Policy>, SimulationError>,
    dead_end: &dyn Fn(usize) -> SimulationError,
    most_dead_ends: usize,
) -> Result<(), SimulationError> {
    let mut drawn: Vec<(&mut Draft, Situation, Arc<str>)> = Vec::new();
    for draft in drafts {
        match std::mem::replace(&mut draft.progress, DraftState::Blank) {
            DraftState::Drawn(start, key) => drawn.push((draft, start, key)),
            other => draft.progress = other,
        }
    }
    let asked: Vec<(&Situation, Option<usize>)> = drawn.iter().map(|(_, start, _)| (start, None)).collect();
    let considered = engine.sheets(&asked)?;
    for ((draft, start, key), considered) in drawn.into_iter().zip(considered) {
        let policy = if considered.is_some() { policy(&start, draft.rng)? } else { None };
        match considered.zip(policy) {
            Some(((here, initially), policy)) => {
                draft.progress =
                    DraftState::Going(Box::new(Course::new(policy, here, depth)), key, initially);
            }
            None => draft.ends(most_dead_ends).map_err(dead_end)?,
        }
    }
    Ok(())
}

/// Has all courses arrive or end. `accept` says of an initial situation and a plan whether they will do.
pub(crate) fn go_on(
    drafts: &mut [Draft],
    engine: &mut TransitionSystem,
    accept: impl Fn(&TransitionSystem, &Situation, &[usize]) -> bool,
    dead_end: &dyn Fn(usize) -> SimulationError,
    most_dead_ends: usize,
) -> Result<(), SimulationError> {
    loop {
        let mut tried: Vec<(&mut Draft, usize)> = Vec::new();
        for draft in drafts.iter_mut() {
            let DraftState::Going(course, ..) = &mut draft.progress else { continue };
            match course.next(engine, draft.rng) {
                Next::Try(action) => tried.push((draft, action)),
                Next::DeadEnd => draft.ends(most_dead_ends).map_err(dead_end)?,
                Next::Arrived => draft.arrive(engine, &accept),
            }
        }
        if tried.is_empty() {
            return Ok(());
        }
        let steps: Vec<(&Situation, usize)> = tried
            .iter()
            .filter_map(|(draft, action)| match &draft.progress {
                DraftState::Going(course, ..) => Some((&course.here().situation, *action)),
                _ => None,
            })
            .collect();
        let outcomes = engine.steps(&steps)?;
        for ((draft, _), outcome) in tried.into_iter().zip(outcomes) {
            if let DraftState::Going(course, ..) = &mut draft.progress {
                course.came_to(outcome);
            }
        }
    }
}

impl Draft<'_> {
    fn arrive(
        &mut self,
        engine: &TransitionSystem,
        accept: &impl Fn(&TransitionSystem, &Situation, &[usize]) -> bool,
    ) {
        if let DraftState::Going(course, world, initially) =
            std::mem::replace(&mut self.progress, DraftState::Blank)
            && accept(engine, &course.passed[0].situation, &course.plan)
        {
            let Course { plan, deeds, passed, beyond, .. } = *course;
            self.progress =
                DraftState::Arrived(Box::new(Played { world, initially, plan, deeds, passed, beyond }));
        }
    }
}
