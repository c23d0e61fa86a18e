//! Settings to streams of rows, and what the rows of a level share: its schedule, its layouts, the words of its answers.
//!
//! The rows come in groups, which the module `group` makes: each depends on nothing but its own name and the seed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use racgen_data::columns::ExtraColumn;
use racgen_data::papers::manifest::Exception;
use rand::RngExt;

use crate::domain::package::Package;
use crate::domain::question_groups::{PREDICTION, kinds};
use crate::factory::batch::group::Batch;
use crate::factory::batch::turns::keeps_apart;
use crate::factory::choosing::probe::Probe;
use crate::factory::choosing::schedule::{ANY_FAMILY, LeftOut, Schedule};
use crate::factory::context::Context;
use crate::factory::contrast::pairs::{Changes, pairs};
use crate::factory::error::FactoryError;
use crate::factory::extra::columns;
use crate::factory::further::dealing::FamilySchedule;
use crate::factory::further::family_probe::FamilyProbe;
use crate::factory::probing::Probed;
use crate::factory::settings::{CONTRAST_SPLIT, LANGUAGE_SPLIT, NAMES_SPLIT, Settings};
use crate::factory::worlds::assign;
use crate::items::clock::Clock;
use crate::items::error::ItemError;
use crate::items::source::{About, GROUP_SIZE, Item, ItemSource, Split, Stream};
use crate::phrases::book::FamilyPhrases;
use crate::simulate::error::SimulationError;
use crate::simulate::transitions::compiled_layout::Kind;

/// The first so many rows of the training split give the vocabulary of the others.
const VOCABULARY_ROWS: u64 = 1000;
/// So many layouts, one after the other, may have nothing for a group of rows whose questions go beyond prediction.
const LAYOUTS_TRIED: u64 = 64;
/// One group in so many of a stream is judged by clingo, and of the first split the first one. Which it is differs from
/// split to split by so much.
const JUDGED: u64 = 128;
const JUDGED_OF_NEXT_SPLIT: u64 = 43;
/// In how many places the turns of a split may begin.
const FIRST_TURNS: u64 = 1 << 20;

/// Why a level and depth has no questions of a kind.
const STOOD_IN: &str = "no question of this kind can be asked; those of the other kinds stand in";

/// What is asked at a level and depth: of prediction, and beyond.
type Dealt = (Schedule, FamilySchedule);

/// Makes rows of one domain.
pub struct Factory {
    context: Context,
    schedules: BTreeMap<(i32, i32), OnceLock<Dealt>>,
    vocabularies: BTreeMap<(i32, i32), OnceLock<BTreeSet<String>>>,
    /// Answer words of groups of the first split that were made already.
    heard: Mutex<HashMap<(Stream, u64), BTreeSet<String>>>,
    /// Held by whoever works out a schedule or a vocabulary, so that it is done once.
    turn: Mutex<()>,
    /// The levels whose pictures can be read.
    legible: Mutex<BTreeSet<i32>>,
}

impl Factory {
    /// A factory for a package.
    pub fn new(package: Package, settings: Settings, limit: Duration) -> Factory {
        let settings = settings.suited(&package);
        let cells = settings.cells();
        Factory {
            context: Context::new(package, settings, limit),
            schedules: cells.iter().map(|c| (*c, OnceLock::new())).collect(),
            vocabularies: cells.iter().map(|c| (*c, OnceLock::new())).collect(),
            heard: Mutex::default(),
            turn: Mutex::default(),
            legible: Mutex::default(),
        }
    }

    /// The package.
    pub fn package(&self) -> &Package {
        &self.context.package
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.context.settings
    }

    /// How many ground rules are kept for layouts to come again.
    pub fn rules_kept(&self) -> usize {
        self.context.rules_kept()
    }

    /// Forgets all groundings, but not what is asked; they are made again when they are needed.
    pub fn forget(&self) {
        self.context.forget();
    }

