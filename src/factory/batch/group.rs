//! One group of rows: its layout, its stories, and a row for each question that is chosen. Where the layout has nothing more that is
//! to be asked, the group goes on in another.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use rand::rngs::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet as HashSet};

use crate::factory::batch::sought_twins::SoughtTwins;
use crate::factory::batch::told_story::{STORIES, ToldStory};
use crate::factory::batch::turns::QuestionTurns;
use crate::factory::choosing::offered::KnownOffers;
use crate::factory::choosing::profile::KnownSteps;
use crate::factory::choosing::schedule::{FormCell, Schedule};
use crate::factory::choosing::selection::{QuestionKey, Selection};
use crate::factory::context::{Context, DRAWS_OF_A_LAYOUT, LayoutText, MOST_LAYOUTS, POOR_LAYOUTS, Round};
use crate::factory::contrast::change::{KnownVariants, Reduced};
use crate::factory::error::FactoryError;
use crate::factory::further::dealing::FamilySchedule;
use crate::factory::further::offers::{OfferCell, OfferedQuestion, Offers};
use crate::factory::further::pair_candidates::PairCandidates;
use crate::factory::further::proving::KnownProofs;
use crate::factory::further::search_families::LastingFunctors;
use crate::factory::further::threes::ToldApart;
use crate::items::clock::{Clock, Stage as Part};
use crate::items::source::{GROUP_SIZE, Item, Stream};
use crate::language::words::lexicon::Lexicon;
use crate::simulate::initial::legality::Legality;
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::compiled_layout::Kind;

/// A layout with fewer worlds of the split than this is poor.
const FEW_WORLDS: usize = 5;
/// One group of so many takes a poor layout as well, so that small worlds are met, too.
const MEETS_POOR: u64 = 4;

/// A group being made, in one of its layouts.
pub(crate) struct Batch<'f> {
    pub(crate) context: &'f Context,
    pub(crate) of: Stream,
    pub(crate) number: u64,
    pub(crate) stage: Simulator<'f>,
    pub(crate) lexicon: Arc<Lexicon>,
    pub(super) text: Arc<LayoutText>,
    pub(crate) pool: Vec<ToldStory>,
    /// The stories that come next, with their random numbers; none where no world turned up.
    pub(super) ahead: VecDeque<(Option<Story>, ChaCha8Rng)>,
    pub(crate) used: HashSet<QuestionKey>,
    /// What the stories of the pool offer.
    pub(super) offered: KnownOffers,
    /// What was seen of their plans.
    pub(super) steps: KnownSteps,
    /// By form, whether the stories offer all answers that it is spread over.
    pub(super) even: HashMap<(Kind, FormCell), bool>,
    /// Forms for which stories were sought, and how many stories of the pool come from that.
    pub(super) sought: HashSet<FormCell>,
    pub(super) found: usize,
    /// How far twins of stories that are told in part were sought, of each sort.
    pub(super) twins: [SoughtTwins; ToldApart::COUNT],
    /// Were stories sought whose actions begin a shortest way to something?
    pub(super) seeks_ways: bool,
    /// The groups of questions that its rows are of, and those that may stand in.
    pub(super) groups: Vec<String>,
    /// Families beyond prediction of which nothing is asked in this stream.
    pub(super) idle: BTreeSet<usize>,
    /// What may stay so in the questions that are asked of what can be meanwhile.
    pub(super) lasting: LastingFunctors,
    /// The place of the layout in the sequence of its level, and how many the group had passed over or left behind before it.
    place: u64,
    pub(crate) attempt: u64,
    /// How many layouts, one after the other, had nothing more that the group asks when it came to them.
    pub(crate) in_vain: u64,
    /// The group's other layouts: of each it has rows, and then there was nothing more to ask.
    pub(crate) ended: Vec<Batch<'f>>,
    /// What is known to proofs about the stories.
    pub(super) proofs: KnownProofs,
    /// What the stories offer beyond prediction, and how many of them were looked at.
    pub(super) offers: (Offers, usize),
    /// Candidates for pairs among them.
    pub(super) candidates: PairCandidates,
    /// What was asked beyond prediction, by story and family.
    pub(super) asked: FxHashMap<(usize, usize), HashSet<u64>>,
    pub(super) put: Vec<(OfferCell, OfferedQuestion)>,
    /// By group and kind, what comes next of questions that go together.
    pub(super) waiting: BTreeMap<(String, Kind), VecDeque<(OfferCell, OfferedQuestion)>>,
    /// By family, what has to be asked with a question that was, so that how things look to choose from tells nothing.
    pub(super) owed: BTreeMap<usize, VecDeque<(OfferCell, OfferedQuestion)>>,
    /// By group, the turn of three or four in which there were none.
    pub(super) without: BTreeMap<&'static str, u64>,
    pub(crate) vocabulary: Option<&'f BTreeSet<String>>,
    pub(crate) clock: &'f Clock,
    /// Tells initial situations, once it is needed.
    pub(crate) legality: Option<Legality>,
    /// By object, the layout without it, once it was needed.
    pub(crate) reduced: HashMap<usize, Reduced>,
    /// Stories that differ from those of the pool in one place.
    pub(crate) variants: KnownVariants,
    /// Are texts wanted, or answers only?
    pub(crate) with_texts: bool,
}

