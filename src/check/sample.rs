//! A story to a page for the eye: how it is told, and some of the questions about it with their answers.

use std::fmt;

use racgen_logic::fault::Fault;
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::domain::question_groups::{MUST, is_of_outcomes};
use crate::language::tell::family_question::{FamilySlot, family_question};
use crate::language::tell::narrator::Narrator;
use crate::language::tell::paragraphs::Disorder;
use crate::language::tell::verbalizer::Verbalizer;
use crate::simulate::narrative::outcomes::OpenEnd;
use crate::simulate::story::{Story, Timepoint};

/// Questions that are shown.
const MOST_QUESTIONS: usize = 10;

/// A story as it is told, and questions about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleStory {
    /// The initial state.
    pub initial_state: String,
    /// The rules.
    pub rules: String,
    /// The actions.
    pub actions: String,
    /// Questions with their answers.
    pub questions: Vec<(String, String)>,
}

impl SampleStory {
    /// Tells a story, and asks one question of each of some families about it.
    ///
    /// # Errors
    /// A template of the rules paragraph that fails on this world.
    pub(crate) fn of(teller: &Verbalizer, story: &Story, rng: &mut ChaCha8Rng) -> Result<SampleStory, Fault> {
        let texts = teller.paragraphs(story, Disorder::default(), rng)?;
        let engine = teller.engine();
        let mut asked: Vec<(String, String)> = Vec::new();
        let mut families: Vec<&str> = Vec::new();
        let mut order: Vec<usize> = (0..engine.questions.len()).collect();
        order.shuffle(rng);
        // Answers other than nothing first, for they show more.
        for telling in [true, false] {
            for scene in [Timepoint::Now, Timepoint::Supposing, Timepoint::AfterOne, Timepoint::Initially] {
                let Some((sheet, _)) = story.sheet(scene) else { continue };
                let again = matches!(scene, Timepoint::AfterOne | Timepoint::Initially);
                let mut left = if again { 1 } else { MOST_QUESTIONS };
                for question in &order {
                    let term = &engine.questions[*question].term;
                    let given = engine.questions[*question].answers.clone().filter(|a| sheet.contains(*a));
                    let mut answers: Vec<&Term> = given.map(|a| &engine.answers[a].answer).collect();
                    let nothing =
                        matches!(answers[..], [only] if only.is("none", 0) || *only == Term::Number(0));
                    let known = families.contains(&term.functor()) && !again;
                    if left == 0
                        || answers.is_empty()
                        || known
                        || telling == nothing
                        || asked.len() == MOST_QUESTIONS
                    {
                        continue;
                    }
                    let Some((text, _)) = teller.question(story, scene, *question, rng) else { continue };
                    families.push(term.functor());
                    asked.push((text, teller.answer(*question, &mut answers).0));
                    left -= 1;
                }
            }
        }
        Ok(SampleStory {
            initial_state: texts.initial_state,
            rules: texts.rules,
            actions: texts.actions,
            questions: asked,
        })
    }

    /// Tells a story whose actions have several outcomes, and asks whether some of what they touch is sure or possible.
    ///
    /// # Errors
    /// As [`SampleStory::of`].
    pub(crate) fn of_open(
        teller: &Verbalizer,
        story: &Story,
        open: Option<&OpenEnd>,
        rng: &mut ChaCha8Rng,
    ) -> Result<SampleStory, Fault> {
        let texts = teller.paragraphs(story, Disorder::default(), rng)?;
        let mut questions = Vec::new();
        let families = teller.common().families.iter().filter(|f| is_of_outcomes(&f.pattern.functor));
        for family in families {
            let Some(open) = open else { break };
            let said: Vec<usize> = open.touched.iter().filter(|fluent| teller.says(*fluent)).collect();
            let is_must = family.pattern.functor == MUST;
            for fluent in said.sample(rng, MOST_QUESTIONS / 2) {
                let mut having = open.ends.iter().map(|(situation, _)| situation.contains(*fluent));
                let yes = if is_must { having.all(|holds| holds) } else { having.any(|holds| holds) };
                let told = family_question(teller, family, &[FamilySlot::Fluent(*fluent)], rng);
                questions.extend(told.map(|(text, _)| (text, if yes { "yes" } else { "no" }.to_owned())));
            }
        }
        Ok(SampleStory {
            initial_state: texts.initial_state,
            rules: texts.rules,
            actions: texts.actions,
            questions,
        })
    }
}

impl fmt::Display for SampleStory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for text in [&self.initial_state, &self.rules, &self.actions] {
            if !text.is_empty() {
                writeln!(f, "{text}\n")?;
            }
        }
        self.questions.iter().try_for_each(|(question, answer)| writeln!(f, "- {question} {answer}"))
    }
}
