//! A place of a group of rows to a question beyond prediction.

use std::collections::VecDeque;

use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashSet as HashSet;

use racgen_logic::term::Term;

use crate::domain::question_groups::{UNKNOWN, in_fours, in_threes};
use crate::factory::batch::group::Batch;
use crate::factory::batch::told_story::STORIES;
use crate::factory::choosing::profile::Profile;
use crate::factory::error::FactoryError;
use crate::factory::further::dealing::{FamilySchedule, OpenWanted};
use crate::factory::further::gathering::Gatherer;
use crate::factory::further::lasting_facts::names_nothing;
use crate::factory::further::offers::{Given, OfferCell, OfferedQuestion, Subject};
use crate::factory::further::pairing::{Lead, PairWanted, ProfileOf};
use crate::factory::further::telling::{profile, query};
use crate::factory::further::threes::ToldApart;
use crate::items::clock::Stage as Part;
use crate::items::source::Item;
use crate::simulate::story::Story;
use crate::simulate::transitions::compiled_layout::Kind;

/// How many stories a group may come to before a row takes a question that is not due.
const PATIENCE: usize = 2 * STORIES;
/// How many before it takes one by which an answer gets ahead, where answers rest on proofs, which take long.
const SHORT_PATIENCE: usize = 6 * QUARTER;
/// How many before another group stands in.
const LONG_PATIENCE: usize = 6 * STORIES;
/// How far it is stretched: a few stories at a time, since those that are looked at first mostly offer what is lacking.
const ALL_PATIENCE: [usize; 9] = [
    4 * QUARTER,
    5 * QUARTER,
    SHORT_PATIENCE,
    7 * QUARTER,
    PATIENCE,
    12 * QUARTER,
    16 * QUARTER,
    20 * QUARTER,
    LONG_PATIENCE,
];
const QUARTER: usize = STORIES / 4;
/// Where answers rest on proofs, so many layouts, one after the other, are given up before an answer gets ahead, each after so many
/// steps of patience.
const CHOOSY_LAYOUTS: u64 = 8;
const CHOOSY: usize = 6;

/// A question, and of verify questions the one with the other label.
type Questions = ((OfferCell, OfferedQuestion), Option<(OfferCell, OfferedQuestion)>);

