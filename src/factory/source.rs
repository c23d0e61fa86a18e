//! Settings to streams of rows, and what the rows of a level share: its deck, its layouts, the words of its answers.
//!
//! The rows come in groups, which the module `group` makes: each depends on nothing but its own name and the seed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use racgen_data::manifest::Exception;
use racgen_logic::seed::stream;
use rand::rngs::ChaCha8Rng;

use crate::domain::package::Package;
use crate::factory::batch::Batch;
use crate::factory::error::FactoryError;
use crate::factory::pairs::Changes;
use crate::factory::schedule::{LeftOut, Probe, Schedule};
use crate::factory::settings::{CONTRAST_SPLIT, LANGUAGE_SPLIT, NAMES_SPLIT, Settings, SplitBy};
use crate::items::apportion::{apportion, interleave};
use crate::items::clock::{Clock, Stage as Part};
use crate::items::error::ItemError;
use crate::items::source::{About, GROUP_SIZE, Item, ItemSource, Split, Stream};
use crate::language::generic_view::GenericView;
use crate::language::holdout::Holdout;
use crate::language::lexicon::Lexicon;
use crate::simulate::error::SimulationError;
use crate::simulate::layout::Layout;
use crate::simulate::layout_cache::{LayoutCache, LayoutNumber};
use crate::simulate::story::{Simulator, share_of};
use crate::simulate::transition_system::{CompiledLayout, Kind};

/// Layouts that the groups of a stream take turns with, and how many turns each of them has, before others follow.
pub(crate) const LAYOUTS: u64 = 64;
pub(crate) const TURNS: u64 = 32;

/// How many worlds are drawn until one falls into the split wanted.
pub(crate) const MOST_DRAWS: usize = 5000;
/// How many worlds of a layout are drawn before another layout is.
pub(crate) const DRAWS_OF_A_LAYOUT: usize = 200;
/// How many layouts are tried for a group.
pub(crate) const MOST_LAYOUTS: u64 = 60;
/// How many of them are passed over because the split has too few of their worlds.
pub(crate) const POOR_LAYOUTS: u64 = 10;
/// Layouts and stories of each that a probe looks at.
const PROBE: (u64, usize) = (10, 8);
/// The first so many rows of the training split give the vocabulary of the others.
const VOCABULARY_ROWS: u64 = 1000;
/// One group in so many is judged by clingo, and the first of each split.
const JUDGED: u64 = 128;
/// The fewest distinct worlds a level must have, and each split of it.
const FEWEST_WORLDS: (usize, usize) = (20, 2);

/// Makes rows of one domain.
pub struct Factory {
    package: Package,
    settings: Settings,
    splits: Vec<Split>,
    limit: Duration,
    decks: BTreeMap<(i32, i32), OnceLock<Schedule>>,
    vocabularies: BTreeMap<(i32, i32), OnceLock<BTreeSet<String>>>,
    /// Answer words of groups of the first split that were made already.
    heard: Mutex<HashMap<(Stream, u64), BTreeSet<String>>>,
    /// With each grounding, how its atoms are said.
    layouts: LayoutCache<Lexicon>,
    /// Held by whoever works out a deck or a vocabulary, so that it is done once.
    turn: Mutex<()>,
}

impl Factory {
    /// A factory for a package.
    pub fn new(package: Package, settings: Settings, limit: Duration) -> Factory {
        let mut splits = settings.splits.clone();
        let held_out = settings.holdout_names > 0.0 || settings.holdout_phrasings > 0.0;
        let more = [
            (held_out, LANGUAGE_SPLIT),
            (settings.random_names, NAMES_SPLIT),
            (settings.contrast, CONTRAST_SPLIT),
        ];
        let weight = splits.last().map_or(1.0, |s| s.weight);
        for (_, name) in more.iter().filter(|(wanted, _)| *wanted) {
            if !splits.iter().any(|s| s.name == *name) {
                splits.push(Split { name: (*name).into(), weight });
            }
        }
        let total: f64 = splits.iter().map(|s| s.weight).sum();
        splits.iter_mut().for_each(|s| s.weight /= total);
        let cells: Vec<(i32, i32)> =
            settings.levels.iter().flat_map(|n| settings.depths.iter().map(|a| (*n, *a))).collect();
        Factory {
            package,
            splits,
            limit,
            decks: cells.iter().map(|c| (*c, OnceLock::new())).collect(),
            vocabularies: cells.iter().map(|c| (*c, OnceLock::new())).collect(),
            heard: Mutex::default(),
            layouts: LayoutCache::default(),
            turn: Mutex::default(),
            settings,
        }
    }

