//! The random numbers of a group to its stories, ready before they are needed, each with the names it is told with.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashSet as HashSet;

use crate::factory::batch::group::Batch;
use crate::factory::batch::told_story::ToldStory;
use crate::factory::choosing::schedule::FormCell;
use crate::factory::choosing::seeking::{DRAWN, seek};
use crate::factory::context::{DRAWS_OF_A_LAYOUT, MOST_DRAWS};
use crate::factory::error::FactoryError;
use crate::factory::further::begun_ways::{BEGUN, begun_ways, is_of_begun_ways};
use crate::factory::further::crossing::{CROSSED_PLANS, companions};
use crate::factory::further::dealing::FamilySchedule;
use crate::factory::further::part_twins::{TwinsSought, part_twins};
use crate::factory::further::threes::ToldApart;
use crate::factory::settings::NAMES_SPLIT;
use crate::items::clock::Stage as Part;
use crate::language::words::naming::Naming;
use crate::phrases::book::FamilyPhrases;
use crate::simulate::story::Story;

/// How many stories twins are sought for at once, so that their steps are evaluated together.
const TWINNED: [usize; ToldApart::COUNT] = [4, 8, 2];
/// So many stories that begin a shortest way are enough.
const ENOUGH_WAYS: usize = 4;

impl Batch<'_> {
    pub(super) fn rng_of(&self, story: usize) -> ChaCha8Rng {
        self.context.rng(self.of, &["story", &self.number.to_string(), &story.to_string()])
    }

    /// Has stories of the split ready, one for each source of random numbers. Where a layout has many situations, worlds
    /// that the group has already give way to others for a while.
    pub(super) fn tell_ahead(&mut self, draws: usize, mut rngs: Vec<ChaCha8Rng>) -> Result<(), FactoryError> {
        let Batch { context, of, .. } = *self;
        let told = self.pool.iter().map(|told| told.story.world.to_string());
        let met: RefCell<HashSet<String>> = RefCell::new(told.collect());
        let passed_over = Cell::new(if self.stage.situations().is_none() { rngs.len() / 2 } else { 0 });
        let keep = |key: &str| {
            let belongs = context.belongs(of.split, key);
            let left = passed_over.get();
            if belongs && !met.borrow_mut().insert(key.to_owned()) && left > 0 {
                passed_over.set(left - 1);
                return false;
            }
            belongs
        };
        let (depth, by_instance) = (of.depth as usize, context.by_instance());
        let stories = self.stage.tell_all(depth, by_instance, keep, draws, &mut rngs)?;
        self.ahead.extend(stories.into_iter().zip(rngs));
        Ok(())
    }

    /// The next story that is ready, with its names; none if no world of the split turned up.
    pub(super) fn told(&mut self) -> Option<ToldStory> {
        let (story, rng) = self.ahead.pop_front()?;
        Some(self.named(story?, rng))
    }

    /// A story with names and numbers.
    fn named(&self, story: Story, mut rng: ChaCha8Rng) -> ToldStory {
        let Batch { context, of, vocabulary, .. } = *self;
        let (package, layout) = (context.package(), self.stage.layout());
        let known = |name: &str| vocabulary.is_none_or(|words| words.contains(name));
        let naming = if context.splits()[of.split].name == NAMES_SPLIT {
            Naming::obfuscated(package, layout, &mut rng)
        } else {
            let most = context.most_objects();
            Naming::draw_for(package, layout, context.holdout(of.split), most, known, &mut rng)
        };
        let number = self.pool.len();
        let mut rng = context.rng(of, &["numbers", &self.number.to_string(), &number.to_string()]);
        let view = self.lexicon.view.as_ref();
        let numbers = view.map(|v| v.number(package, context.holdout(of.split), known, &mut rng));
        ToldStory { story, naming, numbers: numbers.map(Arc::new), number, texts: None }
    }

    /// Adds stories in which a form's rare answers are to be had, once.
    pub(super) fn seek(&mut self, cell: FormCell) -> Result<(), FactoryError> {
        let Batch { context, of, .. } = *self;
        if !self.sought.insert(cell) {
            return Ok(());
        }
        let _timer = self.clock.start(Part::Solving);
        let number = self.number.to_string();
        for question in self.stage.engine.sought() {
            if self.lexicon.form(question) != Some(cell.voice) {
                continue;
            }
            let rng_of =
                |n: usize| context.rng(of, &["sought", &number, &question.to_string(), &n.to_string()]);
            let keep = |key: &str| context.belongs(of.split, key);
            let plan = (of.depth as usize, context.by_instance());
            let rngs = (0..DRAWN).map(rng_of).collect();
            let found =
                seek(&mut self.stage, &self.text.shapes, question, plan, keep, DRAWS_OF_A_LAYOUT, rngs)?;
            self.found += found.len();
            for (story, rng) in found {
                let told = self.named(story, rng);
                self.pool.push(told);
            }
        }
        self.even.clear();
        Ok(())
    }

    /// Adds stories until there are so many.
    pub(crate) fn grow(&mut self, wanted: usize) -> Result<(), FactoryError> {
        let _timer = self.clock.start(Part::Solving);
        while self.pool.len() - self.found < wanted {
            self.even.clear();
            let told = match self.told() {
                Some(told) => told,
                None => {
                    let next = self.pool.len() - self.found..wanted;
                    self.ahead.clear();
                    self.tell_ahead(MOST_DRAWS, next.map(|story| self.rng_of(story)).collect())?;
                    self.told().ok_or_else(|| self.context.no_world(self.of))?
                }
            };
            self.pool.push(told);
            self.add_companions()?;
        }
        Ok(())
    }

    /// Adds twins of the next stories that were drawn for themselves, which are told in part so that three questions have three
    /// answers, or so that four cross of which the settled answer is `value`, where that is said. Are there any such stories?
    pub(super) fn seek_part_twins(
        &mut self,
        schedule: &FamilySchedule,
        (apart, value): (ToldApart, Option<u32>),
    ) -> Result<bool, FactoryError> {
        let Batch { context, of, .. } = *self;
        let package = context.package();
        let all = package.common.families.iter().enumerate();
        let is_asked = |number: usize| match apart {
            ToldApart::Both => schedule.has_fours_of(number),
            _ => schedule.has_threes_of(number),
        };
        let families = all.filter(|(number, _)| is_asked(*number)).map(|(_, family)| family);
        let Some(sought) = TwinsSought::of(package, families).filter(|_| self.lexicon.view.is_none()) else {
            return Ok(false);
        };
        let sort = apart as usize;
        let next = self.pool.iter().enumerate().skip(self.twins[sort].next);
        let drawn: Vec<usize> = next
            .filter(|(_, told)| told.story.twin.is_none())
            .map(|(n, _)| n)
            .take(TWINNED[apart as usize])
            .collect();
        let Some(last) = drawn.last().copied().filter(|_| !self.twins[sort].in_vain) else {
            return Ok(false);
        };
        let _timer = self.clock.start(Part::Solving);
        self.twins[sort].next = last + 1;
        let (group, sort) = (self.number.to_string(), sort.to_string());
        let rng_of = |number: &usize| context.rng(of, &["part twins", &sort, &group, &number.to_string()]);
        let mut rngs: Vec<ChaCha8Rng> = drawn.iter().map(rng_of).collect();
        let keep = |key: &str| context.by_instance() || context.belongs(of.split, key);
        let stories: Vec<&Story> = drawn.iter().map(|number| &self.pool[*number].story).collect();
        let words = (package, &*self.lexicon);
        let twins = part_twins(&mut self.stage, words, &stories, (sought, apart, value), &keep, &mut rngs)?;
        self.twins[apart as usize].note(twins.iter().map(|twins| !twins.is_empty()));
        for (number, twins) in drawn.into_iter().zip(twins) {
            for (place, twin) in twins.into_iter().enumerate() {
                if context.by_instance()
                    && !context.belongs(of.split, &self.stage.key(&twin.initial, &twin.plan))
                {
                    continue;
                }
                let words = ["part twin", &sort, &group, &number.to_string(), &place.to_string()];
                let told = self.named(twin, context.rng(of, &words));
                self.found += 1;
                self.pool.push(told);
            }
        }
        Ok(true)
    }

    /// Adds stories whose actions begin a shortest way to something, once, where that is asked about and few stories offer
    /// anything of the kind. Were any added?
    pub(super) fn seek_begun_ways(&mut self) -> Result<bool, FactoryError> {
        let Batch { context, of, .. } = *self;
        let (package, settings) = (context.package(), context.settings());
        let mut families = package.common.families.iter();
        let asks = |family: &FamilyPhrases| settings.asks(family) && self.groups.contains(&family.group);
        let family = families.position(|family| asks(family) && is_of_begun_ways(family));
        let Some(family) = family.filter(|_| !self.seeks_ways) else { return Ok(false) };
        let offered = self.offers.0.iter().filter(|(cell, _)| cell.family == family);
        let stories: BTreeSet<usize> =
            offered.flat_map(|(_, offers)| offers.iter().map(|offer| offer.told)).collect();
        if stories.len() >= ENOUGH_WAYS {
            return Ok(false);
        }
        self.seeks_ways = true;
        let group = self.number.to_string();
        let count = self.pool.len().min(BEGUN);
        let rng_of = |number: usize| context.rng(of, &["begun way", &group, &number.to_string()]);
        let mut rngs: Vec<ChaCha8Rng> = (0..count).map(rng_of).collect();
        let stories: Vec<&Story> = self.pool[..count].iter().map(|told| &told.story).collect();
        let words = (package, &*self.lexicon);
        let ways = begun_ways(&mut self.stage, words, &stories, &mut rngs)?;
        for (place, way) in ways.into_iter().enumerate() {
            if context.by_instance() && !context.belongs(of.split, &self.stage.key(&way.initial, &way.plan)) {
                continue;
            }
            let told = self.named(way, context.rng(of, &["way", &group, &place.to_string()]));
            self.found += 1;
            self.pool.push(told);
        }
        Ok(true)
    }

    /// Adds stories whose questions cross with those of the last one, where actions have several outcomes; if there are none,
    /// its twins.
    fn add_companions(&mut self) -> Result<(), FactoryError> {
        let Batch { context, of, .. } = *self;
        let Some(told) = self.pool.last().filter(|_| context.package().has_outcomes) else { return Ok(()) };
        let (story, number) = (told.story.clone(), told.number.to_string());
        let keep = |key: &str| context.by_instance() || context.belongs(of.split, key);
        let rng_of =
            |plan: usize| context.rng(of, &["crossed", &self.number.to_string(), &number, &plan.to_string()]);
        let mut rngs: Vec<ChaCha8Rng> = (0..CROSSED_PLANS).map(rng_of).collect();
        for (place, twin) in companions(&mut self.stage, &story, &keep, &mut rngs)?.into_iter().enumerate() {
            let key = if context.by_instance() {
                self.stage.key(&twin.initial, &twin.plan)
            } else {
                twin.world.to_string()
            };
            if !context.belongs(of.split, &key) {
                continue;
            }
            let rng = context.rng(of, &["twin", &self.number.to_string(), &number, &place.to_string()]);
            let told = self.named(twin, rng);
            self.found += 1;
            self.pool.push(told);
        }
        Ok(())
    }
}
