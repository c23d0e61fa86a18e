//! Settings to rows: each group of rows has one layout, and depends on nothing but its own name and the seed.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::backdrop::{Backdrops, Place};
use crate::clock::{Clock, Stage as Part};
use crate::choice::{Asked, Choice, Offers};
use crate::deck::{Card, Deck, Kin, LeftOut, Probe};
use crate::engine::Kind;
use crate::fault::Fault;
use crate::generic_view::{GenericTeller, Narrator, Numbers, ViewError};
use crate::package::Package;
use crate::proportion::{apportion, interleave};
use crate::row::{ObjectName, Row};
use crate::seed::{digest, stream};
use crate::settings::{LANGUAGE_SPLIT, Settings, Split, SplitBy};
use crate::story::{Scene, Stage, Story, StoryError, share_of};
use crate::teller::{Holdout, Lexicon, Naming, Paragraphs, Teller};
use crate::term::Term;
use crate::world::Layout;

/// How many rows are made at a time, with stories of one layout.
pub const GROUP_SIZE: u64 = 50;

/// Layouts that the groups of a stream take turns with, and how many turns each of them has, before others follow.
const LAYOUTS: u64 = 64;
const TURNS: u64 = 32;

/// Rows for each story of a group.
const ROWS_OF_A_STORY: u64 = 10;
/// Stories that a group begins with.
const STORIES: usize = (GROUP_SIZE / ROWS_OF_A_STORY) as usize;
/// How many stories a group may come to: below the first number, a row waits for a question as its card wants it;
/// below the second, for one of the same form and label; then it takes another form.
const PATIENCE: (usize, usize) = (2 * STORIES, 2 * STORIES);
/// How many worlds are drawn until one falls into the split wanted.
const MOST_DRAWS: usize = 5000;
/// How many worlds of a layout are drawn before another layout is.
const DRAWS_OF_A_LAYOUT: usize = 200;
/// How many layouts are tried for a group.
const MOST_LAYOUTS: u64 = 60;
/// How many of them are passed over because the split has too few of their worlds.
const POOR_LAYOUTS: u64 = 10;
/// Layouts and stories of each that a probe looks at.
const PROBE: (u64, usize) = (10, 8);
/// The first so many rows of the training split give the vocabulary of the others.
const VOCABULARY_ROWS: u64 = 1000;
/// One group in so many is judged by clingo, and the first of each split.
const JUDGED: u64 = 128;
/// The fewest distinct worlds a level must have, and each split of it.
const FEWEST_WORLDS: (usize, usize) = (20, 2);

/// Rows of one split, level and depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stream {
    /// Index into [`Factory::splits`].
    pub split: usize,
    /// The level.
    pub level: i32,
    /// The depth.
    pub depth: i32,
}

