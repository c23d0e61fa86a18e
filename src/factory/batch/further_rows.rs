//! A question beyond prediction that was chosen to its row, and all of a batch to clingo's verdicts.

use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use racgen_data::row::Row;
use racgen_logic::term::Term;

use crate::factory::batch::group::Batch;
use crate::factory::batch::telling::identity;
use crate::factory::batch::told_story::ToldStory;
use crate::factory::error::FactoryError;
use crate::factory::further::explaining::courses;
use crate::factory::further::explaining_cases::cases;
use crate::factory::further::extra_cells::further_cells;
use crate::factory::further::judging::{judge, judge_composite};
use crate::factory::further::judging_searches::{PlanSearches, judge_search};
use crate::factory::further::offers::{OfferCell, OfferedQuestion, Subject};
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::telling::{FamilyTeller, query};
use crate::factory::settings::NAMES_SPLIT;
use crate::items::clock::Stage as Part;
use crate::items::row_builder::{Asked, Telling, row};
use crate::items::source::Item;
use crate::language::tell::cases_rationale::cases_rationale;
use crate::language::tell::course::Comparison;
use crate::language::tell::family_question::{CANONICAL, called};
use crate::language::tell::rationale::{course_rationale, missing_rationale, parts_rationale};
use crate::language::words::naming::{Naming, obfuscated_name};