    /// Can situations of a level be drawn so that they can be read? A level is looked at once.
    fn check_pictures(&self, level: i32, clock: &Clock) -> Result<(), FactoryError> {
        let mut legible = self.legible.lock().unwrap_or_else(PoisonError::into_inner);
        if !legible.contains(&level) {
            self.context.check_pictures(level, clock)?;
            legible.insert(level);
        }
        Ok(())
    }

    /// The splits, their weights adding up to one.
    pub fn splits(&self) -> &[Split] {
        &self.context.splits
    }

    /// The streams of a split, in order, with their numbers of rows.
    pub fn streams(&self, split: usize) -> Vec<(Stream, u64)> {
        self.context.settings.streams(&self.context.splits, split)
    }

    /// The schedule of a level and depth, and what it leaves out.
    ///
    /// # Errors
    /// Too few worlds, no story, no question of a wanted kind.
    pub fn schedule(&self, level: i32, depth: i32, clock: &Clock) -> Result<&Schedule, FactoryError> {
        self.dealt(level, depth, clock).map(|(schedule, _)| schedule)
    }

    /// The families beyond prediction of a level and depth, and what is left out of them.
    ///
    /// # Errors
    /// As [`Factory::schedule`].
    pub fn families(&self, level: i32, depth: i32, clock: &Clock) -> Result<&FamilySchedule, FactoryError> {
        self.dealt(level, depth, clock).map(|(_, families)| families)
    }

