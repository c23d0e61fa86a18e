//! A story whose actions have several outcomes to others with the same actions, in which something else may have come of them.
//!
//! A twin begins in a situation that differs in one fluent. Who knows the actions alone cannot tell it from the story.

use crate::simulate::error::SimulationError;
use crate::simulate::narrative::outcomes::{OpenEnd, open_ends};
use crate::simulate::plans::drafts::Played;
use crate::simulate::situation::{Outcome, Situation};
use crate::simulate::story::{Simulator, Story};

/// The most courses of outcomes that a story is followed along.
const MOST_COURSES: usize = 256;

/// The most twins of a story.
const MOST_TWINS: usize = 2;

impl Simulator<'_> {
    /// Twins of a story that end in another number of situations, in the order of the fluents in which they differ.
    ///
    /// # Errors
    /// Solver failures.
    pub fn twins(&mut self, story: &Story) -> Result<Vec<Story>, SimulationError> {
        let inertial = self.engine.inertial.clone();
        let turned = |fluent: usize| {
            let mut start = story.initial.intersection(&inertial);
            if start.contains(fluent) {
                start.remove(fluent)
            } else {
                start.insert(fluent)
            }
            start
        };
        let starts: Vec<Situation> = inertial.iter().map(turned).collect();
        let legal = self.legality()?.of(&starts)?;
        let starts: Vec<Situation> =
            starts.into_iter().zip(legal).filter(|(_, legal)| *legal).map(|(start, _)| start).collect();
        let all: Vec<&Situation> = std::iter::once(&story.initial).chain(&starts).collect();
        let tales: Vec<(&Situation, &[usize])> =
            all.iter().map(|start| (*start, story.plan.as_slice())).collect();
        let mut ends = open_ends(&mut self.engine, &tales, MOST_COURSES)?.into_iter();
        let count = |end: &Option<OpenEnd>| end.as_ref().map_or(0, |end| end.ends.len());
        let own = ends.next().as_ref().map_or(0, count);
        let others = starts.iter().zip(ends).filter(|(_, end)| ![0, own].contains(&count(end)));
        let mut twins = Vec::new();
        for (start, _) in others {
            if twins.len() == MOST_TWINS {
                break;
            }
            twins.extend(self.some_course(start, &story.plan)?);
        }
        Ok(twins)
    }

    /// The story of the first course of outcomes along which these actions can be carried out; none where there is none.
    fn some_course(&mut self, start: &Situation, plan: &[usize]) -> Result<Option<Story>, SimulationError> {
        let Some((here, initially)) = self.engine.consider(start, None)? else { return Ok(None) };
        let (mut deeds, mut passed) = (Vec::new(), vec![here]);
        // By step, what is still to be tried there.
        let mut open: Vec<Vec<(usize, Outcome)>> = Vec::new();
        while deeds.len() < plan.len() {
            let here = &passed[passed.len() - 1].situation;
            let own: Vec<usize> = self.engine.deeds.of(plan[deeds.len()]).collect();
            let steps: Vec<(&Situation, usize)> = own.iter().map(|deed| (here, *deed)).collect();
            let reached = self.engine.steps(&steps)?;
            let mut next: Vec<(usize, Outcome)> =
                own.into_iter().zip(reached).filter_map(|(deed, outcome)| Some((deed, outcome?))).collect();
            next.reverse();
            open.push(next);
            // Back to the last step at which something else may have come.
            while open.last().is_some_and(Vec::is_empty) {
                open.pop();
                deeds.pop();
                passed.pop();
            }
            let Some((deed, outcome)) = open.last_mut().and_then(Vec::pop) else { return Ok(None) };
            deeds.truncate(open.len() - 1);
            passed.truncate(open.len());
            deeds.push(deed);
            passed.push(outcome);
        }
        let world = self.key(&passed[0].situation, &[]).into();
        let played = Played { world, initially, plan: plan.to_vec(), deeds, passed, beyond: Vec::new() };
        Ok(self.settle(vec![played])?.pop())
    }
}