    /// The package.
    pub fn package(&self) -> &Package {
        &self.package
    }

    /// The limit of each solver call.
    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The splits, their weights adding up to one.
    pub fn splits(&self) -> &[Split] {
        &self.splits
    }

    /// The streams of a split, in order, with their numbers of rows.
    pub fn streams(&self, split: usize) -> Vec<(Stream, u64)> {
        let cells: Vec<(i32, i32)> = self.decks.keys().copied().collect();
        let cell_sizes = apportion(self.settings.items, &vec![1.0; cells.len()]);
        let weights: Vec<f64> = self.splits.iter().map(|s| s.weight).collect();
        let sized = cells.into_iter().zip(cell_sizes);
        sized
            .map(|((level, depth), rows)| {
                (Stream { split, level, depth, ..Stream::default() }, apportion(rows, &weights)[split])
            })
            .collect()
    }

    pub(crate) fn rng(&self, stream_of: Stream, words: &[&str]) -> ChaCha8Rng {
        let (level, depth) = (stream_of.level.to_string(), stream_of.depth.to_string());
        let mut all = vec!["v1", &self.package.name, &level, &depth, &self.splits[stream_of.split].name];
        all.extend(words);
        stream(self.settings.seed, &all)
    }

    /// A simulator of the layout of a number, and how the layout's atoms are said.
    pub(crate) fn stage(
        &self,
        number: LayoutNumber,
        clock: &Clock,
    ) -> Result<(Simulator<'_>, Arc<Lexicon>), FactoryError> {
        let _timer = clock.start(Part::Grounding);
        let Factory { package, settings, limit, .. } = self;
        let sample = || {
            let words = [number.0.to_string(), number.1.to_string()];
            let mut rng = stream(settings.seed, &["v1", &package.name, "layout", &words[0], &words[1]]);
            let layout = Layout::sample(package, number.0, &settings.parameters, &mut rng, *limit)?;
            Ok((layout, rng))
        };
        let lexicon = |layout: &Layout, compiled: &CompiledLayout| {
            let own = Lexicon::new(package, layout, compiled);
            if !settings.as_generic {
                return Ok(own);
            }
            Ok(own.in_view(GenericView::new(package, layout, compiled)?))
        };
        let (prepared, lexicon) =
            self.layouts.at::<FactoryError>(number, package, *limit, sample, lexicon)?;
        Ok((Simulator::of(package, prepared, settings.sampling, *limit), lexicon))
    }

    /// Does a world or instance with this key belong to the split?
    pub(crate) fn belongs(&self, split: usize, key: &str) -> bool {
        let share = share_of(key);
        let before: f64 = self.splits[..split].iter().map(|s| s.weight).sum();
        let last = split + 1 == self.splits.len();
        share >= before && (last || share < before + self.splits[split].weight)
    }

    pub(crate) fn by_instance(&self) -> bool {
        self.settings.split_by == SplitBy::Instance
    }