impl Batch<'_> {
    /// The row of a question, and its explanation where these are wanted.
    pub(super) fn further_item(
        &mut self,
        index: u64,
        cell: &OfferCell,
        offer: &OfferedQuestion,
        query: Term,
        rng: &mut ChaCha8Rng,
    ) -> Result<Item, FactoryError> {
        let _timer = self.clock.start(Part::Rendering);
        let (context, of) = (self.context, self.of);
        let families = &context.package().common.families;
        let explained = match self.with_texts && context.settings().rationale {
            true => {
                let story = &self.pool[offer.told].story;
                courses(&mut self.stage, &self.lexicon, story, (families, cell.family), offer)?
            }
            false => Vec::new(),
        };
        let cases = match self.with_texts && context.settings().rationale {
            true => cases(&mut self.stage, &self.lexicon, &self.pool[offer.told].story, (offer, &query))?,
            false => Vec::new(),
        };
        let told = &self.pool[offer.told];
        let partly = match &offer.subject {
            Subject::Partly(part) if !part.telling.is_whole() => Some(&part.telling),
            _ => None,
        };
        let texts = match partly {
            Some(telling) if self.with_texts => self.tell_partly(told, telling)?,
            Some(_) => Telling::default(),
            None => self.texts(told)?,
        };
        let narrator = self.narrator(&self.stage, &self.lexicon, told, context.holdout(of.split));
        let canonical = self.narrator(&self.stage, &self.lexicon, told, CANONICAL);
        let strange = match offer.subject {
            Subject::Undefined(_, Some(object)) => self.with_stranger(told, object, rng),
            _ => None,
        };
        let stranger = strange.as_ref().map(|naming| {
            let holdout = context.holdout(of.split);
            self.narrator_with(&self.stage, &self.lexicon, (told, naming), holdout)
        });
        let teller = FamilyTeller {
            stage: &self.stage,
            narrator: &*narrator,
            stranger: stranger.as_deref(),
            canonical: &*canonical,
            naming: &told.naming,
            families,
            generic: self.lexicon.view.is_some(),
        };
        let answer = teller.answer(offer, rng);
        let (text, template) = teller
            .question(&told.story, cell.family, &offer.subject, rng)
            .unwrap_or_else(|| (query.to_string(), "term".into()));
        let place = self.place(index);
        let asked = Asked {
            question_type: cell.kind.name().into(),
            family: query.functor().into(),
            template,
            question: text,
            answer: answer.text,
            answer_type: answer.kind.into(),
            query: query.to_string(),
            gold: answer.gold,
        };
        let mut row: Row = row(&place, &texts, asked);
        row.world.clone_from(&told.story.world);
        row.extra.extend(further_cells(answer.kind, Some(offer)));
        if self.with_texts && context.settings().rationale {
            let phrases = &context.package().common.rationale;
            // Nobody acts in a rationale whom the texts beside it do not name.
            let nobody = told.naming.of_nobody();
            let named = told.naming.acts_in(&[&row.context, &row.question, &row.answer]);
            let naming = if named { &told.naming } else { &nobody };
            let narrator =
                self.narrator_with(&self.stage, &self.lexicon, (told, naming), context.holdout(of.split));
            row.rationale = match (&offer.subject, &strange) {
                (Subject::Partly(_), _) => {
                    let compared = Comparison::of_cases(&families[cell.family].pattern.functor, &cases);
                    cases_rationale(&*narrator, phrases, (&cases, compared), &row.answer, rng)
                }
                (Subject::Composite(parts), _) => {
                    let answers = parts.iter().map(|part| if part.offer.yes { "yes" } else { "no" });
                    let parts = explained.into_iter().zip(answers).collect();
                    parts_rationale(&*narrator, phrases, parts, &row.answer, rng)
                }
                (Subject::Undefined(_, Some(object)), Some(naming)) => {
                    let kind = self.stage.layout().objects[*object].kind;
                    let called = called(&context.package().types[kind].name, &naming.names[*object]);
                    missing_rationale(&*narrator, phrases, &called, &row.answer, rng)
                }
                _ => explained.into_iter().next().map_or_else(String::new, |course| {
                    course_rationale(&*narrator, phrases, course, &row.answer, rng)
                }),
            };
        }
        if self.with_texts {
            row.id = identity(&row, &texts.seal);
            let number = offer.told;
            drop((narrator, stranger, canonical));
            if partly.is_none() {
                self.pool[number].keep(texts);
            }
        }
        Ok(Item { row, trivial: offer.trivial })
    }

    /// The names of a story, but another for an object, which is none of them.
    fn with_stranger(&self, told: &ToldStory, object: usize, rng: &mut ChaCha8Rng) -> Option<Naming> {
        let (split, kind) = (self.of.split, self.stage.layout().objects[object].kind);
        let mut naming = told.naming.clone();
        let is_new = |name: &str| !told.naming.names.iter().any(|known| **known == *name);
        naming.names[object] = match self.context.splits()[split].name == NAMES_SPLIT {
            true => std::iter::repeat_with(|| obfuscated_name(rng)).find(|name| is_new(name))?,
            false => {
                let names = self.context.pool(split, kind).iter().filter(|name| is_new(name));
                names.collect::<Vec<_>>().choose(rng)?.as_str().into()
            }
        };
        Some(naming)
    }

    /// Has clingo judge what was asked beyond prediction.
    pub(crate) fn judge_further(&mut self) -> Result<(), FactoryError> {
        let _timer = self.clock.start(Part::Judging);
        let families = &self.context.package().common.families;
        let mut searches = PlanSearches::default();
        for (cell, offer) in std::mem::take(&mut self.put) {
            let story = &self.pool[offer.told].story;
            let question = query(&self.stage, families, &cell, &offer.subject);
            if let Subject::Composite(parts) = &offer.subject {
                let asked = (parts.as_slice(), &offer, &question);
                judge_composite(&mut self.stage, &mut searches, &self.lexicon, (families, story), asked)?;
                continue;
            }
            match SearchFamily::of(&families[cell.family]) {
                Some(family) => {
                    judge_search(&mut self.stage, &mut searches, story, (family, &offer, &question))?;
                }
                None => judge(
                    &mut self.stage,
                    &self.lexicon,
                    &families[cell.family],
                    story,
                    (&cell, &offer, &question),
                )?,
            }
        }
        Ok(())
    }

    /// What all questions about a story share.
    fn texts(&self, told: &ToldStory) -> Result<Telling, FactoryError> {
        self.shared(&self.stage, &self.lexicon, told)
    }
}
