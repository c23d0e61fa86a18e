//! Stories that were searched to what they offer to families beside distances and listed plans: choices, changes, what
//! can ever be so, and what must be so on the way.

use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::factory::error::FactoryError;
use crate::factory::further::choices::{next_choice, recognise};
use crate::factory::further::costs::{ActionKinds, priced};
use crate::factory::further::gathering::{Gatherer, SayableTerms};
use crate::factory::further::lasting_facts::Lasting;
use crate::factory::further::offers::Offers;
use crate::factory::further::proving::FutureInvariants;
use crate::factory::further::replanning::replan;
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::searching::{DrawnGoal, SearchedStory};
use crate::simulate::search::costs::kinds;
use crate::simulate::story::{Simulator, Story};

/// Goals, of each story, to which it is asked which of four actions begins a way.
const CHOICE_GOALS: usize = 24;

impl Gatherer<'_> {
    /// Questions of these families about a story; the goals are those that were drawn for it. `invariants` are the
    /// layout's.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn futures(
        &self,
        stage: &Simulator,
        (story, told, lasting): (&SearchedStory, &Story, Lasting),
        goals: &[DrawnGoal],
        wanted: &[(usize, SearchFamily)],
        sayable: &SayableTerms,
        invariants: &mut FutureInvariants,
        (offers, rng): (&mut Offers, &mut ChaCha8Rng),
    ) -> Result<(), FactoryError> {
        let engine = &stage.engine;
        for family in wanted {
            match family.1 {
                SearchFamily::Recognise => {
                    let plan = told.plan.as_slice();
                    recognise(engine, story, (*family, plan), sayable, (offers, rng));
                }
                SearchFamily::NextChoice => {
                    for goal in goals.sample(rng, CHOICE_GOALS) {
                        next_choice(engine, story, *family, goal, sayable, (offers, rng));
                    }
                }
                _ => {}
            }
        }
        let changing: Vec<(usize, SearchFamily)> =
            wanted.iter().filter(|(_, search)| search.changes()).copied().collect();
        if !changing.is_empty() {
            replan(engine, story, &changing, goals, sayable, (&mut *offers, &mut *rng));
        }
        let priced_families: Vec<(usize, SearchFamily)> =
            wanted.iter().filter(|(_, search)| search.is_priced()).copied().collect();
        if !priced_families.is_empty() && self.lexicon.view.is_none() {
            let kinds = ActionKinds::new(kinds(self.package, &engine.actions), &engine.actions, sayable);
            priced(story, &priced_families, goals, (&kinds, sayable), (&mut *offers, &mut *rng));
        }
        let ever: Vec<(usize, SearchFamily)> =
            wanted.iter().filter(|(_, search)| search.is_ever()).copied().collect();
        if !ever.is_empty() {
            invariants.offer(stage, story, goals, &ever, (sayable, lasting), (offers, rng))?;
        }
        Ok(())
    }
}
