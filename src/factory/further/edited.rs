//! Stories to what they offer to families that put a question of prediction after an edit.

use std::collections::BTreeMap;

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::factory::choosing::probe::describe;
use crate::factory::error::FactoryError;
use crate::factory::further::gathering::{Gatherer, SayableTerms};
use crate::factory::further::offers::{Given, OfferCell, OfferedQuestion, Offers, Subject};
use crate::factory::further::programs::is_edit;
use crate::language::words::lexicon::QuestionForm;
use crate::simulate::narrative::edits::{PlanEdit, replay};
use crate::simulate::situation::{AnswerSheet, Situation};
use crate::simulate::story::{Simulator, Story, Timepoint};
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Edits of each family that are drawn, to find one that changes where the story ends.
const DRAWN_EDITS: usize = 2;
/// The share of verify questions kept whose answer is that of the initial situation and of the story without the edit.
const UNTOUCHED: f64 = 0.25;

impl Gatherer<'_> {
    /// Families that put a question of prediction after an edit.
    pub(super) fn edits(
        &self,
        stage: &mut Simulator,
        stories: &[(usize, &Story)],
        sayable: &SayableTerms,
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), FactoryError> {
        let families: Vec<usize> = (0..self.families().len())
            .filter(|family| is_edit(&self.families()[*family]) && self.wants(&self.families()[*family]))
            .collect();
        if families.is_empty() {
            return Ok(());
        }
        let mut drawn: Vec<(usize, usize, PlanEdit)> = Vec::new();
        for family in &families {
            let functor = self.families()[*family].pattern.functor.as_str();
            for (number, (_, story)) in stories.iter().enumerate() {
                for _ in 0..DRAWN_EDITS {
                    let edit = self.edit(stage, functor, story, sayable, rng)?;
                    drawn.extend(edit.map(|edit| (*family, number, edit)));
                }
            }
        }
        let tales: Vec<(&Situation, Vec<Option<usize>>)> = drawn
            .iter()
            .map(|(_, number, edit)| {
                let (story, first) = (stories[*number].1, edit.first());
                let start = if first == 0 { &story.initial } else { &story.passed[first - 1] };
                (start, edit.turns(&story.plan)[first..].to_vec())
            })
            .collect();
        let ends = replay(&mut stage.engine, &tales)?;
        // Of the edits drawn for a story, the first that changes where it ends, or else the first.
        let mut kept: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (place, (family, number, _)) in drawn.iter().enumerate() {
            let changes = |place: usize| stories[*number].1.passed.last() != Some(&ends[place]);
            let known = kept.entry((*family, *number)).or_insert(place);
            if changes(place) && !changes(*known) {
                *known = place;
            }
        }
        let kept: Vec<usize> = kept.into_values().collect();
        let asked: Vec<(&Situation, Option<usize>)> =
            kept.iter().map(|place| (&ends[*place], None)).collect();
        let sheets = stage.engine.sheets(&asked)?;
        let mut forms = BTreeMap::new();
        for (place, sheet) in kept.into_iter().zip(sheets) {
            let (family, number, edit) = drawn[place];
            let Some((_, sheet)) = sheet else { continue };
            self.of_sheet(&stage.engine, (family, edit), stories[number], &sheet, (offers, &mut forms), rng);
        }
        Ok(())
    }

    /// An edit of a family.
    fn edit(
        &self,
        stage: &mut Simulator,
        functor: &str,
        story: &Story,
        sayable: &SayableTerms,
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<PlanEdit>, FactoryError> {
        let depth = story.plan.len();
        let step = rng.random_range(0..depth);
        Ok(match functor {
            // Without the only action, everything is as it was initially.
            "without" => (depth > 1).then_some(PlanEdit::Without(step)),
            "instead" => {
                let start = if step == 0 { &story.initial } else { &story.passed[step - 1] };
                let mut others = match step {
                    0 => story.possible.clone(),
                    _ => stage.executable(&[start])?.remove(0),
                };
                others.retain(|other| *other != story.plan[step] && sayable.actions.contains(*other));
                others.choose(rng).map(|other| PlanEdit::Instead(step, *other))
            }
            "swapped" => {
                let other = rng.random_range(0..depth);
                let (first, second) = (step.min(other), step.max(other));
                let differ = first != second && story.plan[first] != story.plan[second];
                differ.then_some(PlanEdit::Swapped(first, second))
            }
            _ => None,
        })
    }

    /// The questions of prediction that are answered after an edit.
    fn of_sheet(
        &self,
        engine: &TransitionSystem,
        (family, edit): (usize, PlanEdit),
        (told, story): (usize, &Story),
        sheet: &AnswerSheet,
        (offers, forms): (&mut Offers, &mut BTreeMap<QuestionForm, String>),
        rng: &mut ChaCha8Rng,
    ) {
        let (Some((now, _)), Some((first, _))) =
            (story.sheet(Timepoint::Now), story.sheet(Timepoint::Initially))
        else {
            return;
        };
        for (number, question) in engine.questions.iter().enumerate() {
            let Some(form) =
                self.lexicon.form(number).filter(|form| !matches!(form, QuestionForm::Changes(_)))
            else {
                continue;
            };
            let of = |sheet: &AnswerSheet| -> Vec<usize> {
                question.answers.clone().filter(|answer| sheet.contains(*answer)).collect()
            };
            let answers = of(sheet);
            if answers.is_empty() {
                continue;
            }
            // Most of what is asked about neither the story nor the edit changes. Of that little is kept, or who goes by
            // the initial situation alone would mostly be right.
            let untouched = of(now) == answers && of(first) == answers;
            if question.kind == Kind::Verify && untouched && !rng.random_bool(UNTOUCHED) {
                continue;
            }
            let class = match (question.kind, answers.as_slice()) {
                (Kind::Count, [only]) => match &engine.answers[*only].answer {
                    Term::Number(number) => u32::try_from(*number).unwrap_or(0),
                    _ => 0,
                },
                (_, [only]) if engine.answers[*only].answer.is("none", 0) => 0,
                (_, several) => several.len().min(2) as u32,
            };
            let functor = question.term.functor();
            let detail = forms
                .entry(form)
                .or_insert_with(|| describe(self.package, functor, form, Timepoint::Now))
                .clone();
            let cell = OfferCell { kind: question.kind, family, detail };
            let (plain, trivial) = (of(now) == answers, of(first) == answers);
            let yes = question.yes.is_some_and(|yes| answers.contains(&yes));
            let subject = Subject::Edited(edit, number);
            offers.entry(cell).or_default().push(OfferedQuestion {
                yes,
                plain,
                trivial,
                class,
                since: Some(story.plan.len() - 1 - edit.last()),
                ..OfferedQuestion::new(told, subject, Given::Predicted(answers))
            });
        }
    }
}
