//! A story whose actions have several outcomes to others with the same actions, in which something else may have come of them.
//!
//! A twin begins in a situation that differs in one fluent. Who knows the actions alone cannot tell it from the story.

use crate::simulate::error::SimulationError;
use crate::simulate::narrative::outcomes::{OpenEnd, open_ends};
use crate::simulate::situation::Situation;
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
}
