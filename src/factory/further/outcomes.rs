//! Stories whose actions have several outcomes to questions whether something is sure at their end, and whether it is
//! possible.
//!
//! Asked is what a reader who settles for the likely may get wrong: whether that is sure which is so in most situations that
//! the story may have led to, and whether that is possible which is so in few of them.

use racgen_logic::term::Term;

use crate::domain::question_groups::MUST;
use crate::factory::error::FactoryError;
use crate::factory::further::gathering::{Gatherer, SayableTerms};
use crate::factory::further::offers::{Given, OfferCell, OfferedQuestion, Offers, PartAsked, numbered};
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
            // Where all that is tried cannot fail there is one situation; who overlooks that errs.
            let end = end.filter(|end| end.courses() > 1)?;
            let ways = end.ends.iter().map(|(situation, _)| (0, situation.clone())).collect();
            let facts = told.intersection(&story.initial);
            let (starts, beginning) = (vec![story.initial.clone()], numbered(&story.initial));
            let telling = PartTelling::default();
            Some((PartStory { told: *number, story, telling, facts, beginning, starts, ways }, end))
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
    ) -> Result<(), FactoryError> {
        let answers = self.modal(families, stage)?;
        let engine = &stage.engine;
        for (part, end) in told.iter().zip(open) {
            let now = Modality::of(engine.fluents.len(), part.ways.iter().map(|(_, end)| end));
            let concerned = concerned(engine, &part.story.plan, end);
            for (place, family) in families {
                let Some(answers) = answers.get(&family.pattern.functor) else { continue };
                let is_must = family.pattern.functor == MUST;
                for fluent in sayable.fluents.iter().copied().filter(|fluent| concerned.contains(*fluent)) {
                    let having = end.ends.iter().filter(|(situation, _)| situation.contains(fluent)).count();
                    if !is_asked(is_must, having, end.ends.len()) {
                        continue;
                    }
                    let answer = &answers[now.class(fluent)];
                    let yes = answer.is("yes", 0);
                    let detail = engine.fluents[fluent].functor().to_owned();
                    let cell = OfferCell { kind: Kind::Verify, family: *place, detail };
                    let (asked, answer) = (PartAsked::Truth(fluent), Given::Term(answer.clone()));
                    let offer =
                        part.offer(asked, answer, part.starts[0].contains(fluent) == yes, u32::from(yes));
                    offers.entry(cell).or_default().push(OfferedQuestion { yes, ..offer });
                }
            }
        }
        Ok(())
    }
}

/// Is it asked whether that is sure, or possible, which is so in some of all situations? Else who settles for the likely is right.
pub(super) fn is_asked(is_must: bool, some: usize, all: usize) -> bool {
    2 * some == all || (2 * some > all) == is_must
}

/// The fluents that change on some course, and those that name what an action with several outcomes names.
pub(super) fn concerned(engine: &TransitionSystem, plan: &[usize], end: &OpenEnd) -> BitSet {
    let open = plan.iter().filter(|action| engine.deeds.of(**action).count() > 1);
    let named: Vec<&Term> = open.flat_map(|action| engine.actions[*action].args()).collect();
    let mut found = end.touched.clone();
    for (fluent, term) in engine.fluents.iter().enumerate() {
        if term.args().iter().any(|argument| named.contains(&argument)) {
            found.insert(fluent);
        }
    }
    found
}
