//! A story whose actions have several outcomes to the situations that it may have led to.
//!
//! Which outcomes came is not told. All courses of outcomes along which each told action could be carried out are stepped
//! together; `asp/outcomes.lp` says what such a course is.

use std::collections::BTreeMap;

use crate::simulate::error::SimulationError;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Where a story may have led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenEnd {
    /// The situations, in order, each with the number of courses of outcomes that lead there.
    pub ends: Vec<(Situation, usize)>,
    /// The fluents that differ from the initial situation at some time of some course.
    pub touched: BitSet,
}

impl OpenEnd {
    /// How many courses of outcomes there are.
    pub fn courses(&self) -> usize {
        self.ends.iter().map(|(_, courses)| courses).sum()
    }
}

/// How a story went so far.
struct Going {
    here: BTreeMap<Situation, usize>,
    touched: BitSet,
}

/// Where actions may lead, by story; none where more than `most` courses of outcomes are to be followed, or there is none.
/// All stories are worked out together.
///
/// # Errors
/// Solver failures.
pub fn open_ends(
    engine: &mut TransitionSystem,
    tales: &[(&Situation, &[usize])],
    most: usize,
) -> Result<Vec<Option<OpenEnd>>, SimulationError> {
    let size = engine.fluents.len();
    let begin = |(start, _): &(&Situation, &[usize])| {
        let here = BTreeMap::from([((*start).clone(), 1)]);
        Some(Going { here, touched: BitSet::new(size) })
    };
    let mut going: Vec<Option<Going>> = tales.iter().map(begin).collect();
    let longest = tales.iter().map(|(_, plan)| plan.len()).max().unwrap_or(0);
    for step in 0..longest {
        let mut steps: Vec<(&Situation, usize)> = Vec::new();
        let mut of: Vec<(usize, usize)> = Vec::new();
        for (tale, state) in going.iter().enumerate() {
            let (Some(state), Some(action)) = (state, tales[tale].1.get(step)) else { continue };
            for (situation, courses) in &state.here {
                for deed in engine.deeds.of(*action) {
                    steps.push((situation, deed));
                    of.push((tale, *courses));
                }
            }
        }
        let reached = engine.steps(&steps)?;
        let mut next: BTreeMap<usize, BTreeMap<Situation, usize>> = BTreeMap::new();
        for ((tale, courses), outcome) in of.into_iter().zip(reached) {
            let there = next.entry(tale).or_default();
            if let Some(outcome) = outcome {
                *there.entry(outcome.situation).or_default() += courses;
            }
        }
        for (tale, here) in next {
            let start = tales[tale].0;
            let is_followed = !here.is_empty() && here.values().sum::<usize>() <= most;
            going[tale] = going[tale].take().filter(|_| is_followed).map(|Going { mut touched, .. }| {
                for situation in here.keys() {
                    let differs = situation.iter().filter(|fluent| !start.contains(*fluent));
                    differs.for_each(|fluent| touched.insert(fluent));
                    let lost = start.iter().filter(|fluent| !situation.contains(*fluent));
                    lost.for_each(|fluent| touched.insert(fluent));
                }
                Going { here, touched }
            });
        }
    }
    let end = |state: Going| OpenEnd { ends: state.here.into_iter().collect(), touched: state.touched };
    Ok(going.into_iter().map(|state| state.map(end)).collect())
}
