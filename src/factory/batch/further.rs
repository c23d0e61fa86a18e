//! A place of a group of rows to a question beyond prediction, and to its row.

use std::collections::VecDeque;

use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use racgen_data::row::Row;
use racgen_logic::term::Term;

use crate::domain::question_groups::in_threes;
use crate::factory::batch::group::Batch;
use crate::factory::batch::telling::identity;
use crate::factory::batch::told_story::{STORIES, ToldStory};
use crate::factory::choosing::profile::Profile;
use crate::factory::error::FactoryError;
use crate::factory::further::dealing::FamilySchedule;
use crate::factory::further::explaining::courses;
use crate::factory::further::explaining_cases::cases;
use crate::factory::further::extra_cells::further_cells;
use crate::factory::further::gathering::Gatherer;
use crate::factory::further::judging::{judge, judge_composite};
use crate::factory::further::judging_searches::{PlanSearches, judge_search};
use crate::factory::further::offers::{Given, OfferCell, OfferedQuestion, Subject};
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::telling::{FamilyTeller, profile, query};
use crate::factory::settings::NAMES_SPLIT;
use crate::items::clock::Stage as Part;
use crate::items::row_builder::{Asked, Telling, row};
use crate::items::source::Item;
use crate::language::tell::cases_rationale::cases_rationale;
use crate::language::tell::course::Comparison;
use crate::language::tell::family_question::{CANONICAL, called};
use crate::language::tell::rationale::{course_rationale, missing_rationale, parts_rationale};
use crate::language::words::naming::{Naming, obfuscated_name};
use crate::simulate::story::Story;
use crate::simulate::transitions::compiled_layout::Kind;

/// How many stories a group may come to before a row takes a question that is not due.
const PATIENCE: usize = 2 * STORIES;
/// How many before another group stands in.
const LONG_PATIENCE: usize = 6 * STORIES;
/// How far it is stretched.
const ALL_PATIENCE: [usize; 3] = [STORIES, PATIENCE, LONG_PATIENCE];

/// A question, and of verify questions the one with the other label.
type Questions = ((OfferCell, OfferedQuestion), Option<(OfferCell, OfferedQuestion)>);

/// Was a question not asked yet, and may it be?
type IsFree<'f> = &'f dyn Fn(&OfferCell, &OfferedQuestion) -> bool;