impl<'f> Batch<'f> {
    /// The layout of a group and its first story. A layout that lies outside the split gives way to another.
    ///
    /// Splits and depths of a level share layouts; groups of one split that share a layout, whatever their depth, each go
    /// on in the sequence of its situations where the one before them ended. So many layouts are passed over as `passed`
    /// says; one of which the group has rows already is gone on with.
    pub(crate) fn open(
        context: &'f Context,
        of: Stream,
        (number, passed): (u64, u64),
        mut ended: Vec<Batch<'f>>,
        vocabulary: Option<&'f BTreeSet<String>>,
        with_texts: bool,
        clock: &'f Clock,
    ) -> Result<Batch<'f>, FactoryError> {
        let Round { layouts, turns } = context.round(of.level, clock)?;
        let (round, within) = (number / (layouts * turns), number % (layouts * turns));
        let (turn, first) = (within / layouts, context.first_layout(of));
        let share = if context.by_instance() { 1.0 } else { context.splits()[of.split].weight };
        let depths = &context.settings().depths;
        let turn =
            turn * depths.len() as u64 + depths.iter().position(|d| *d == of.depth).unwrap_or(0) as u64;
        let position = turn as f64 * 1.5 * STORIES as f64 / share;
        for attempt in passed..passed + MOST_LAYOUTS {
            let rng = context.rng(of, &["group", &number.to_string(), &attempt.to_string()]);
            let place = round * layouts + (within + first + attempt) % layouts;
            if let Some(known) = ended.iter().position(|batch| batch.place == place) {
                let batch = ended.swap_remove(known);
                return Ok(Batch { attempt, ended, ..batch });
            }
            let (mut stage, text) = context.stage((of.level, place), clock)?;
            stage.go_to(position as usize);
            let _timer = clock.start(Part::Solving);
            let worlds = stage.worlds(|key| context.by_instance() || context.belongs(of.split, key));
            let passes = attempt < POOR_LAYOUTS && number % MEETS_POOR != MEETS_POOR - 1;
            if passes && worlds.is_some_and(|worlds| worlds < FEW_WORLDS) {
                continue;
            }
            let (pool, used) = (Vec::new(), HashSet::default());
            let (legality, reduced, variants) = (None, HashMap::new(), KnownVariants::default());
            let mut group = Batch {
                context,
                of,
                number,
                stage,
                lexicon: text.lexicon.clone(),
                text,
                pool,
                ahead: VecDeque::new(),
                used,
                offered: KnownOffers::default(),
                steps: KnownSteps::default(),
                even: HashMap::new(),
                sought: HashSet::default(),
                found: 0,
                twins: Default::default(),
                seeks_ways: false,
                groups: Vec::new(),
                idle: BTreeSet::new(),
                lasting: LastingFunctors::new(),
                place,
                attempt,
                in_vain: 0,
                ended: Vec::new(),
                proofs: KnownProofs::default(),
                offers: (Offers::new(), 0),
                candidates: PairCandidates::default(),
                asked: FxHashMap::default(),
                put: Vec::new(),
                waiting: BTreeMap::new(),
                owed: BTreeMap::new(),
                without: BTreeMap::new(),
                vocabulary,
                clock,
                legality,
                reduced,
                variants,
                with_texts,
            };
            let rngs = std::iter::once(rng).chain((1..STORIES).map(|story| group.rng_of(story)));
            group.tell_ahead(DRAWS_OF_A_LAYOUT, rngs.collect())?;
            if let Some(told) = group.told() {
                group.pool.push(told);
                group.ended = ended;
                return Ok(group);
            }
        }
        Err(context.no_world(of))
    }

    /// The batches of the layouts that the group has left behind, and this one, if the group has rows of it.
    pub(crate) fn end(mut self) -> Vec<Batch<'f>> {
        let mut ended = std::mem::take(&mut self.ended);
        ended.extend((!self.used.is_empty() || !self.put.is_empty()).then_some(self));
        ended
    }

    /// Adds the rows of the group that follow on `items`, each on its own; verify questions come in pairs of one form, one for each
    /// label. `before` says how many questions of each kind the split has before those of the group's stream, so that labels
    /// are level across streams as well.
    pub(crate) fn rows(
        &mut self,
        (schedule, families): (&Schedule, &FamilySchedule),
        before: [u64; 3],
        rows: u64,
        items: &mut Vec<Item>,
    ) -> Result<(), FactoryError> {
        let turns = QuestionTurns::of(self.context.settings(), (schedule, families), (self.number, rows));
        self.groups = turns.groups();
        let mut second: Option<Selection> = None;
        for index in self.number * GROUP_SIZE + items.len() as u64..rows.min((self.number + 1) * GROUP_SIZE) {
            let (kind, n) = self.context.kind(index, schedule.lacking);
            let n = n + before[kind as usize];
            let mut rng = self.context.rng(self.of, &["row", &index.to_string()]);
            let (group, n) = turns.at(kind, n);
            if let Some(group) = group {
                items.push(self.further(families, (group, kind, n), index, &mut rng)?);
                continue;
            }
            let waiting = if kind == Kind::Verify { second.take() } else { None };
            let choice = match waiting {
                Some(choice) => choice,
                None => {
                    let (first, other) = self.question(schedule, kind, n, &mut rng)?;
                    // A pair may begin in one group and end in another; then each finds its own.
                    if kind == Kind::Verify {
                        second = other.filter(|_| n.is_multiple_of(2));
                    }
                    first.ok_or_else(|| self.no_item(index))?
                }
            };
            self.ask_once(choice.asked());
            items.push(self.item_of(index, &choice, &mut rng)?);
        }
        Ok(())
    }

    /// Notes that a question was asked, and with it those that would be asked in the same words.
    pub(crate) fn ask_once(&mut self, (told, scene, question): QuestionKey) {
        let alike = self.lexicon.view.as_ref().map_or_else(|| vec![question], |view| view.alike(question));
        self.used.extend(alike.into_iter().map(|question| (told, scene, question)));
    }

    pub(crate) fn no_item(&self, index: u64) -> FactoryError {
        FactoryError::NoItem {
            index,
            split: self.context.splits()[self.of.split].name.clone(),
            level: self.of.level,
            depth: self.of.depth,
            stories: self.pool.len(),
        }
    }

    /// Has clingo judge the first story.
    pub(crate) fn judge(&mut self) -> Result<(), FactoryError> {
        let _timer = self.clock.start(Part::Judging);
        if let Some(told) = self.pool.first() {
            self.stage.judge(&told.story)?;
        }
        Ok(())
    }
}