/// Why no rows come out.
#[derive(Debug, thiserror::Error)]
pub enum FactoryError {
    /// No story.
    #[error(transparent)]
    Story(#[from] StoryError),
    /// Too few worlds to split.
    #[error(
        "level N{level} of `{domain}` has too few distinct worlds to split by world ({found} seen{split}); \
         use --split-by instance, which keeps world and plan apart instead"
    )]
    FewWorlds {
        /// The domain.
        domain: String,
        /// The level.
        level: i32,
        /// How many were seen.
        found: usize,
        /// Which split lacks worlds.
        split: String,
    },
    /// No question of a kind.
    #[error(
        "no {kind} question of `{domain}` can be asked at N{level}, depth {depth}; give it weight 0 in --mix"
    )]
    NoQuestions {
        /// The kind.
        kind: &'static str,
        /// The domain.
        domain: String,
        /// The level.
        level: i32,
        /// The depth.
        depth: i32,
    },
    /// A slot could not be filled.
    #[error(
        "row {index} of {split} (N{level}, depth {depth}) found no question in {stories} stories; this level and depth admit too few, choose another --mix or level"
    )]
    NoItem {
        /// Row index.
        index: u64,
        /// Split name.
        split: String,
        /// The level.
        level: i32,
        /// The depth.
        depth: i32,
        /// Stories tried.
        stories: usize,
    },
    /// The domain cannot be told in the vocabulary of the generic domain.
    #[error(transparent)]
    View(#[from] ViewError),
    /// A template failed.
    #[error(transparent)]
    Template(#[from] Fault),
}

/// A row, and what only the factory knows about it.
#[derive(Clone, Debug)]
pub struct Item {
    /// The row.
    pub row: Row,
    /// Does the initial situation give the same answer?
    pub trivial: bool,
}

/// Makes rows of one domain.
pub struct Factory {
    package: Package,
    settings: Settings,
    splits: Vec<Split>,
    limit: Duration,
    decks: BTreeMap<(i32, i32), OnceLock<Deck>>,
    vocabularies: BTreeMap<(i32, i32), OnceLock<BTreeSet<String>>>,
    /// Answer words of groups of the first split that were made already.
    heard: Mutex<HashMap<(Stream, u64), BTreeSet<String>>>,
    backdrops: Backdrops,
    /// Held by whoever works out a deck or a vocabulary, so that it is done once.
    turn: Mutex<()>,
}

/// A story of a group with what is said of it.
struct Told {
    story: Story,
    naming: Naming,
    /// Numbers of fluents and actions, where they take the place of names.
    numbers: Option<Numbers>,
    texts: Option<Shared>,
}

/// What the rows of one story share.
#[derive(Clone)]
struct Shared {
    context: Arc<str>,
    initial_state: Arc<str>,
    rules: Arc<str>,
    actions: Arc<str>,
    objects: Arc<[ObjectName]>,
    facts: Arc<[String]>,
    plan: Arc<[String]>,
}

impl Factory {
    /// A factory for a package.
    pub fn new(package: Package, settings: Settings, limit: Duration) -> Factory {
        let mut splits = settings.splits.clone();
        if (settings.holdout_names > 0.0 || settings.holdout_phrasings > 0.0)
            && !splits.iter().any(|s| s.name == LANGUAGE_SPLIT)
        {
            let weight = splits.last().map_or(1.0, |s| s.weight);
            splits.push(Split { name: LANGUAGE_SPLIT.into(), weight });
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
            backdrops: Backdrops::default(),
            turn: Mutex::default(),
            settings,
        }
    }

    /// The package.
    pub fn package(&self) -> &Package {
        &self.package
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
            .map(|((level, depth), rows)| (Stream { split, level, depth }, apportion(rows, &weights)[split]))
            .collect()
    }

    fn rng(&self, stream_of: Stream, words: &[&str]) -> ChaCha8Rng {
        let (level, depth) = (stream_of.level.to_string(), stream_of.depth.to_string());
        let mut all = vec!["v1", &self.package.name, &level, &depth, &self.splits[stream_of.split].name];
        all.extend(words);
        stream(self.settings.seed, &all)
    }

    /// A stage with the layout of a place.
    fn stage(&self, place: Place, clock: &Clock) -> Result<Stage<'_>, FactoryError> {
        let _timer = clock.start(Part::Grounding);
        let Factory { package, settings, limit, .. } = self;
        let backdrop = self.backdrops.at(place, package, settings.as_generic, *limit, || {
            let words = [place.0.to_string(), place.1.to_string()];
            let mut rng = stream(settings.seed, &["v1", &package.name, "layout", &words[0], &words[1]]);
            let layout = Layout::sample(package, place.0, &settings.parameters, &mut rng, *limit)?;
            Ok((layout, rng))
        })?;
        Ok(Stage::before(package, backdrop, settings.sampling, *limit))
    }

    /// Does a world or instance with this key belong to the split?
    fn belongs(&self, split: usize, key: &str) -> bool {
        let share = share_of(key);
        let before: f64 = self.splits[..split].iter().map(|s| s.weight).sum();
        let last = split + 1 == self.splits.len();
        share >= before && (last || share < before + self.splits[split].weight)
    }

    fn by_instance(&self) -> bool {
        self.settings.split_by == SplitBy::Instance
    }

    /// The deck of a level and depth, and what it leaves out.
    ///
    /// # Errors
    /// Too few worlds, no story, no question of a wanted kind.
    pub fn deck(&self, level: i32, depth: i32, clock: &Clock) -> Result<&Deck, FactoryError> {
        let Some(cell) = self.decks.get(&(level, depth)) else {
            let name = format!("the factory makes no rows of N{level}, depth {depth}");
            return Err(StoryError::World(crate::world::WorldError::Unknown(name)).into());
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

    fn probe(&self, level: i32, depth: i32, clock: &Clock) -> Result<Deck, FactoryError> {
        let anywhere = Stream { split: 0, level, depth };
        let mut rng = self.rng(anywhere, &["probe"]);
        let mut probe = Probe::default();
        let mut worlds: BTreeSet<Arc<str>> = BTreeSet::new();
        for place in 0..PROBE.0 {
            let mut stage = self.stage((level, place), clock)?;
            let lexicon = stage.lexicon().clone();
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
            let mut stage = self.stage((level, place), clock)?;
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

    /// Forms that the decks in use leave out, with level and depth.
    pub fn left_out(&self) -> Vec<(i32, i32, LeftOut)> {
        let decks = self.decks.iter().filter_map(|((n, a), deck)| Some((*n, *a, deck.get()?)));
        decks.flat_map(|(n, a, deck)| deck.left_out.iter().map(move |l| (n, a, l.clone()))).collect()
    }

    /// The kind of question of a row, and how many of that kind came before it.
    fn kind(&self, index: u64) -> (Kind, u64) {
        let pattern = interleave(&self.settings.mix);
        let length = pattern.len() as u64;
        let at = (index % length) as usize;
        let kind = pattern[at];
        let whole = pattern.iter().filter(|k| **k == kind).count() as u64;
        let before = pattern[..at].iter().filter(|k| **k == kind).count() as u64;
        (Kind::ALL[kind], index / length * whole + before)
    }

    fn holdout(&self, split: usize) -> Holdout {
        Holdout {
            phrasings: self.settings.holdout_phrasings,
            names: self.settings.holdout_names,
            wanted: self.splits[split].name == LANGUAGE_SPLIT,
        }
    }

    /// The answer words that splits other than the first may use; none where they may use any.
    fn vocabulary(&self, of: Stream, clock: &Clock) -> Result<Option<&BTreeSet<String>>, FactoryError> {
        let new_names = self.splits[of.split].name == LANGUAGE_SPLIT && self.settings.holdout_names > 0.0;
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
        let name = group.to_string();
        let (mut stage, first) = self.group_stage(of, group, vocabulary, clock)?;
        let lexicon = stage.lexicon().clone();
        let mut pool = vec![self.numbered(of, &lexicon, vocabulary, first, [&name, "0"])];
        let mut used: HashSet<Asked> = HashSet::new();
        let mut items = Vec::new();
        let (patient, most) = PATIENCE;
        // Verify questions come in pairs of one form, one for each label: the second of them, once the first is told.
        let mut second: Option<Choice> = None;
        for index in group * GROUP_SIZE..rows.min((group + 1) * GROUP_SIZE) {
            let (kind, n) = self.kind(index);
            let mut rng = self.rng(of, &["row", &index.to_string()]);
            let is_first = kind == Kind::Verify && n % 2 == 0;
            let is_second = kind == Kind::Verify && n % 2 == 1;
            let mut found = if is_second { second.take() } else { None };
            let mut wanted = STORIES.max(pool.len());
            while found.is_none() && wanted <= most {
                while pool.len() < wanted {
                    let number = pool.len().to_string();
                    let mut rng = self.rng(of, &["story", &name, &number]);
                    let _timer = clock.start(Part::Solving);
                    let told = self.told(&mut stage, of, vocabulary, MOST_DRAWS, &mut rng)?;
                    let told = told.ok_or_else(|| self.few_worlds(of))?;
                    pool.push(self.numbered(of, &lexicon, vocabulary, told, [&name, &number]));
                }
                let _timer = clock.start(Part::Choosing);
                // Triviality gives way before the form does, the form before the label.
                let forms = if wanted < most { 1 } else { usize::MAX };
                let sayable = |told: usize, question: usize, answers: &[&Term]| {
                    let Some(words) = vocabulary else { return true };
                    let teller = self.teller(&stage, &lexicon, &pool[told], Holdout::NONE);
                    let (text, _) = teller.answer(question, &mut answers.to_vec());
                    text.split(", ").all(|word| words.contains(word))
                };
                let mut choose = |card: Card, kin: Option<Kin>, used: &HashSet<Asked>| {
                    let (engine, lexicon) = (&stage.engine, &*lexicon);
                    let stories = pool.iter().map(|told| &told.story).collect();
                    let offers = Offers { engine, lexicon, stories, used, sayable: &sayable };
                    let any = Card { trivial: None, ..card };
                    let tries = [Some(card), (wanted >= patient).then_some(any)];
                    tries.into_iter().flatten().find_map(|card| offers.choose(kind, card, kin, &mut rng))
                };
                for card in deck.cards(kind, n).take(forms) {
                    found = choose(card, None, &used);
                    if let Some(choice) = found.take_if(|_| is_first) {
                        let place = choice.asked();
                        used.insert(place);
                        second = choose(Card { yes: !card.yes, ..card }, Some(choice.kin), &used);
                        used.remove(&place);
                        found = second.is_some().then_some(choice);
                    }
                    if found.is_some() {
                        break;
                    }
                }
                if found.is_none() && wanted + STORIES > most {
                    // No form has both labels to offer.
                    found = deck.cards(kind, n).find_map(|card| choose(card, None, &used));
                }
                wanted += STORIES;
            }
            let Some(choice) = found else {
                return Err(FactoryError::NoItem {
                    index,
                    split: self.splits[of.split].name.clone(),
                    level: of.level,
                    depth: of.depth,
                    stories: pool.len(),
                });
            };
            used.insert(choice.asked());
            let _timer = clock.start(Part::Rendering);
            items.push(self.item(of, index, &stage, &lexicon, &mut pool, choice, with_texts, &mut rng)?);
        }
        if with_texts
            && (group == 0 || group % JUDGED == self.settings.seed % JUDGED)
            && let Some(told) = pool.first()
        {
            let _timer = clock.start(Part::Judging);
            stage.judge(&told.story)?;
        }
        if with_texts && of.split == 0 && group < VOCABULARY_ROWS.div_ceil(GROUP_SIZE) {
            let words = items.iter().flat_map(answer_words).collect();
            self.heard.lock().unwrap_or_else(PoisonError::into_inner).insert((of, group), words);
        }
        Ok(items)
    }

    /// The layout of a group and its first story. A layout that lies outside the split gives way to another.
    ///
    /// Splits and depths of a level share layouts; groups of one stream that share a layout each go on in the
    /// sequence of its situations where the one before them ended.
    fn group_stage(
        &self,
        of: Stream,
        group: u64,
        vocabulary: Option<&BTreeSet<String>>,
        clock: &Clock,
    ) -> Result<(Stage<'_>, Told), FactoryError> {
        let (round, within) = (group / (LAYOUTS * TURNS), group % (LAYOUTS * TURNS));
        let (turn, first) = (within / LAYOUTS, self.rng(of, &["first layout"]).random_range(0..LAYOUTS));
        let share = if self.by_instance() { 1.0 } else { self.splits[of.split].weight };
        let position = turn as f64 * 1.5 * STORIES as f64 / share;
        for attempt in 0..MOST_LAYOUTS {
            let mut rng = self.rng(of, &["group", &group.to_string(), &attempt.to_string()]);
            let place = round * LAYOUTS + (within + first + attempt) % LAYOUTS;
            let mut stage = self.stage((of.level, place), clock)?;
            stage.go_to(position as usize);
            let _timer = clock.start(Part::Solving);
            let worlds = stage.worlds(|key| self.by_instance() || self.belongs(of.split, key));
            if attempt < POOR_LAYOUTS && worlds.is_some_and(|worlds| worlds < STORIES) {
                continue;
            }
            if let Some(told) = self.told(&mut stage, of, vocabulary, DRAWS_OF_A_LAYOUT, &mut rng)? {
                return Ok((stage, told));
            }
        }
        Err(self.few_worlds(of))
    }

    fn few_worlds(&self, of: Stream) -> FactoryError {
        FactoryError::FewWorlds {
            domain: self.package.name.clone(),
            level: of.level,
            found: 0,
            split: format!(" for the split {}", self.splits[of.split].name),
        }
    }

    /// A story of the split with its names; none if no world of the split turns up in so many draws.
    fn told(
        &self,
        stage: &mut Stage,
        of: Stream,
        vocabulary: Option<&BTreeSet<String>>,
        draws: usize,
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<Told>, FactoryError> {
        let keep = |key: &str| self.belongs(of.split, key);
        let story = stage.tell(of.depth as usize, self.by_instance(), keep, draws, rng)?;
        Ok(story.map(|story| {
            let known = |name: &str| vocabulary.is_none_or(|words| words.contains(name));
            let naming = Naming::draw(&self.package, stage.layout(), self.holdout(of.split), known, rng);
            Told { story, naming, numbers: None, texts: None }
        }))
    }

    /// A story of a group with numbers for fluents and actions, where these are asked for.
    fn numbered(
        &self,
        of: Stream,
        lexicon: &Lexicon,
        vocabulary: Option<&BTreeSet<String>>,
        told: Told,
        [group, number]: [&str; 2],
    ) -> Told {
        let known = |name: &str| vocabulary.is_none_or(|words| words.contains(name));
        let mut rng = self.rng(of, &["numbers", group, number]);
        let view = lexicon.view.as_ref();
        let numbers = view.map(|v| v.number(&self.package, self.holdout(of.split), known, &mut rng));
        Told { numbers, ..told }
    }

    fn teller<'t>(
        &'t self,
        stage: &'t Stage,
        lexicon: &'t Lexicon,
        told: &'t Told,
        holdout: Holdout,
    ) -> Narrator<'t> {
        let (package, engine) = (&self.package, &stage.engine);
        if let (Some(view), Some(numbers)) = (&lexicon.view, &told.numbers) {
            return Narrator::Generic(GenericTeller { package, engine, view, numbers, holdout });
        }
        let (layout, naming) = (stage.layout(), &told.naming);
        Narrator::Own(Teller { package, layout, engine, lexicon, naming, holdout })
    }

    #[expect(clippy::too_many_arguments)]
    fn item(
        &self,
        of: Stream,
        index: u64,
        stage: &Stage,
        lexicon: &Lexicon,
        pool: &mut [Told],
        choice: Choice,
        with_texts: bool,
        rng: &mut ChaCha8Rng,
    ) -> Result<Item, FactoryError> {
        let engine = &stage.engine;
        let told = &pool[choice.told];
        let teller = self.teller(stage, lexicon, told, self.holdout(of.split));
        let story = &told.story;
        let question = &engine.questions[choice.question];
        let mut gold: Vec<&Term> = choice.answers.iter().map(|a| &engine.answers[*a].answer).collect();
        let (answer, answer_type) = teller.answer(choice.question, &mut gold);
        let (text, template) = teller
            .question(story, choice.scene, choice.question, rng)
            .unwrap_or_else(|| (question.term.to_string(), "term".into()));
        let shared = match (&told.texts, with_texts) {
            (Some(shared), _) => shared.clone(),
            (None, false) => Shared::empty(),
            (None, true) => {
                let words =
                    ["text", &(index / GROUP_SIZE).to_string(), &choice.told.to_string()].map(str::to_owned);
                let mut rng = self.rng(of, &words.each_ref().map(String::as_str));
                let texts = teller.paragraphs(story, &mut rng)?;
                self.shared(stage, told, texts)
            }
        };
        let query = query(engine, story, choice.scene, &question.term);
        let mut row = Row {
            id: String::new(),
            domain: self.package.name.as_str().into(),
            split: self.splits[of.split].name.as_str().into(),
            world: story.world.clone(),
            level: of.level,
            depth: of.depth,
            question_type: question.kind.name().into(),
            family: query.functor().into(),
            template,
            context: shared.context.clone(),
            initial_state: shared.initial_state.clone(),
            rules: shared.rules.clone(),
            actions: shared.actions.clone(),
            question: text,
            answer,
            answer_type: answer_type.into(),
            objects: shared.objects.clone(),
            facts: shared.facts.clone(),
            plan: shared.plan.clone(),
            query: query.to_string(),
            gold: gold.iter().map(|t| t.to_string()).collect(),
            seed: self.settings.seed as i64,
            index: index as i64,
        };
        if with_texts {
            let place = format!("{} {} {} {} {}", row.seed, row.split, row.level, row.depth, row.index);
            row.id = digest([
                &row.domain,
                &*row.context,
                &row.rules,
                &row.question,
                &row.answer,
                &row.query,
                &place,
            ]);
            pool[choice.told].texts.get_or_insert(shared);
        }
        Ok(Item { row, trivial: choice.trivial })
    }

    fn shared(&self, stage: &Stage, told: &Told, texts: Paragraphs) -> Shared {
        let Told { story, naming, numbers, .. } = told;
        let engine = &stage.engine;
        let layout = stage.layout();
        let objects = naming.order.iter().map(|o| ObjectName {
            id: layout.objects[*o].id.clone(),
            kind: self.package.types[layout.objects[*o].kind].name.as_str().into(),
            name: naming.names[*o].clone(),
        });
        let numbered = numbers.iter().flat_map(|numbers| {
            let entry = |(kind, term, number): (&str, &Term, Arc<str>)| ObjectName {
                id: term.to_string().into(),
                kind: kind.into(),
                name: number,
            };
            let fluents = numbers.fluents.listed().map(|(f, number)| ("fluent", &engine.fluents[f], number));
            let actions = numbers.actions.listed().map(|(a, number)| ("action", &engine.actions[a], number));
            fluents.chain(actions).map(entry)
        });
        let kinds = layout.objects.iter().map(|o| format!("{}({})", self.package.types[o.kind].name, o.id));
        let statics = layout.statics.iter().map(Term::to_string);
        let fluents = story.initial.iter().map(|f| engine.fluents[f].to_string());
        let mut context = vec![texts.initial_state.as_str()];
        if self.settings.rules {
            context.push(&texts.rules);
        }
        context.push(&texts.actions);
        Shared {
            context: context.join("\n\n").into(),
            objects: objects.chain(numbered).collect(),
            facts: kinds.chain(statics).chain(fluents).collect(),
            plan: story.plan.iter().map(|a| engine.actions[*a].to_string()).collect(),
            initial_state: texts.initial_state.into(),
            rules: texts.rules.into(),
            actions: texts.actions.into(),
        }
    }
}

/// The words of an answer: names, numbers, yes, no and none.
fn answer_words(item: &Item) -> Vec<String> {
    item.row.answer.split(", ").map(str::to_owned).collect()
}

impl Shared {
    fn empty() -> Shared {
        let text: Arc<str> = "".into();
        Shared {
            context: text.clone(),
            initial_state: text.clone(),
            rules: text.clone(),
            actions: text,
            objects: Arc::new([]),
            facts: Arc::new([]),
            plan: Arc::new([]),
        }
    }
}

/// The question as a term that says its scene: `after(A,Q)`, `changes(A,F)`, `initially(Q)`.
fn query(engine: &crate::engine::Engine, story: &Story, scene: Scene, question: &Term) -> Term {
    let action = |n: usize| {
        story.further.get(n).map_or_else(|| Term::constant("none"), |a| engine.actions[*a].clone())
    };
    let after = |n: usize, q: Term| Term::function("after", vec![action(n), q]);
    match scene {
        Scene::Now => question.clone(),
        Scene::Supposing if question.is("changes", 1) => {
            Term::function("changes", vec![action(0), question.args()[0].clone()])
        }
        Scene::Supposing => question.clone(),
        Scene::AfterOne => after(0, question.clone()),
        Scene::AfterTwo => after(0, after(1, question.clone())),
        Scene::Initially => Term::function("initially", vec![question.clone()]),
    }
}