/// A group whose questions go together, and how many do.
type GoingTogether = (&'static str, u64);

/// Was a question not asked yet, and may it be?
type IsFree<'f> = &'f dyn Fn(&OfferCell, &OfferedQuestion) -> bool;

impl Batch<'_> {
    /// The row of a question for a turn of a group beyond prediction. Of questions that go together those that are left wait for the
    /// next turns of their group and kind, whatever is asked in between.
    pub(super) fn further(
        &mut self,
        schedule: &FamilySchedule,
        turn: (&str, Kind, u64),
        index: u64,
        rng: &mut ChaCha8Rng,
    ) -> Result<Item, FactoryError> {
        if self.offers.1 == 0 {
            let families = &self.context.package().common.families;
            (self.idle, self.lasting) = (schedule.idle(families), schedule.lasting(families));
            self.proofs.compared = schedule.compared.clone();
        }
        for batch in &mut self.ended {
            if let Some(left) = batch.left_over(schedule, turn) {
                return batch.further_row(index, left, rng);
            }
        }
        let (together, due) = self.together_at(schedule, turn);
        let (cell, offer) = match self.left_over(schedule, turn) {
            Some(left) => left,
            None if let Some((group, size)) = together => {
                let mut found = None;
                if due.is_some() {
                    found = self.together(schedule, (group, size, turn.2, false), rng)?;
                }
                if found.is_none() {
                    // Then another question takes the place of each of the three or four.
                    self.without.insert(group, turn.2 / size);
                    found = self.further_question(schedule, turn, rng)?.map(|(first, _)| first);
                }
                if found.is_none() {
                    found = self.together(schedule, (group, size, turn.2, true), rng)?;
                    self.waiting(turn).clear();
                }
                if found.is_none() {
                    found = self.stand_in(schedule, turn, rng)?.map(|(first, _)| first);
                }
                found.ok_or_else(|| self.no_item(index))?
            }
            None => {
                if turn.1 == Kind::Verify && schedule.crosses(turn.0, Kind::Verify) {
                    let found = self.four(schedule, turn, rng)?;
                    self.waiting(turn).extend(found);
                    if let Some(first) = self.waiting(turn).pop_front() {
                        return self.further_row(index, first, rng);
                    }
                }
                let mut found = self.further_question(schedule, turn, rng)?;
                if found.is_none() {
                    found = self.stand_in(schedule, turn, rng)?;
                }
                let (first, second) = found.ok_or_else(|| self.no_item(index))?;
                self.waiting(turn).extend(second.filter(|_| turn.2.is_multiple_of(2)));
                first
            }
        };
        self.further_row(index, (cell, offer), rng)
    }

    /// Do three or four questions of a group go together, and are such due at a turn?
    fn together_at(
        &self,
        schedule: &FamilySchedule,
        (group, kind, n): (&str, Kind, u64),
    ) -> (Option<GoingTogether>, Option<GoingTogether>) {
        let threes = in_threes(group).map(|group| (group, 3));
        let together = threes.or_else(|| in_fours(group).map(|group| (group, 4)));
        let together = together.filter(|_| kind == Kind::Other);
        let due = together.filter(|(group, size)| {
            let block = n / size;
            let is_due = match size {
                3 => schedule.is_three_due(group, block),
                _ => schedule.is_four_due(group, block),
            };
            is_due && self.without.get(group) != Some(&block)
        });
        (together, due)
    }

    /// What has to be asked at a turn, since it goes together with what was.
    fn left_over(
        &mut self,
        schedule: &FamilySchedule,
        turn @ (group, kind, n): (&str, Kind, u64),
    ) -> Option<(OfferCell, OfferedQuestion)> {
        let (together, due) = self.together_at(schedule, turn);
        if due.is_some() || kind == Kind::Verify {
            return self.waiting(turn).pop_front();
        }
        let family = if together.is_none() { schedule.open_family(group, kind, n) } else { None };
        self.owed.get_mut(&family?)?.pop_front()
    }

    /// Lets go what would have to be asked with what was.
    pub(crate) fn forget_waiting(&mut self) {
        self.waiting.clear();
        self.owed.clear();
    }

    /// What waits for the next turns of a group and kind.
    fn waiting(
        &mut self,
        (group, kind, _): (&str, Kind, u64),
    ) -> &mut VecDeque<(OfferCell, OfferedQuestion)> {
        self.waiting.entry((group.to_owned(), kind)).or_default()
    }

    /// The row of a question, which is noted.
    fn further_row(
        &mut self,
        index: u64,
        (cell, offer): (OfferCell, OfferedQuestion),
        rng: &mut ChaCha8Rng,
    ) -> Result<Item, FactoryError> {
        let term = self.note_asked(&(cell.clone(), offer.clone()));
        self.put.push((cell.clone(), offer.clone()));
        self.further_item(index, &cell, &offer, term, rng)
    }

    /// Notes that a question is asked; as a term.
    fn note_asked(&mut self, (cell, offer): &(OfferCell, OfferedQuestion)) -> Term {
        let term = query(&self.stage, &self.context.package().common.families, cell, &offer.subject);
        let number = offer.number.or(|| term.clone());
        self.asked.entry((offer.told, cell.family)).or_default().insert(number);
        term
    }

    /// A question of another group that is asked for, where the stories have none of the group whose turn it is.
    fn stand_in(
        &mut self,
        schedule: &FamilySchedule,
        (group, kind, n): (&str, Kind, u64),
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<Questions>, FactoryError> {
        let able = |other: &String| group != other && in_threes(other).is_none() && schedule.has(other, kind);
        let others: Vec<String> = self.groups.iter().filter(|other| able(other)).cloned().collect();
        for other in &others {
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
        if kind != Kind::Verify {
            return self.open_question(schedule, (group, kind, n), rng);
        }
        let context = self.context;
        let rests_on_proofs = schedule.rests_on_proofs(&context.package().common.families, group, kind);
        let mut candidates = std::mem::take(&mut self.candidates);
        let is_choosy = rests_on_proofs && !names_nothing(&self.stage) && self.in_vain < CHOOSY_LAYOUTS;
        let patience = if is_choosy { &ALL_PATIENCE[..CHOOSY] } else { &ALL_PATIENCE[..] };
        let found = self.among(patience, |batch, wanted, free| {
            let offers = &batch.offers.0;
            let known: (ProfileOf, &dyn Fn(&OfferCell) -> Lead) =
                (&|offer| batch.profile_of(offer), &|cell| batch.lead(cell));
            let families = &context.package().common.families;
            let pair = match schedule.waits_for(families, group, n / 2) {
                _ if wanted >= PATIENCE && !is_choosy => PairWanted::Any,
                _ if rests_on_proofs && wanted >= SHORT_PATIENCE => PairWanted::Level,
                true => PairWanted::Due,
                false => PairWanted::Even,
            };
            let with = (&mut candidates, &mut *rng);
            let (cell, yes, no) = schedule.two((group, n / 2, pair), offers, free, known, with)?;
            let (yes, no) = ((cell.clone(), yes.clone()), (cell.clone(), no.clone()));
            // Which of the two comes first must not depend on the group that makes it.
            let is_yes = (n / 2 + n).is_multiple_of(2);
            Some(if is_yes { (yes, Some(no)) } else { (no, Some(yes)) })
        });
        self.candidates = candidates;
        found
    }

    /// The count or other question for a turn. The one with which it has to be asked waits for the next turn of its family.
    fn open_question(
        &mut self,
        schedule: &FamilySchedule,
        (group, kind, n): (&str, Kind, u64),
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<Questions>, FactoryError> {
        let due = schedule.open_family(group, kind, n);
        if let Some(owed) = due.and_then(|family| self.owed.get_mut(&family)?.pop_front()) {
            return Ok(Some((owed, None)));
        }
        let found = self.among(&ALL_PATIENCE, |batch, wanted, free| {
            let wanted = if wanted < PATIENCE { OpenWanted::Due } else { OpenWanted::Any };
            let turn = (group, kind, n, wanted);
            let lead = |cell: &OfferCell| batch.lead(cell);
            let (cell, offer, mate) = schedule.open(turn, &batch.offers.0, free, &lead, rng)?;
            let of_cell = |offer: &OfferedQuestion| (cell.clone(), offer.clone());
            Some((of_cell(offer), mate.map(of_cell)))
        })?;
        let Some((first, mate)) = found else { return Ok(None) };
        if let Some(mate) = mate {
            // It cannot be asked otherwise meanwhile.
            self.note_asked(&mate);
            self.owed.entry(mate.0.family).or_default().push_back(mate);
        }
        Ok(Some((first, None)))
    }

    /// Of the questions of a family and kind that were asked: by how many more the plain answer and that of the initial
    /// situation are right than wrong. One is in the lead from the start, in half of the groups ahead and in half behind, so that
    /// over all of them neither gets ahead where it comes in pairs that are both right or both wrong.
    fn lead(&self, cell: &OfferCell) -> Lead {
        let is_ahead = (self.number + cell.family as u64).is_multiple_of(2);
        let first = if is_ahead { 1 } else { -1 };
        let same = |other: &OfferCell| (other.family, other.kind) == (cell.family, cell.kind);
        let put = self.ended.iter().flat_map(|batch| &batch.put).chain(&self.put);
        let asked = put.filter(|(other, _)| same(other)).map(|(_, offer)| Lead::of(offer));
        asked.fold(Lead { plain: first, unchanged: first, asked: 0 }, Lead::and)
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
            let (cell, four) =
                schedule.four((group, Kind::Verify, n / 4, true), &batch.offers.0, free, rng)?;
            let left = four.into_iter().skip((n % 4) as usize);
            Some(left.map(|offer| (cell.clone(), offer.clone())).collect())
        })?;
        Ok(found.unwrap_or_default())
    }

    /// The question for a turn of a group whose questions come in threes or fours; the others wait.
    fn together(
        &mut self,
        schedule: &FamilySchedule,
        (group, size, n, any): (&'static str, u64, u64, bool),
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<(OfferCell, OfferedQuestion)>, FactoryError> {
        match size {
            3 => self.three(schedule, (group, n, any), rng),
            _ => self.crossing(schedule, (group, n, any), rng),
        }
    }

    /// The question for a turn of the group with questions that have three answers and cross; those that are left of the four wait.
    /// With `any`, more stories are looked at.
    fn crossing(
        &mut self,
        schedule: &FamilySchedule,
        (group, n, any): (&'static str, u64, bool),
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<(OfferCell, OfferedQuestion)>, FactoryError> {
        if !schedule.crosses(group, Kind::Other) {
            return Ok(None);
        }
        let patience = [if any { LONG_PATIENCE } else { STORIES }];
        let mut choose =
            |batch: &Batch, free: IsFree, any: bool| -> Option<Vec<(OfferCell, OfferedQuestion)>> {
                let turn = (group, Kind::Other, n / 4, any);
                let (cell, four) = schedule.four(turn, &batch.offers.0, free, rng)?;
                let left = four.into_iter().skip((n % 4) as usize);
                Some(left.map(|offer| (cell.clone(), offer.clone())).collect())
            };
        let mut found = self.among(&patience, |batch, _, free| choose(batch, free, false))?;
        // Of the other answer there are enough, once some were sought.
        let due = schedule.value_due(group, Kind::Other, n / 4);
        while found.is_none() {
            let value = (self.twins[ToldApart::Both as usize].next > 0).then_some(due);
            if !self.seek_part_twins(schedule, (ToldApart::Both, value))? {
                break;
            }
            found = self.among(&patience, |batch, _, free| choose(batch, free, false))?;
        }
        if found.is_none() {
            found = self.among(&patience, |batch, _, free| choose(batch, free, true))?;
        }
        let waiting = self.waiting((group, Kind::Other, n));
        waiting.extend(found.into_iter().flatten());
        Ok(waiting.pop_front())
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
        let own = |cell: &OfferCell, three: [&OfferedQuestion; 3]| -> Vec<(OfferCell, OfferedQuestion)> {
            // Which of them comes first must not depend on the group that makes it.
            let own = |place: u64| (cell.clone(), three[((n / 3 + place) % 3) as usize].clone());
            (n % 3..3).map(own).collect()
        };
        let mut choose = |batch: &Batch, free: IsFree, (family, apart): (usize, ToldApart)| {
            let profile = |offer: &OfferedQuestion| batch.profile_of(offer);
            let turn = (group, n / 3, apart, any);
            let (cell, three) = schedule.three((family, turn), &batch.offers.0, free, &profile, rng)?;
            Some(own(cell, three))
        };
        let is_unknown = !any && group == UNKNOWN;
        let patience = if any { [LONG_PATIENCE; 2] } else { [STORIES, PATIENCE] };
        let families = schedule.families_of_three(group, n / 3).into_iter();
        let due: Vec<(usize, ToldApart)> =
            families.map(|family| (family, self.apart_due(family, is_unknown))).collect();
        // What is due of each family comes first. Where there is none of any, their beginnings tell them apart.
        let others = due.iter().filter(|(_, apart)| *apart != ToldApart::Beginnings);
        let others = others.map(|(family, _)| (*family, ToldApart::Beginnings));
        let tried: Vec<(usize, ToldApart)> = due.iter().copied().chain(others).collect();
        let mut found = None;
        for of @ (family, apart) in tried {
            found = self.among(&patience[..1], |batch, _, free| choose(batch, free, of))?;
            // Twins of the stories are sooner found than others that happen to go together.
            while found.is_none() && is_unknown && self.seek_part_twins(schedule, (apart, None))? {
                found = self.among(&patience[..1], |batch, _, free| choose(batch, free, of))?;
                self.twins[apart as usize].in_vain |= found.is_none() && apart == ToldApart::Actions;
            }
            if found.is_none() && apart == ToldApart::Beginnings {
                found = self.among(&patience[1..], |batch, _, free| choose(batch, free, of))?;
            }
            if found.is_some() {
                *self.twins[apart as usize].threes.entry(family).or_default() += 1;
                break;
            }
        }
        let Some(found) = found else { return Ok(None) };
        let waiting = self.waiting((group, Kind::Other, n));
        waiting.extend(found);
        Ok(waiting.pop_front())
    }

    /// What is to tell the next three questions of a family apart. Where stories are told in part, what is done and what is told of the
    /// beginning take turns, or whoever overlooks one of them would be right too often.
    fn apart_due(&self, family: usize, is_unknown: bool) -> ToldApart {
        let threes = |sort: ToldApart| self.twins[sort as usize].threes.get(&family);
        match is_unknown && threes(ToldApart::Actions) < threes(ToldApart::Beginnings) {
            true => ToldApart::Actions,
            false => ToldApart::Beginnings,
        }
    }

    /// Looks at ever more stories, each time as many as `patience` says, until something is chosen among what they offer, of which
    /// a part is free to be asked.
    fn among<T>(
        &mut self,
        patience: &[usize],
        mut choose: impl FnMut(&Batch, usize, IsFree) -> Option<T>,
    ) -> Result<Option<T>, FactoryError> {
        for (number, wanted) in patience.iter().enumerate() {
            // If there are as many stories as are looked at next, they are looked at together, unless less will do then.
            let has_next = |next: &usize| {
                *next + self.found <= self.pool.len() && (*next < PATIENCE) == (*wanted < PATIENCE)
            };
            if patience.get(number + 1).is_some_and(has_next) {
                continue;
            }
            self.grow((*wanted).max(self.pool.len() - self.found))?;
            self.gather()?;
            let _timer = self.clock.start(Part::Choosing);
            let families = &self.context.package().common.families;
            let is_free = |cell: &OfferCell, offer: &OfferedQuestion| {
                let term = || query(&self.stage, families, cell, &offer.subject);
                let is_new = |asked: &HashSet<u64>| !asked.contains(&offer.number.or(term));
                self.asked.get(&(offer.told, cell.family)).is_none_or(is_new) && self.is_sayable(offer)
            };
            if let Some(found) = choose(self, *wanted, &is_free) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Looks at the stories that are new, and at such as they lack.
    fn gather(&mut self) -> Result<(), FactoryError> {
        self.gather_new()?;
        if self.seek_begun_ways()? {
            self.gather_new()?;
        }
        Ok(())
    }

    fn gather_new(&mut self) -> Result<(), FactoryError> {
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
            groups: &self.groups,
            chosen: &settings.families,
            effort: &settings.effort,
            idle: &self.idle,
            lasting: &self.lasting,
        };
        let stories: Vec<(usize, &Story)> =
            self.pool.iter().enumerate().skip(seen).map(|(told, story)| (told, &story.story)).collect();
        let found = gatherer.gather((&mut self.stage, &mut self.proofs), &stories, &mut rng)?;
        for (cell, offers) in found {
            self.offers.0.entry(cell).or_default().extend(offers);
        }
        self.offers.1 = self.pool.len();
        Ok(())
    }

    fn profile_of(&self, offer: &OfferedQuestion) -> Profile {
        let story = &self.pool[offer.told].story;
        offer.profile.or(|| profile(&self.stage, &self.lexicon, &self.text.shapes, story, offer))
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
}
