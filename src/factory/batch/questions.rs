//! A place of the schedule to the question of a group's stories that is asked there.

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::factory::batch::group::Batch;
use crate::factory::batch::told_story::{STORIES, ToldStory};
use crate::factory::choosing::schedule::{FormCell, Matching, Schedule, Wanted};
use crate::factory::choosing::selection::{Candidates, Selection};
use crate::factory::error::FactoryError;
use crate::items::clock::Stage as Part;
use crate::language::words::holdout::Holdout;
use crate::simulate::transitions::compiled_layout::Kind;

/// How many stories a group may come to before a row takes what there is.
const PATIENCE: usize = 2 * STORIES;
/// How often a count or other form is asked though some of its answers are not to be had.
const ALL_THE_SAME: f64 = 0.2;

impl Batch<'_> {
    /// Chooses a question for a card; with `any`, if need be, one with another answer than the card is due.
    pub(crate) fn choose(
        &self,
        kind: Kind,
        card: Wanted,
        any: bool,
        rng: &mut ChaCha8Rng,
    ) -> Option<Selection> {
        let tries = [Some(card), any.then_some(card.relaxed())];
        self.from(|candidates| {
            tries.into_iter().flatten().find_map(|card| candidates.choose(kind, card, rng))
        })
    }

    /// Chooses two verify questions that only the initial situation tells apart, that with the card's label first.
    pub(super) fn choose_two(&self, card: Wanted, rng: &mut ChaCha8Rng) -> Option<(Selection, Selection)> {
        let (yes, no) = self.from(|candidates| candidates.choose_two(card, rng))?;
        Some(if card.yes { (yes, no) } else { (no, yes) })
    }

    /// Chooses from all stories of the group.
    pub(super) fn from<T>(&self, choose: impl FnOnce(&Candidates) -> T) -> T {
        let sayable = |told: usize, question: usize, answers: &[&Term]| {
            self.sayable(&self.pool[told], question, answers)
        };
        choose(&Candidates {
            engine: &self.stage.engine,
            lexicon: &self.lexicon,
            stories: self.pool.iter().map(|told| &told.story).collect(),
            shapes: &self.text.shapes,
            used: &self.used,
            named: &self.steps,
            offers: &self.offered,
            sayable: &sayable,
        })
    }

    /// The pattern of equal names in a question and the actions it supposes: questions that differ in it could be told
    /// apart without the story.
    pub(crate) fn pattern(&self, choice: &Selection) -> u64 {
        let story = (choice.told, &self.pool[choice.told].story);
        self.text.shapes.profile(story, choice.scene, choice.question).pattern()
    }

    /// Do these answers keep to the words that the split may use?
    pub(crate) fn sayable(&self, told: &ToldStory, question: usize, answers: &[&Term]) -> bool {
        let Some(words) = self.vocabulary else { return true };
        let teller = self.narrator(&self.stage, &self.lexicon, told, Holdout::NONE);
        let (text, _) = teller.answer(question, &mut answers.to_vec());
        text.split(", ").all(|word| words.contains(word))
    }

    /// Do the stories offer all answers that a form is spread over, with and without help of the actions as they are due?
    pub(super) fn is_even(&mut self, schedule: &Schedule, kind: Kind, cell: FormCell) -> bool {
        if let Some(even) = self.even.get(&(kind, cell)) {
            return *even;
        }
        let offered = self.from(|candidates| candidates.classes(kind, cell));
        let even = schedule.answers(kind, cell).is_some_and(|all| all.are_even_among(&offered));
        self.even.insert((kind, cell), even);
        even
    }

    /// The question for the `n`-th place of a kind, of verify questions with one of the other label.
    pub(super) fn question(
        &mut self,
        schedule: &Schedule,
        kind: Kind,
        n: u64,
        rng: &mut ChaCha8Rng,
    ) -> Result<(Option<Selection>, Option<Selection>), FactoryError> {
        let mut wanted = STORIES.max(self.pool.len() - self.found);
        while wanted <= PATIENCE {
            self.grow(wanted)?;
            if let Some(card) = schedule.cards(kind, n).next().filter(|card| card.sought) {
                self.seek(card.cell)?;
            }
            let _timer = self.clock.start(Part::Choosing);
            // The form gives way before its answer does, and the answer before the label.
            let any = wanted + STORIES > PATIENCE;
            let cards: Vec<Wanted> = schedule.cards(kind, n).collect();
            if kind == Kind::Verify {
                let cards = cards.iter().enumerate();
                let mut cards =
                    cards.filter(|(place, card)| *place == 0 || any || card.matching != Matching::Settled);
                if let Some((first, other)) = cards.find_map(|(_, card)| self.choose_two(*card, rng)) {
                    return Ok((Some(first), Some(other)));
                }
            } else {
                // Where some answers are not to be had, taking the others whenever they are due makes these too frequent.
                // Once in a while a form is asked all the same, so that none is lost.
                let all_the_same = rng.random_bool(ALL_THE_SAME);
                let first = |place: usize| all_the_same && place == 0;
                for even in [true, false] {
                    for (place, card) in cards.iter().enumerate() {
                        // What has few numbers for answers does not stand in for others, unless there is nothing else.
                        let fits = place == 0 || !schedule.lacks_numbers(kind, card.cell);
                        let takes = first(place) || (fits && self.is_even(schedule, kind, card.cell)) == even;
                        if takes && let Some(choice) = self.choose(kind, *card, false, rng) {
                            return Ok((Some(choice), None));
                        }
                    }
                }
            }
            wanted += STORIES;
        }
        let other = |card: Wanted| self.choose(kind, card.respread(), false, &mut *rng);
        let other = if kind == Kind::Verify { None } else { schedule.cards(kind, n).find_map(other) };
        let any = || schedule.cards(kind, n).find_map(|card| self.choose(kind, card, true, rng));
        Ok((other.or_else(any), None))
    }
}
