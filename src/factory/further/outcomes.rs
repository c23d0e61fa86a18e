//! Stories whose actions have several outcomes to questions whether something is sure at their end, and whether it is
//! possible.
//!
//! Asked is what a reader who settles for the likely may get wrong: whether that is sure which is so in most situations that
//! the story may have led to, and whether that is possible which is so in few of them.

use std::collections::BTreeMap;

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::domain::question_groups::MUST;
use crate::factory::error::FactoryError;
use crate::factory::further::gathering::{Gatherer, SayableTerms};
use crate::factory::further::offers::{Given, OfferCell, OfferedQuestion, Offers, PartAsked};
use crate::factory::further::partly::{Modality, PartStory, told_fluents};
use crate::phrases::book::FamilyPhrases;
use crate::simulate::narrative::outcomes::{OpenEnd, open_ends};
use crate::simulate::narrative::partly::PartTelling;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// The most courses of outcomes that a story may have to be asked about.
const MOST_COURSES: usize = 256;
/// The fewest situations that must remain at the end of a story of more than one action.
const LEAST_SITUATIONS: usize = 2;
/// Fluents of one functor with each answer that are offered of a story.
const OFFERED: usize = 16;

impl Gatherer<'_> {
    /// The stories of which the text leaves open where they lead to.
    pub(super) fn courses<'s>(
        &self,
        stage: &mut Simulator,
        stories: &[(usize, &'s Story)],
        sayable: &SayableTerms,
    ) -> Result<(Vec<PartStory<'s>>, Vec<OpenEnd>), FactoryError> {
        let tales: Vec<(&Situation, &[usize])> =
            stories.iter().map(|(_, story)| (&story.initial, story.plan.as_slice())).collect();
        let ends = open_ends(&mut stage.engine, &tales, MOST_COURSES)?;
        let told = told_fluents(self.package, sayable);
        let open = stories.iter().zip(ends).filter_map(|((number, story), end)| {
            // After one action that is tried where it cannot fail, there is one situation; who overlooks the latter errs.
            let least = if story.plan.len() > 1 { LEAST_SITUATIONS } else { 1 };
            let end = end.filter(|end| end.ends.len() >= least && end.courses() > 1)?;
            let ways = end.ends.iter().map(|(situation, _)| (0, situation.clone())).collect();
            let stated = told.intersection(&story.initial).iter().count();
            let starts = vec![story.initial.clone()];
            let telling = PartTelling::default();
            Some((PartStory { told: *number, story, telling, stated, starts, ways }, end))
        });
        Ok(open.unzip())
    }

    /// Questions whether something is sure, or possible.
    pub(super) fn of_outcomes(
        &self,
        stage: &Simulator,
        families: &[(usize, &FamilyPhrases)],
        (told, open): (&[PartStory], &[OpenEnd]),
        sayable: &SayableTerms,
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), FactoryError> {
        let answers = self.modal(families, stage)?;
        let engine = &stage.engine;
        for (part, end) in told.iter().zip(open) {
            let now = Modality::of(engine.fluents.len(), part.ways.iter().map(|(_, end)| end));
            let concerned = concerned(engine, part.story, end);
            for (number, family) in families {
                let Some(answers) = answers.get(&family.pattern.functor) else { continue };
                let is_must = family.pattern.functor == MUST;
                let mut by_functor: BTreeMap<(&str, bool), Vec<usize>> = BTreeMap::new();
                for fluent in sayable.fluents.iter().copied().filter(|fluent| concerned.contains(*fluent)) {
                    let having = end.ends.iter().filter(|(situation, _)| situation.contains(fluent)).count();
                    let is_likely = 2 * having >= end.ends.len();
                    if is_likely != is_must && 2 * having != end.ends.len() {
                        continue;
                    }
                    let yes = answers[now.class(fluent)].is("yes", 0);
                    by_functor.entry((engine.fluents[fluent].functor(), yes)).or_default().push(fluent);
                }
                for ((functor, yes), mut fluents) in by_functor {
                    let (some, _) = fluents.partial_shuffle(rng, OFFERED);
                    let cell = OfferCell { kind: Kind::Verify, family: *number, detail: functor.to_owned() };
                    let offer = |fluent: &usize| {
                        let answer = Given::Term(answers[now.class(*fluent)].clone());
                        let same = part.starts[0].contains(*fluent) == yes;
                        let offer = part.offer(PartAsked::Truth(*fluent), answer, same, u32::from(yes));
                        OfferedQuestion { yes, ..offer }
                    };
                    offers.entry(cell).or_default().extend(some.iter().map(offer));
                }
            }
        }
        Ok(())
    }
}

/// The fluents that change on some course, and those that name what an action with several outcomes names.
fn concerned(engine: &TransitionSystem, story: &Story, end: &OpenEnd) -> BitSet {
    let open = story.plan.iter().filter(|action| engine.deeds.of(**action).count() > 1);
    let named: Vec<&Term> = open.flat_map(|action| engine.actions[*action].args()).collect();
    let mut found = end.touched.clone();
    for (fluent, term) in engine.fluents.iter().enumerate() {
        if term.args().iter().any(|argument| named.contains(&argument)) {
            found.insert(fluent);
        }
    }
    found
}
