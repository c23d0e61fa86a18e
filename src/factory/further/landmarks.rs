//! Stories to questions about landmarks: is something true at some moment on every way to a goal?
//!
//! What is asked about is false so far, is true somewhere on a shortest way, and is no part of the goal, nor entailed by it.
//! It is no landmark where the search finds a way around, and it is one where clingo's fixpoint proves that there is none.

use std::collections::BTreeMap;

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rustc_hash::FxHashSet as HashSet;

use crate::factory::error::FactoryError;
use crate::factory::further::gathering::SayableTerms;
use crate::factory::further::offers::{Offers, SearchArgument};
use crate::factory::further::search_families::{LONGEST_DETOUR, SearchFamily};
use crate::factory::further::searching::{DrawnGoal, SearchOffer, SearchedStory, facts, verdict};
use crate::simulate::error::SimulationError;
use crate::simulate::search::by_clingo::{PlanSearch, TermLiteral, several_steps};
use crate::simulate::search::surroundings::Surroundings;
use crate::simulate::story::Simulator;

/// Goals of a story that are looked at, and how far the farthest of them is.
const GOALS: usize = 16;
const FARTHEST: usize = 6;
/// Statements that are tried for each goal, and proofs that are tried for each story.
const TRIED: usize = 4;
const PROOFS: usize = 6;

/// The program over one step, once it is needed.
#[derive(Default)]
pub(super) struct Landmarks(Option<PlanSearch>);

impl Landmarks {
    /// Adds the questions that a story offers.
    pub(super) fn offer(
        &mut self,
        stage: &Simulator,
        story: &SearchedStory,
        goals: &[DrawnGoal],
        family: (usize, SearchFamily),
        sayable: &SayableTerms,
        (offers, rng): (&mut Offers, &mut ChaCha8Rng),
    ) -> Result<(), FactoryError> {
        let mut near: Vec<&DrawnGoal> = goals
            .iter()
            .filter(|drawn| (2..=FARTHEST).contains(&drawn.distance) && drawn.goal.len() < 3)
            .collect();
        near.shuffle(rng);
        let mut proved: BTreeMap<usize, HashSet<TermLiteral>> = BTreeMap::new();
        for drawn in near.into_iter().take(GOALS) {
            for fluent in candidates(&story.now, drawn, sayable, rng) {
                let around = story.now.distance_without(&drawn.goal, fluent);
                let yes = match around {
                    Some(detour) if detour <= drawn.distance + LONGEST_DETOUR => false,
                    Some(_) => continue,
                    None if proved.len() >= PROOFS && !proved.contains_key(&fluent) => continue,
                    None => {
                        if !proved.contains_key(&fluent) {
                            proved.insert(fluent, self.values(stage, &story.now, fluent)?);
                        }
                        let fluents = &stage.engine.fluents;
                        let may = &proved[&fluent];
                        let is_open = |(wanted, truth): &(usize, bool)| {
                            may.contains(&(fluents[*wanted].clone(), *truth))
                        };
                        if drawn.goal.iter().all(is_open) {
                            continue;
                        }
                        true
                    }
                };
                // From the initial situation: false where it is true already, or where the search finds a way around.
                let then = &story.initially;
                let before = !then.reached[0].situation.contains(fluent)
                    && then.distance_without(&drawn.goal, fluent).is_none();
                story.add(offers, family, SearchOffer {
                    detail: format!(
                        "{}, {}",
                        stage.engine.fluents[fluent].functor(),
                        facts(drawn.goal.len())
                    ),
                    arguments: vec![
                        SearchArgument::Fluent(fluent),
                        SearchArgument::Goal(drawn.goal.clone()),
                    ],
                    answer: verdict(yes),
                    class: 0,
                    trivial: before == yes,
                    effort: story.effort(drawn.distance),
                });
            }
        }
        Ok(())
    }

    /// The values that fluents could come to have if one of them stays false.
    fn values(
        &mut self,
        stage: &Simulator,
        around: &Surroundings,
        never: usize,
    ) -> Result<HashSet<TermLiteral>, FactoryError> {
        let search = match &mut self.0 {
            Some(known) => known,
            open => {
                let program = several_steps(stage.layout(), stage.package, None, 1);
                open.insert(PlanSearch::new(&program, stage.limit()).map_err(SimulationError::from)?)
            }
        };
        let fluents = &stage.engine.fluents;
        let start = &around.reached[0].situation;
        let here: Vec<Term> = start.iter().map(|fluent| fluents[fluent].clone()).collect();
        let known: Vec<TermLiteral> = around
            .values_without(never, fluents.len())
            .into_iter()
            .map(|(fluent, truth)| (fluents[fluent].clone(), truth))
            .collect();
        Ok(search.values_without(&here, &known, &fluents[never]).map_err(SimulationError::from)?)
    }
}

/// Statements that are false so far and true somewhere on a shortest way to a goal, neither part of the goal nor entailed by
/// it.
fn candidates(
    around: &Surroundings,
    drawn: &DrawnGoal,
    sayable: &SayableTerms,
    rng: &mut ChaCha8Rng,
) -> Vec<usize> {
    let start = &around.reached[0].situation;
    let ends: Vec<usize> = around
        .layer(drawn.distance)
        .filter(|place| {
            let here = &around.reached[*place].situation;
            drawn.goal.iter().all(|(fluent, truth)| here.contains(*fluent) == *truth)
        })
        .collect();
    let Some(end) = ends.choose(rng) else { return Vec::new() };
    let passed = around.passed(*end);
    let fits = |fluent: &usize| {
        !start.contains(*fluent)
            && !drawn.goal.iter().any(|(wanted, _)| wanted == fluent)
            && passed.iter().any(|place| around.reached[*place].situation.contains(*fluent))
            && around.parts(&drawn.goal, *fluent)
    };
    let all: Vec<usize> = sayable.fluents.iter().copied().filter(fits).collect();
    all.sample(rng, TRIED).copied().collect()
}