impl Batch<'_> {
    /// The row of a question for a turn of a group beyond prediction. Of two or four verify questions that go together, `others`
    /// keeps those for the next rows.
    pub(super) fn further(
        &mut self,
        schedule: &FamilySchedule,
        turn: (&str, Kind, u64),
        index: u64,
        others: &mut VecDeque<(OfferCell, OfferedQuestion)>,
        rng: &mut ChaCha8Rng,
    ) -> Result<Item, FactoryError> {
        let threes = in_threes(turn.0).filter(|_| turn.1 == Kind::Other);
        let third = turn.2 / 3;
        let due = threes.filter(|group| {
            schedule.is_three_due(group, third) && self.without_three.get(group) != Some(&third)
        });
        let waiting = match turn {
            _ if due.is_some() => due.and_then(|group| self.waiting.get_mut(group)?.pop_front()),
            (_, Kind::Verify, _) => others.pop_front(),
            _ => None,
        };
        let (cell, offer) = match waiting {
            Some(waiting) => waiting,
            None if let Some(group) = threes => {
                let mut found = None;
                if due.is_some() {
                    found = self.three(schedule, (group, turn.2, false), rng)?;
                }
                if found.is_none() {
                    // Then another question takes the place of each of the three.
                    self.without_three.insert(group, third);
                    found = self.further_question(schedule, turn, rng)?.map(|(first, _)| first);
                }
                if found.is_none() {
                    found = self.three(schedule, (group, turn.2, true), rng)?;
                    self.waiting.remove(group);
                }
                if found.is_none() {
                    found = self.stand_in(schedule, turn, rng)?.map(|(first, _)| first);
                }
                found.ok_or_else(|| self.no_item(index))?
            }
            None => {
                if turn.1 == Kind::Verify && schedule.crosses(turn.0) {
                    others.extend(self.four(schedule, turn, rng)?);
                    if let Some(first) = others.pop_front() {
                        return self.further_row(index, first, rng);
                    }
                }
                let mut found = self.further_question(schedule, turn, rng)?;
                if found.is_none() {
                    found = self.stand_in(schedule, turn, rng)?;
                }
                let (first, second) = found.ok_or_else(|| self.no_item(index))?;
                *others = second.filter(|_| turn.2.is_multiple_of(2)).into_iter().collect();
                first
            }
        };
        self.further_row(index, (cell, offer), rng)
    }

    /// The row of a question, which is noted.
    fn further_row(
        &mut self,
        index: u64,
        (cell, offer): (OfferCell, OfferedQuestion),
        rng: &mut ChaCha8Rng,
    ) -> Result<Item, FactoryError> {
        let term = query(&self.stage, &self.context.package().common.families, &cell, &offer.subject);
        self.asked.insert((offer.told, term.to_string()));
        self.put.push((cell.clone(), offer.clone()));
        self.further_item(index, &cell, &offer, term, rng)
    }

    /// A question of another group that is asked for, where the stories have none of the group whose turn it is.
    fn stand_in(
        &mut self,
        schedule: &FamilySchedule,
        (group, kind, n): (&str, Kind, u64),
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<Questions>, FactoryError> {
        let context = self.context;
        let others = context.settings().ask.iter().map(String::as_str);
        let able = |other: &&str| group != *other && in_threes(other).is_none() && schedule.has(other, kind);
        for other in others.filter(able) {
            if let Some(found) = self.further_question(schedule, (other, kind, n), rng)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The question for a turn, and of verify questions the one with the other label.
    fn further_question(
        &mut self,
        schedule: &FamilySchedule,
        (group, kind, n): (&str, Kind, u64),
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<Questions>, FactoryError> {
        if !schedule.has(group, kind) {
            return Ok(None);
        }
        self.among(&ALL_PATIENCE, |batch, wanted, free| {
            let offers = &batch.offers.0;
            if kind != Kind::Verify {
                let (cell, offer) = schedule.open((group, kind, n), offers, free, rng)?;
                return Some(((cell.clone(), offer.clone()), None));
            }
            let turn = (group, n / 2, wanted >= PATIENCE);
            let (cell, yes, no) = schedule.two(turn, offers, free, &|offer| batch.profile_of(offer), rng)?;
            let (yes, no) = ((cell.clone(), yes.clone()), (cell.clone(), no.clone()));
            // Which of the two comes first must not depend on the group that makes it.
            let is_yes = (n / 2 + n).is_multiple_of(2);
            Some(if is_yes { (yes, Some(no)) } else { (no, Some(yes)) })
        })
    }

    /// The questions for a turn, and for those after it, that cross: four, or where the turn is none of the first, those that are
    /// left of four.
    fn four(
        &mut self,
        schedule: &FamilySchedule,
        (group, _, n): (&str, Kind, u64),
        rng: &mut ChaCha8Rng,
    ) -> Result<Vec<(OfferCell, OfferedQuestion)>, FactoryError> {
        let found = self.among(&ALL_PATIENCE, |batch, _, free| {
            let (cell, four) = schedule.four((group, n / 4), &batch.offers.0, free, rng)?;
            let left = four.into_iter().skip((n % 4) as usize);
            Some(left.map(|offer| (cell.clone(), offer.clone())).collect())
        })?;
        Ok(found.unwrap_or_default())
    }

    /// The question for a turn of the group whose questions come in threes, one for each answer; the others wait. With `any`,
    /// they need not be of equal profile.
    fn three(
        &mut self,
        schedule: &FamilySchedule,
        (group, n, any): (&'static str, u64, bool),
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<(OfferCell, OfferedQuestion)>, FactoryError> {
        if !schedule.has(group, Kind::Other) {
            return Ok(None);
        }
        let patience = if any { [LONG_PATIENCE; 2] } else { [STORIES, PATIENCE] };
        let found = self.among(&patience, |batch, _, free| {
            let profile = |offer: &OfferedQuestion| batch.profile_of(offer);
            let (cell, three) = schedule.three((group, n / 3, any), &batch.offers.0, free, &profile, rng)?;
            // Which of them comes first must not depend on the group that makes it.
            let own = |place: u64| (cell.clone(), three[((n / 3 + place) % 3) as usize].clone());
            Some((n % 3..3).map(own).collect::<Vec<(OfferCell, OfferedQuestion)>>())
        })?;
        let Some(found) = found else { return Ok(None) };
        let waiting = self.waiting.entry(group).or_default();
        waiting.extend(found);
        Ok(waiting.pop_front())
    }

    /// Looks at ever more stories, each time as many as `patience` says, until something is chosen among what they offer, of which
    /// a part is free to be asked.
    fn among<T>(
        &mut self,
        patience: &[usize],
        mut choose: impl FnMut(&Batch, usize, IsFree) -> Option<T>,
    ) -> Result<Option<T>, FactoryError> {
        for wanted in patience {
            self.grow((*wanted).max(self.pool.len() - self.found))?;
            self.gather()?;
            let _timer = self.clock.start(Part::Choosing);
            let families = &self.context.package().common.families;
            let is_free = |cell: &OfferCell, offer: &OfferedQuestion| {
                let term = query(&self.stage, families, cell, &offer.subject);
                !self.asked.contains(&(offer.told, term.to_string())) && self.is_sayable(offer)
            };
            if let Some(found) = choose(self, *wanted, &is_free) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Looks at the stories that are new.
    fn gather(&mut self) -> Result<(), FactoryError> {
        let seen = self.offers.1;
        if seen == self.pool.len() {
            return Ok(());
        }
        let _timer = self.clock.start(Part::Solving);
        let settings = self.context.settings();
        let mut rng = self.context.rng(self.of, &["further", &self.number.to_string(), &seen.to_string()]);
        let gatherer = Gatherer {
            package: self.context.package(),
            lexicon: &self.lexicon,
            shapes: &self.text.shapes,
            programs: &self.context.programs,
            names: &self.context.names(self.of.split),
            groups: &settings.ask,
            chosen: &settings.families,
            effort: &settings.effort,
        };
        let stories: Vec<(usize, &Story)> =
            self.pool.iter().enumerate().skip(seen).map(|(told, story)| (told, &story.story)).collect();
        let found = gatherer.gather(&mut self.stage, &stories, &mut rng)?;
        for (cell, offers) in found {
            self.offers.0.entry(cell).or_default().extend(offers);
        }
        self.offers.1 = self.pool.len();
        Ok(())
    }

    fn profile_of(&self, offer: &OfferedQuestion) -> Profile {
        profile(&self.stage, &self.lexicon, &self.text.shapes, &self.pool[offer.told].story, offer)
    }

    /// Does the answer keep to the words that the split may use?
    fn is_sayable(&self, offer: &OfferedQuestion) -> bool {
        match (&offer.answer, &offer.subject) {
            (Given::Predicted(answers), Subject::Edited(_, question)) => {
                let terms: Vec<&Term> =
                    answers.iter().map(|answer| &self.stage.engine.answers[*answer].answer).collect();
                self.sayable(&self.pool[offer.told], *question, &terms)
            }
            // How far goals are differs from world to world.
            (Given::Term(number @ Term::Number(_)), Subject::Search(_)) => {
                self.vocabulary.is_none_or(|known| known.contains(&number.to_string()))
            }
            _ => true,
        }
    }

    fn further_item(
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
            true => cases(&self.stage, &self.lexicon, &self.pool[offer.told].story, (offer, &query))?,
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
                    let compared = Comparison::of_cases(&families[cell.family].pattern.functor, cases.len());
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
            row.id = identity(&row);
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
