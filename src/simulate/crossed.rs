//! A story whose actions have several outcomes to what may come of others: of the same and of other actions, from the same and
//! from other initial situations.
//!
//! Where two initial situations and two lists of actions lead crosswise to different answers, neither the situation nor the
//! actions alone tell any of the four.

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::simulate::error::SimulationError;
use crate::simulate::narrative::outcomes::{OpenEnd, open_ends};
use crate::simulate::plans::course::Policy;
use crate::simulate::plans::drafts::{Draft, Played, begin, go_on};
use crate::simulate::plans::sampling::Sampling;
use crate::simulate::situation::{Outcome, Situation};
use crate::simulate::story::{Simulator, Story};

/// The most courses of outcomes that actions are followed along.
const MOST_COURSES: usize = 256;
/// The most other initial situations.
const MOST_STARTS: usize = 4;
/// How many situations that differ in two fluents are looked at, where too few differ in one.
const DOUBLES: usize = 24;
/// How often a plan is begun anew because no action is executable before its end.
const MOST_DEAD_ENDS: usize = 3;

/// Where some plans may lead from some initial situations.
pub struct CrossedEnds {
    /// The initial situations, by the fluents that persist; that of the story first.
    pub starts: Vec<Situation>,
    /// The plans, that of the story first.
    pub plans: Vec<Vec<usize>>,
    /// By initial situation, by plan; none where the plan cannot be carried out, or in too many ways.
    pub ends: Vec<Vec<Option<OpenEnd>>>,
}

impl Simulator<'_> {
    /// What may come of the plan of a story, and of one more for each source of random numbers, from its initial situation and
    /// from such as differ in one fluent, or in two, and have a key that `keep` accepts.
    ///
    /// # Errors
    /// Solver failures.
    pub fn crossed(
        &mut self,
        story: &Story,
        keep: &dyn Fn(&str) -> bool,
        rngs: &mut [ChaCha8Rng],
    ) -> Result<CrossedEnds, SimulationError> {
        let mut starts = vec![story.initial.intersection(&self.engine.inertial)];
        if let Some(rng) = rngs.first_mut() {
            starts.extend(self.neighbours(&story.initial, keep, rng)?);
        }
        let mut plans = vec![story.plan.clone()];
        for plan in self.plans_from(story, rngs)? {
            if !plans.contains(&plan) {
                plans.push(plan);
            }
        }
        let pairs = starts.iter().flat_map(|start| plans.iter().map(move |plan| (start, plan.as_slice())));
        let tales: Vec<(&Situation, &[usize])> = pairs.collect();
        let mut found = open_ends(&mut self.engine, &tales, MOST_COURSES)?.into_iter();
        let ends = starts.iter().map(|_| found.by_ref().take(plans.len()).collect()).collect();
        Ok(CrossedEnds { starts, plans, ends })
    }

    /// Initial situations that differ from one in one fluent; where they are few, in two.
    fn neighbours(
        &mut self,
        initial: &Situation,
        keep: &dyn Fn(&str) -> bool,
        rng: &mut ChaCha8Rng,
    ) -> Result<Vec<Situation>, SimulationError> {
        let start = initial.intersection(&self.engine.inertial);
        let turned = |start: &Situation, fluent: usize| {
            let mut start = start.clone();
            if start.contains(fluent) {
                start.remove(fluent)
            } else {
                start.insert(fluent)
            }
            start
        };
        let all: Vec<usize> = self.engine.inertial.iter().collect();
        let mut legality = self.legality()?;
        let singles: Vec<Situation> = all.iter().map(|fluent| turned(&start, *fluent)).collect();
        let legal = legality.of(&singles)?;
        let mut free: Vec<usize> =
            all.into_iter().zip(legal).filter(|(_, legal)| *legal).map(|(fluent, _)| fluent).collect();
        free.shuffle(rng);
        let is_kept = |start: &Situation| keep(&self.key(start, &[]));
        let mut found: Vec<Situation> = free.iter().map(|fluent| turned(&start, *fluent)).collect();
        found.retain(is_kept);
        found.truncate(MOST_STARTS);
        if found.len() < MOST_STARTS {
            let mut both: Vec<[usize; 2]> = Vec::new();
            for (place, one) in free.iter().enumerate() {
                both.extend(free[..place].iter().map(|other| [*one, *other]));
            }
            both.shuffle(rng);
            both.truncate(DOUBLES);
            let doubles: Vec<Situation> =
                both.iter().map(|[one, other]| turned(&turned(&start, *one), *other)).collect();
            let legal = legality.of(&doubles)?;
            let doubles = doubles.into_iter().zip(legal).filter(|(_, legal)| *legal).map(|(start, _)| start);
            found.extend(doubles.filter(is_kept).take(MOST_STARTS - found.len()));
        }
        Ok(found)
    }

    /// Plans as long as that of a story which can be carried out from its initial situation, if their outcomes are such.
    fn plans_from(
        &mut self,
        story: &Story,
        rngs: &mut [ChaCha8Rng],
    ) -> Result<Vec<Vec<usize>>, SimulationError> {
        let depth = story.plan.len();
        let mut drafts: Vec<Draft> = rngs.iter_mut().map(|rng| Draft::new(rng, 1)).collect();
        for draft in &mut drafts {
            draft.draw(false, |_| Ok((story.initial.clone(), story.world.clone())), |_| true)?;
        }
        let (domain, sampling) = (self.package.name.clone(), self.sampling);
        let dead_end = |tries| SimulationError::NoPlan { domain: domain.clone(), depth, tries };
        let policy = |_: &Situation, _: &mut ChaCha8Rng| {
            Ok(Some(if sampling == Sampling::Explore { Policy::Explore } else { Policy::Walk }))
        };
        begin(&mut drafts, &mut self.engine, depth, policy, &dead_end, MOST_DEAD_ENDS)?;
        go_on(&mut drafts, &mut self.engine, |_, _, _| true, &dead_end, MOST_DEAD_ENDS)?;
        Ok(drafts.into_iter().filter_map(Draft::played).map(|played| played.plan).collect())
    }

    /// The story of the first course of outcomes along which these actions can be carried out; none where there is none.
    ///
    /// # Errors
    /// Solver failures.
    pub(crate) fn some_course(
        &mut self,
        start: &Situation,
        plan: &[usize],
    ) -> Result<Option<Story>, SimulationError> {
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