    fn dealt(&self, level: i32, depth: i32, clock: &Clock) -> Result<&Dealt, FactoryError> {
        let Some(cell) = self.schedules.get(&(level, depth)) else {
            let name = format!("the factory makes no rows of N{level}, depth {depth}");
            return Err(SimulationError::Unknown(name).into());
        };
        if let Some(schedule) = cell.get() {
            return Ok(schedule);
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(schedule) = cell.get() {
            return Ok(schedule);
        }
        self.context.assign_worlds(|| assign(&self.context, clock))?;
        let schedule = self.probe(level, depth, clock)?;
        Ok(cell.get_or_init(|| schedule))
    }

    fn probe(&self, level: i32, depth: i32, clock: &Clock) -> Result<Dealt, FactoryError> {
        let Probed { probe, further, mut rng } = self.context.probed(level, depth, clock)?;
        let settings = &self.context.settings;
        let predicts = settings.predicts();
        let common = &self.context.package.common;
        if let Some(family) = probe.lacking() {
            return Err(FactoryError::NoFamily {
                family: family.to_owned(),
                domain: self.context.package.name.clone(),
                level,
                depth,
                known: probe.offered().join(", "),
            });
        }
        let mut schedule = if predicts { probe.deal(&mut rng) } else { Schedule::default() };
        let wanted = (0..common.families.len()).filter(|f| settings.asks(&common.families[*f]));
        let wanted: Vec<usize> = wanted.collect();
        let families = further.deal(&common.families, &wanted);
        let weights = settings.weights();
        let silent = silent(settings, (&probe, &further), (&wanted, &common.families));
        let asks = |group: &str, kind: Kind| {
            kinds(group, settings.outcomes)[kind as usize] && !silent.contains(&(group.to_owned(), kind))
        };
        let lacks = |kind: Kind| {
            // Where a group has none, the others stand in for it.
            let mut groups = settings.further_groups().filter(|group| asks(group, kind)).peekable();
            let (further, predicted) = (groups.peek().is_some(), predicts && asks(PREDICTION, kind));
            further && !groups.any(|group| families.has(group, kind))
                || predicted && !schedule.has(kind)
                || !further && !predicted
        };
        let lacking = Kind::ALL.map(|kind| weights[kind as usize] > 0 && lacks(kind));
        let others = Kind::ALL.iter().any(|kind| weights[*kind as usize] > 0 && !lacking[*kind as usize]);
        for kind in Kind::ALL.into_iter().filter(|kind| lacking[*kind as usize]) {
            // Small worlds may lack a kind of question, which is no reason to end; that families which somebody named have none is one.
            if !settings.families.is_empty() || !others {
                return Err(FactoryError::NoQuestions {
                    kind: kind.name(),
                    domain: self.context.package.name.clone(),
                    level,
                    depth,
                    groups: settings.further_groups().map(ToString::to_string).collect(),
                    outcomes: settings.outcomes,
                });
            }
            schedule.left_out.insert(LeftOut {
                question_type: kind.name().to_owned(),
                family: ANY_FAMILY.to_owned(),
                reason: STOOD_IN.to_owned(),
            });
        }
        schedule.lacking = lacking;
        schedule.silent = silent;
        Ok((schedule, families))
    }

    /// Forms that the schedules in use leave out, with level and depth.
    pub fn left_out(&self) -> Vec<(i32, i32, LeftOut)> {
        let schedules =
            self.schedules.iter().filter_map(|((n, a), schedule)| Some((*n, *a, schedule.get()?)));
        let all = |(schedule, families): &Dealt| -> Vec<LeftOut> {
            let further = families.left_out.iter().map(|(kind, family, reason)| LeftOut {
                question_type: (*kind).to_owned(),
                family: family.clone(),
                reason: (*reason).to_owned(),
            });
            schedule.left_out.iter().cloned().chain(further).collect()
        };
        schedules.flat_map(|(n, a, dealt)| all(dealt).into_iter().map(move |l| (n, a, l))).collect()
    }

    /// The answer words that splits other than the first may use; none where they may use any.
    fn vocabulary(&self, of: Stream, clock: &Clock) -> Result<Option<&BTreeSet<String>>, FactoryError> {
        let new_names = match self.context.splits[of.split].name.as_str() {
            LANGUAGE_SPLIT => self.context.settings.holdout_names > 0.0,
            // There, a change may give an object a new name.
            name => name == NAMES_SPLIT || name == CONTRAST_SPLIT,
        };
        if of.split == 0 || self.context.settings.open_vocabulary || new_names {
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
        // Questions beyond prediction are told apart by what a layout offers; where it offers no more, the group goes on in another.
        // So it does where a picture would have letters that are too small.
        let settings = &self.context.settings;
        let most = if settings.ask.is_empty() && settings.tell.is_text() { 1 } else { LAYOUTS_TRIED };
        let (schedule, families) = self.dealt(of.level, of.depth, clock)?;
        let vocabulary = self.vocabulary(of, clock)?;
        let (mut items, mut ended) = (Vec::new(), Vec::new());
        let (mut passed, mut in_vain) = (0, 0);
        let made = loop {
            let turn = (group, passed);
            let mut made = Batch::open(&self.context, of, turn, ended, vocabulary, with_texts, clock)?;
            made.in_vain = in_vain;
            let known = items.len();
            let found = match self.changes(of.split) {
                None => made.rows((schedule, families), self.before(of), rows, &mut items),
                Some(changes) => pairs(&mut made, schedule, changes, rows).map(|pairs| items.extend(pairs)),
            };
            let error = match found {
                Ok(()) => break made,
                Err(error) => error,
            };
            in_vain = if items.len() > known { 0 } else { in_vain + 1 };
            match error {
                FactoryError::Illegible { .. } if in_vain < most => made.forget_waiting(),
                FactoryError::NoItem { .. } if in_vain < most => {}
                error => return Err(error),
            }
            passed = made.attempt + 1;
            ended = made.end();
        };
        let split = of.split as u64;
        let turn = (self.context.settings.seed % JUDGED + JUDGED_OF_NEXT_SPLIT * split) % JUDGED;
        let first = if keeps_apart(settings, rows) { settings.ask.len() as u64 } else { 1 };
        if with_texts && (group < first && split == 0 || group % JUDGED == turn) {
            for mut batch in made.end() {
                batch.judge()?;
                batch.judge_further()?;
            }
        }
        if with_texts && of.split == 0 && group < VOCABULARY_ROWS.div_ceil(GROUP_SIZE) {
            let words = items.iter().flat_map(answer_words).collect();
            self.heard.lock().unwrap_or_else(PoisonError::into_inner).insert((of, group), words);
        }
        Ok(items)
    }

    /// How many questions of each kind the streams of a split have before one of them. Each split of each domain begins at another
    /// place: were it the same one everywhere, a pool of many domains with few items each would have the same answers at the same
    /// levels and depths.
    fn before(&self, of: Stream) -> [u64; 3] {
        let mut rng = self.context.rng(Stream { split: of.split, ..Stream::default() }, &["first turns"]);
        // Two verify questions go together, and three others.
        let first = [2, 1, 3].map(|together| together * rng.random_range(0..FIRST_TURNS));
        let earlier = self.streams(of.split).into_iter().take_while(|(stream, _)| *stream != of);
        earlier.fold(first, |sum, (_, rows)| {
            let here = self.context.kinds(rows);
            std::array::from_fn(|kind| sum[kind] + here[kind])
        })
    }

    /// Are the rows of a split pairs that differ by a change, and by which?
    fn changes(&self, split: usize) -> Option<Changes> {
        if self.context.splits[split].name == CONTRAST_SPLIT {
            return Some(Changes::Contrast);
        }
        self.context.settings.minimal_pairs.then_some(Changes::Minimal)
    }
}

/// The groups and kinds of which the families that were named have no questions.
fn silent(
    settings: &Settings,
    (probe, further): (&Probe, &FamilyProbe),
    (wanted, families): (&[usize], &[FamilyPhrases]),
) -> BTreeSet<(String, Kind)> {
    if settings.families.is_empty() {
        return BTreeSet::new();
    }
    let is_silent = |(group, kind): &(&str, Kind)| match *group {
        PREDICTION => !probe.saw(*kind),
        group => {
            let own = wanted.iter().copied().filter(|family| families[*family].group == group);
            !further.may_ask(&own.collect::<Vec<_>>(), *kind)
        }
    };
    let groups = settings.ask.iter().map(String::as_str);
    let all = groups.flat_map(|group| Kind::ALL.into_iter().map(move |kind| (group, kind)));
    all.filter(is_silent).map(|(group, kind)| (group.to_owned(), kind)).collect()
}

/// The words of an answer: names, numbers, yes, no and none.
fn answer_words(item: &Item) -> Vec<String> {
    item.row.answer.split(", ").map(str::to_owned).collect()
}

impl ItemSource for Factory {
    fn about(&self) -> About {
        About {
            subject: "Reasoning about actions".into(),
            titles: vec![self.context.package.title.clone()],
            by_instance: self.context.by_instance(),
        }
    }

    fn settings(&self) -> serde_json::Value {
        serde_json::json!({"domain": self.context.package.name, "settings": self.context.settings})
    }

    fn splits(&self) -> &[Split] {
        self.splits()
    }

    fn streams(&self, split: usize) -> Vec<(Stream, u64)> {
        self.streams(split)
    }

    fn extra_columns(&self) -> &[ExtraColumn] {
        columns(!self.context.settings.ask.is_empty(), !self.context.settings.tell.is_text())
    }

    fn prepare(&self, stream: Stream, clock: &Clock) -> Result<(), ItemError> {
        if !self.context.settings.tell.is_text() {
            self.check_pictures(stream.level, clock).map_err(ItemError::new)?;
        }
        self.schedule(stream.level, stream.depth, clock).map(drop).map_err(ItemError::new)
    }

    fn group(&self, stream: Stream, group: u64, items: u64, clock: &Clock) -> Result<Vec<Item>, ItemError> {
        self.group(stream, group, items, clock).map_err(ItemError::new)
    }

    fn left_out(&self) -> Vec<Exception> {
        let exception = |(level, depth, left): (i32, i32, LeftOut)| Exception {
            domain: self.context.package.name.clone(),
            level,
            depth,
            question_type: left.question_type,
            family: left.family,
            reason: left.reason,
        };
        self.left_out().into_iter().map(exception).collect()
    }
}
