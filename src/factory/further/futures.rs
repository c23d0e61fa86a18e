//! Stories that were searched to what they offer to families beside distances and listed plans: choices, changes, and what
//! can ever be so.

use rand::rngs::ChaCha8Rng;

use crate::factory::error::FactoryError;
use crate::factory::further::choices::{next_choice, recognise};
use crate::factory::further::ever::FutureInvariants;
use crate::factory::further::gathering::{Gatherer, SayableTerms};
use crate::factory::further::offers::Offers;
use crate::factory::further::replanning::replan;
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::searching::{DrawnGoal, SearchedStory};
use crate::simulate::story::{Simulator, Story};

impl Gatherer<'_> {
    /// Questions of these families; the goals are those that were drawn for each story.
    pub(super) fn futures(
        &self,
        stage: &Simulator,
        stories: &[(usize, &Story)],
        (searched, drawn): (&[SearchedStory], &[Vec<DrawnGoal>]),
        wanted: &[(usize, SearchFamily)],
        sayable: &SayableTerms,
        (offers, rng): (&mut Offers, &mut ChaCha8Rng),
    ) -> Result<(), FactoryError> {
        let ever: Vec<(usize, SearchFamily)> =
            wanted.iter().filter(|(_, search)| search.is_ever()).copied().collect();
        let mut invariants = FutureInvariants::default();
        let engine = &stage.engine;
        for ((story, goals), (_, told)) in searched.iter().zip(drawn).zip(stories) {
            for family in wanted {
                match family.1 {
                    SearchFamily::Recognise => {
                        let plan = told.plan.as_slice();
                        recognise(engine, story, (*family, plan), sayable, (offers, rng));
                    }
                    SearchFamily::Replan => replan(engine, story, *family, goals, sayable, (offers, rng)),
                    SearchFamily::NextChoice => {
                        for goal in goals {
                            next_choice(engine, story, *family, goal, sayable, (offers, rng));
                        }
                    }
                    _ => {}
                }
            }
            if !ever.is_empty() {
                invariants.offer(stage, story, goals, &ever, sayable, (offers, rng))?;
            }
        }
        Ok(())
    }
}