    /// The deck of a level and depth, and what it leaves out.
    ///
    /// # Errors
    /// Too few worlds, no story, no question of a wanted kind.
    pub fn deck(&self, level: i32, depth: i32, clock: &Clock) -> Result<&Schedule, FactoryError> {
        let Some(cell) = self.decks.get(&(level, depth)) else {
            let name = format!("the factory makes no rows of N{level}, depth {depth}");
            return Err(SimulationError::Unknown(name).into());
        };
        if let Some(deck) = cell.get() {
            return Ok(deck);
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(deck) = cell.get() {
            return Ok(deck);
        }
        let deck = self.probe(level, depth, clock)?;
        Ok(cell.get_or_init(|| deck))
    }

    fn probe(&self, level: i32, depth: i32, clock: &Clock) -> Result<Schedule, FactoryError> {
        let anywhere = Stream { level, depth, ..Stream::default() };
        let mut rng = self.rng(anywhere, &["probe"]);
        let mut probe = Probe::default();
        let mut worlds: BTreeSet<Arc<str>> = BTreeSet::new();
        for place in 0..PROBE.0 {
            let (mut stage, lexicon) = self.stage((level, place), clock)?;
            for _ in 0..PROBE.1 {
                if let Some(story) = stage.tell(depth as usize, false, |_| true, MOST_DRAWS, &mut rng)? {
                    probe.see(&self.package, &stage.engine, &lexicon, &story);
                    worlds.insert(story.world);
                }
            }
        }
        if !self.by_instance() && self.splits.len() > 1 {
            self.enough_worlds(level, worlds, clock, &mut rng)?;
        }
        let deck = probe.deal(&mut rng);
        for (kind, weight) in Kind::ALL.into_iter().zip(self.settings.mix) {
            if weight > 0 && !deck.has(kind) {
                let domain = self.package.name.clone();
                return Err(FactoryError::NoQuestions { kind: kind.name(), domain, level, depth });
            }
        }
        Ok(deck)
    }

    /// Draws worlds until there are enough for each split, or no more are likely to turn up.
    fn enough_worlds(
        &self,
        level: i32,
        mut worlds: BTreeSet<Arc<str>>,
        clock: &Clock,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), FactoryError> {
        let lacking = |worlds: &BTreeSet<Arc<str>>| {
            let count = |split| worlds.iter().filter(|w| self.belongs(split, w)).count();
            (0..self.splits.len()).find(|split| count(*split) < FEWEST_WORLDS.1)
        };
        for place in PROBE.0..PROBE.0 + 24 {
            if worlds.len() >= FEWEST_WORLDS.0 && lacking(&worlds).is_none() {
                return Ok(());
            }
            let (mut stage, _) = self.stage((level, place), clock)?;
            for _ in 0..PROBE.1 * 2 {
                worlds.insert(stage.draw_world(rng)?.1);
            }
        }
        let split = lacking(&worlds);
        if worlds.len() >= FEWEST_WORLDS.0 && split.is_none() {
            return Ok(());
        }
        let split = split.map_or(String::new(), |s| {
            format!(", fewer than {} for the split {}", FEWEST_WORLDS.1, self.splits[s].name)
        });
        Err(FactoryError::FewWorlds { domain: self.package.name.clone(), level, found: worlds.len(), split })
    }

    /// Forms that the schedules in use leave out, with level and depth.
    pub fn left_out(&self) -> Vec<(i32, i32, LeftOut)> {
        let decks = self.decks.iter().filter_map(|((n, a), deck)| Some((*n, *a, deck.get()?)));
        decks.flat_map(|(n, a, deck)| deck.left_out.iter().map(move |l| (n, a, l.clone()))).collect()
    }

    /// The kind of question of a row, and how many of that kind came before it.
    pub(crate) fn kind(&self, index: u64) -> (Kind, u64) {
        let pattern = interleave(&self.settings.mix);
        let length = pattern.len() as u64;
        let at = (index % length) as usize;
        let kind = pattern[at];
        let whole = pattern.iter().filter(|k| **k == kind).count() as u64;
        let before = pattern[..at].iter().filter(|k| **k == kind).count() as u64;
        (Kind::ALL[kind], index / length * whole + before)
    }

    pub(crate) fn holdout(&self, split: usize) -> Holdout {
        Holdout {
            phrasings: self.settings.holdout_phrasings,
            names: self.settings.holdout_names,
            wanted: self.splits[split].name == LANGUAGE_SPLIT,
        }
    }

    /// The answer words that splits other than the first may use; none where they may use any.
    fn vocabulary(&self, of: Stream, clock: &Clock) -> Result<Option<&BTreeSet<String>>, FactoryError> {
        let new_names = match self.splits[of.split].name.as_str() {
            LANGUAGE_SPLIT => self.settings.holdout_names > 0.0,
            // There, a change may give an object a new name.
            name => name == NAMES_SPLIT || name == CONTRAST_SPLIT,
        };
        if of.split == 0 || self.settings.open_vocabulary || new_names {
            return Ok(None);
        }
        let Some(cell) = self.vocabularies.get(&(of.level, of.depth)) else { return Ok(None) };
        if let Some(words) = cell.get() {
            return Ok(Some(words));
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(words) = cell.get() {
            return Ok(Some(words));
        }
        let first = Stream { split: 0, ..of };
        let rows = self.streams(0).into_iter().find(|(s, _)| *s == first).map_or(0, |(_, rows)| rows);
        let mut words = BTreeSet::new();
        for group in 0..rows.min(VOCABULARY_ROWS).div_ceil(GROUP_SIZE) {
            let known = self.heard.lock().unwrap_or_else(PoisonError::into_inner).remove(&(first, group));
            let heard = match known {
                Some(heard) => heard,
                None => self.make(first, group, rows, false, clock)?.iter().flat_map(answer_words).collect(),
            };
            words.extend(heard);
        }
        Ok(Some(cell.get_or_init(|| words)))
    }

    /// Makes the rows of one group: those of `index / GROUP_SIZE == group` below `rows`,
    /// the number of rows of the stream.
    ///
    /// # Errors
    /// Anything that keeps a row from being made.
    pub fn group(&self, of: Stream, group: u64, rows: u64, clock: &Clock) -> Result<Vec<Item>, FactoryError> {
        self.make(of, group, rows, true, clock)
    }

    fn make(
        &self,
        of: Stream,
        group: u64,
        rows: u64,
        with_texts: bool,
        clock: &Clock,
    ) -> Result<Vec<Item>, FactoryError> {
        let deck = self.deck(of.level, of.depth, clock)?;
        let vocabulary = self.vocabulary(of, clock)?;
        let mut made = Batch::open(self, of, group, vocabulary, with_texts, clock)?;
        let items = match self.changes(of.split) {
            None => made.rows(deck, rows)?,
            Some(changes) => made.pairs(deck, changes, rows)?,
        };
        if with_texts && (group == 0 || group % JUDGED == self.settings.seed % JUDGED) {
            made.judge()?;
        }
        if with_texts && of.split == 0 && group < VOCABULARY_ROWS.div_ceil(GROUP_SIZE) {
            let words = items.iter().flat_map(answer_words).collect();
            self.heard.lock().unwrap_or_else(PoisonError::into_inner).insert((of, group), words);
        }
        Ok(items)
    }

    /// Are the rows of a split pairs that differ by a change, and by which?
    fn changes(&self, split: usize) -> Option<Changes> {
        if self.splits[split].name == CONTRAST_SPLIT {
            return Some(Changes::Contrast);
        }
        self.settings.minimal_pairs.then_some(Changes::Minimal)
    }

    pub(crate) fn few_worlds(&self, of: Stream) -> FactoryError {
        FactoryError::FewWorlds {
            domain: self.package.name.clone(),
            level: of.level,
            found: 0,
            split: format!(" for the split {}", self.splits[of.split].name),
        }
    }
}

/// The words of an answer: names, numbers, yes, no and none.
fn answer_words(item: &Item) -> Vec<String> {
    item.row.answer.split(", ").map(str::to_owned).collect()
}

impl ItemSource for Factory {
    fn about(&self) -> About {
        About {
            subject: "Reasoning about actions".into(),
            titles: vec![self.package.title.clone()],
            by_instance: self.by_instance(),
        }
    }

    fn settings(&self) -> serde_json::Value {
        serde_json::json!({"domain": self.package.name, "settings": self.settings})
    }

    fn splits(&self) -> &[Split] {
        self.splits()
    }

    fn streams(&self, split: usize) -> Vec<(Stream, u64)> {
        self.streams(split)
    }

    fn prepare(&self, stream: Stream, clock: &Clock) -> Result<(), ItemError> {
        self.deck(stream.level, stream.depth, clock).map(drop).map_err(ItemError::new)
    }

    fn group(&self, stream: Stream, group: u64, items: u64, clock: &Clock) -> Result<Vec<Item>, ItemError> {
        self.group(stream, group, items, clock).map_err(ItemError::new)
    }

    fn left_out(&self) -> Vec<Exception> {
        let exception = |(level, depth, left): (i32, i32, LeftOut)| Exception {
            domain: self.package.name.clone(),
            level,
            depth,
            question_type: left.question_type,
            family: left.family,
            reason: left.reason,
        };
        self.left_out().into_iter().map(exception).collect()
    }
}
