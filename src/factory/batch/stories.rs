//! The random numbers of a group to its stories, ready before they are needed, each with the names it is told with.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashSet as HashSet;

use crate::factory::batch::group::Batch;
use crate::factory::batch::told_story::ToldStory;
use crate::factory::choosing::schedule::FormCell;
use crate::factory::choosing::seeking::{DRAWN, seek};
use crate::factory::context::{DRAWS_OF_A_LAYOUT, MOST_DRAWS};
use crate::factory::error::FactoryError;
use crate::factory::further::crossing::{CROSSED_PLANS, companions};
use crate::factory::settings::NAMES_SPLIT;
use crate::items::clock::Stage as Part;
use crate::language::words::naming::Naming;
use crate::simulate::story::Story;

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
