//! One group of rows: its layout, its stories, and a row for each question that is chosen.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use racgen_data::row::{ObjectName, Row};
use racgen_logic::seed::digest;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashSet as HashSet;

use crate::factory::context::{
    Context, DRAWS_OF_A_LAYOUT, LAYOUTS, LayoutText, MOST_DRAWS, MOST_LAYOUTS, POOR_LAYOUTS, TURNS,
};
use crate::factory::contrast::change::{Edit, Reduced};
use crate::factory::error::FactoryError;
use crate::factory::extra::effective_depth;
use crate::factory::schedule::{FormCell, Matching, Schedule, Wanted};
use crate::factory::selection::{Candidates, QuestionKey, Selection};
use crate::factory::settings::NAMES_SPLIT;
use crate::items::clock::{Clock, Stage as Part};
use crate::items::row_builder::{Asked, Place, Telling, row};
use crate::items::source::{GROUP_SIZE, Item, Stream};
use crate::language::tell::generic::GenericVerbalizer;
use crate::language::tell::narrator::Narrator;
use crate::language::tell::paragraphs::Paragraphs;
use crate::language::tell::rationale::rationale;
use crate::language::tell::verbalizer::Verbalizer;
use crate::language::words::holdout::Holdout;
use crate::language::words::lexicon::Lexicon;
use crate::language::words::naming::Naming;
use crate::language::words::numbering::Numbers;
use crate::simulate::initial::legality::Legality;
use crate::simulate::story::{Simulator, Story, Timepoint};
use crate::simulate::transition_system::Kind;

/// Stories that a group begins with. Their steps are evaluated together, and among so many nearly every question has
/// another that can be its pair.
const STORIES: usize = 20;
/// How many stories a group may come to before a row takes what there is.
const PATIENCE: usize = 2 * STORIES;
/// How often a count or other form is asked though some of its answers are not to be had.
const ALL_THE_SAME: f64 = 0.2;
/// A layout with fewer worlds of the split than this is poor.
const FEW_WORLDS: usize = 5;

/// A story of a group with what is said of it.
#[derive(Clone)]
pub(crate) struct ToldStory {
    pub(crate) story: Story,
    pub(crate) naming: Naming,
    /// Numbers of fluents and actions, where they take the place of names.
    pub(crate) numbers: Option<Arc<Numbers>>,
    /// Its number in the group; stories told with the same random numbers share it.
    pub(crate) number: usize,
    texts: Option<Telling>,
}

impl ToldStory {
    /// Another story, told with the same names and random numbers.
    pub(crate) fn like(&self, story: Story, naming: Naming) -> ToldStory {
        ToldStory { story, naming, numbers: self.numbers.clone(), number: self.number, texts: None }
    }
}

/// A group being made.
pub(crate) struct Batch<'f> {
    pub(crate) context: &'f Context,
    pub(crate) of: Stream,
    pub(crate) number: u64,
    pub(crate) stage: Simulator<'f>,
    pub(crate) lexicon: Arc<Lexicon>,
    text: Arc<LayoutText>,
    pub(crate) pool: Vec<ToldStory>,
    /// The stories that come next, with their random numbers; none where no world turned up.
    ahead: VecDeque<(Option<Story>, ChaCha8Rng)>,
    pub(crate) used: HashSet<QuestionKey>,
    /// By form, whether the stories offer all answers that it is spread over.
    even: HashMap<(Kind, FormCell), bool>,
    pub(crate) vocabulary: Option<&'f BTreeSet<String>>,
    pub(crate) clock: &'f Clock,
    /// Tells initial situations, once it is needed.
    pub(crate) legality: Option<Legality>,
    /// By object, the layout without it, once it was needed.
    pub(crate) reduced: HashMap<usize, Reduced>,
    /// By story, the edits of its initial situation, once they are known.
    pub(crate) edits: HashMap<usize, Vec<Edit>>,
    /// Are texts wanted, or answers only?
    pub(crate) with_texts: bool,
}

impl<'f> Batch<'f> {
    /// The layout of a group and its first story. A layout that lies outside the split gives way to another.
    ///
    /// Splits and depths of a level share layouts; groups of one split that share a layout, whatever their depth, each go
    /// on in the sequence of its situations where the one before them ended.
    pub(crate) fn open(
        context: &'f Context,
        of: Stream,
        number: u64,
        vocabulary: Option<&'f BTreeSet<String>>,
        with_texts: bool,
        clock: &'f Clock,
    ) -> Result<Batch<'f>, FactoryError> {
        let (round, within) = (number / (LAYOUTS * TURNS), number % (LAYOUTS * TURNS));
        let (turn, first) = (within / LAYOUTS, context.rng(of, &["first layout"]).random_range(0..LAYOUTS));
        let share = if context.by_instance() { 1.0 } else { context.splits()[of.split].weight };
        let depths = &context.settings().depths;
        let turn =
            turn * depths.len() as u64 + depths.iter().position(|d| *d == of.depth).unwrap_or(0) as u64;
        let position = turn as f64 * 1.5 * STORIES as f64 / share;
        for attempt in 0..MOST_LAYOUTS {
            let rng = context.rng(of, &["group", &number.to_string(), &attempt.to_string()]);
            let place = round * LAYOUTS + (within + first + attempt) % LAYOUTS;
            let (mut stage, text) = context.stage((of.level, place), clock)?;
            stage.go_to(position as usize);
            let _timer = clock.start(Part::Solving);
            let worlds = stage.worlds(|key| context.by_instance() || context.belongs(of.split, key));
            if attempt < POOR_LAYOUTS && worlds.is_some_and(|worlds| worlds < FEW_WORLDS) {
                continue;
            }
            let (pool, used) = (Vec::new(), HashSet::default());
            let (legality, reduced, edits) = (None, HashMap::new(), HashMap::new());
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
                even: HashMap::new(),
                vocabulary,
                clock,
                legality,
                reduced,
                edits,
                with_texts,
            };
            let rngs = std::iter::once(rng).chain((1..STORIES).map(|story| group.rng_of(story)));
            group.tell_ahead(DRAWS_OF_A_LAYOUT, rngs.collect())?;
            if let Some(told) = group.told() {
                group.pool.push(told);
                return Ok(group);
            }
        }
        Err(context.no_world(of))
    }

    fn rng_of(&self, story: usize) -> ChaCha8Rng {
        self.context.rng(self.of, &["story", &self.number.to_string(), &story.to_string()])
    }

    /// Has stories of the split ready, one for each source of random numbers.
    fn tell_ahead(&mut self, draws: usize, mut rngs: Vec<ChaCha8Rng>) -> Result<(), FactoryError> {
        let Batch { context, of, .. } = *self;
        let keep = |key: &str| context.belongs(of.split, key);
        let (depth, by_instance) = (of.depth as usize, context.by_instance());
        let stories = self.stage.tell_all(depth, by_instance, keep, draws, &mut rngs)?;
        self.ahead.extend(stories.into_iter().zip(rngs));
        Ok(())
    }

    /// The next story that is ready, with its names; none if no world of the split turned up.
    fn told(&mut self) -> Option<ToldStory> {
        let Batch { context, of, vocabulary, .. } = *self;
        let (story, mut rng) = self.ahead.pop_front()?;
        let story = story?;
        let (package, layout) = (context.package(), self.stage.layout());
        let known = |name: &str| vocabulary.is_none_or(|words| words.contains(name));
        let naming = if context.splits()[of.split].name == NAMES_SPLIT {
            Naming::obfuscated(package, layout, &mut rng)
        } else {
            Naming::draw(package, layout, context.holdout(of.split), known, &mut rng)
        };
        let number = self.pool.len();
        let mut rng = context.rng(of, &["numbers", &self.number.to_string(), &number.to_string()]);
        let view = self.lexicon.view.as_ref();
        let numbers = view.map(|v| v.number(package, context.holdout(of.split), known, &mut rng));
        Some(ToldStory { story, naming, numbers: numbers.map(Arc::new), number, texts: None })
    }

    /// Adds stories until there are so many.
    pub(crate) fn grow(&mut self, wanted: usize) -> Result<(), FactoryError> {
        let _timer = self.clock.start(Part::Solving);
        while self.pool.len() < wanted {
            self.even.clear();
            let told = match self.told() {
                Some(told) => told,
                None => {
                    let next = self.pool.len()..wanted;
                    self.ahead.clear();
                    self.tell_ahead(MOST_DRAWS, next.map(|story| self.rng_of(story)).collect())?;
                    self.told().ok_or_else(|| self.context.no_world(self.of))?
                }
            };
            self.pool.push(told);
        }
        Ok(())
    }

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
    fn choose_two(&self, card: Wanted, rng: &mut ChaCha8Rng) -> Option<(Selection, Selection)> {
        let (yes, no) = self.from(|candidates| candidates.choose_two(card, rng))?;
        Some(if card.yes { (yes, no) } else { (no, yes) })
    }

    /// Chooses from all stories of the group.
    fn from<T>(&self, choose: impl FnOnce(&Candidates) -> T) -> T {
        let sayable = |told: usize, question: usize, answers: &[&Term]| {
            self.sayable(&self.pool[told], question, answers)
        };
        choose(&Candidates {
            engine: &self.stage.engine,
            lexicon: &self.lexicon,
            stories: self.pool.iter().map(|told| &told.story).collect(),
            shapes: &self.text.shapes,
            used: &self.used,
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

    /// The rows of the group, each on its own; verify questions come in pairs of one form, one for each label.
    /// `before` says how many questions of each kind the split has before those of the group's stream, so that labels
    /// are level across streams as well.
    pub(crate) fn rows(
        &mut self,
        schedule: &Schedule,
        before: [u64; 3],
        rows: u64,
    ) -> Result<Vec<Item>, FactoryError> {
        let mut items = Vec::new();
        let mut second: Option<Selection> = None;
        for index in self.number * GROUP_SIZE..rows.min((self.number + 1) * GROUP_SIZE) {
            let (kind, n) = self.context.kind(index);
            let n = n + before[kind as usize];
            let mut rng = self.context.rng(self.of, &["row", &index.to_string()]);
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
        Ok(items)
    }

    /// Notes that a question was asked, and with it those that would be asked in the same words.
    pub(crate) fn ask_once(&mut self, (told, scene, question): QuestionKey) {
        let alike = self.lexicon.view.as_ref().map_or_else(|| vec![question], |view| view.alike(question));
        self.used.extend(alike.into_iter().map(|question| (told, scene, question)));
    }

    /// Do the stories offer all answers that a form is spread over, with and without help of the actions as they are due?
    fn is_even(&mut self, schedule: &Schedule, kind: Kind, cell: FormCell) -> bool {
        if let Some(even) = self.even.get(&(kind, cell)) {
            return *even;
        }
        let offered = self.from(|candidates| candidates.classes(kind, cell));
        let even = schedule.answers(kind, cell).is_some_and(|all| all.are_even_among(&offered));
        self.even.insert((kind, cell), even);
        even
    }

    /// The question for the `n`-th place of a kind, of verify questions with one of the other label.
    fn question(
        &mut self,
        schedule: &Schedule,
        kind: Kind,
        n: u64,
        rng: &mut ChaCha8Rng,
    ) -> Result<(Option<Selection>, Option<Selection>), FactoryError> {
        let mut wanted = STORIES.max(self.pool.len());
        while wanted <= PATIENCE {
            self.grow(wanted)?;
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
                        let takes = first(place) || self.is_even(schedule, kind, card.cell) == even;
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

    fn narrator<'t>(
        &'t self,
        stage: &'t Simulator,
        lexicon: &'t Lexicon,
        told: &'t ToldStory,
        holdout: Holdout,
    ) -> Box<dyn Narrator + 't> {
        let (package, engine) = (self.context.package(), &stage.engine);
        if let (Some(view), Some(numbers)) = (&lexicon.view, &told.numbers) {
            return Box::new(GenericVerbalizer { package, engine, view, numbers, holdout });
        }
        let (layout, naming) = (stage.layout(), &told.naming);
        Box::new(Verbalizer { package, layout, engine, lexicon, naming, holdout })
    }

    /// The row of a question of one of the group's stories.
    pub(crate) fn item_of(
        &mut self,
        index: u64,
        choice: &Selection,
        rng: &mut ChaCha8Rng,
    ) -> Result<Item, FactoryError> {
        let (item, texts) =
            self.item(index, &self.stage, &self.lexicon, &self.pool[choice.told], choice, rng)?;
        self.pool[choice.told].texts = texts;
        Ok(item)
    }

    /// The row of a question of any story, and what it shares with other rows of the story.
    pub(crate) fn item(
        &self,
        index: u64,
        stage: &Simulator,
        lexicon: &Lexicon,
        told: &ToldStory,
        choice: &Selection,
        rng: &mut ChaCha8Rng,
    ) -> Result<(Item, Option<Telling>), FactoryError> {
        let _timer = self.clock.start(Part::Rendering);
        let (context, of, engine) = (self.context, self.of, &stage.engine);
        let texts = match (&told.texts, self.with_texts) {
            (Some(telling), _) => telling.clone(),
            (None, false) => Telling::default(),
            (None, true) => {
                let words = [self.number.to_string(), told.number.to_string()];
                let mut rng = context.rng(of, &["text", &words[0], &words[1]]);
                let teller = self.narrator(stage, lexicon, told, context.holdout(of.split));
                let texts = teller.paragraphs(&told.story, context.settings().disorder, &mut rng)?;
                self.telling(stage, told, texts)?
            }
        };
        let teller = self.narrator(stage, lexicon, told, context.holdout(of.split));
        let story = &told.story;
        let question = &engine.questions[choice.question];
        let mut gold: Vec<&Term> = choice.answers.iter().map(|a| &engine.answers[*a].answer).collect();
        let (answer, answer_type) = teller.answer(choice.question, &mut gold);
        let (text, template) = teller
            .question(story, choice.scene, choice.question, rng)
            .unwrap_or_else(|| (question.term.to_string(), "term".into()));
        let query = query(engine, story, choice.scene, &question.term);
        let place = Place {
            domain: &context.package().name,
            split: &context.splits()[of.split].name,
            level: of.level,
            depth: of.depth,
            seed: context.settings().seed,
            index,
        };
        let asked = Asked {
            question_type: question.kind.name().into(),
            family: query.functor().into(),
            template,
            question: text,
            answer,
            answer_type: answer_type.into(),
            query: query.to_string(),
            gold: gold.iter().map(|t| t.to_string()).collect(),
        };
        let mut row = row(&place, &texts, asked);
        row.world.clone_from(&story.world);
        if self.with_texts {
            if context.settings().rationale {
                let phrases = &context.package().common.rationale;
                let asked = (choice.scene, choice.question);
                row.rationale = rationale(&*teller, phrases, story, asked, &row.answer, rng);
            }
            row.id = identity(&row);
        }
        Ok((Item { row, trivial: choice.trivial }, self.with_texts.then_some(texts)))
    }

    fn telling(
        &self,
        stage: &Simulator,
        told: &ToldStory,
        texts: Paragraphs,
    ) -> Result<Telling, FactoryError> {
        let ToldStory { story, naming, numbers, .. } = told;
        let (engine, layout, types) = (&stage.engine, stage.layout(), &self.context.package().types);
        let objects = naming.order.iter().map(|o| ObjectName {
            id: layout.objects[*o].id.clone(),
            kind: types[layout.objects[*o].kind].name.as_str().into(),
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
        let kinds = layout.objects.iter().map(|o| format!("{}({})", types[o.kind].name, o.id));
        let statics = layout.statics.iter().map(Term::to_string);
        let fluents = story.initial.iter().map(|f| engine.fluents[f].to_string());
        let mut context = vec![texts.initial_state.as_str()];
        if self.context.settings().rules {
            context.push(&texts.rules);
        }
        context.push(&texts.actions);
        let extra = effective_depth(stage.effective_depth(story)?);
        Ok(Telling {
            world: story.world.clone(),
            context: context.join("\n\n").into(),
            objects: objects.chain(numbered).collect(),
            facts: kinds.chain(statics).chain(fluents).collect(),
            plan: story.plan.iter().map(|a| engine.actions[*a].to_string()).collect(),
            initial_state: texts.initial_state.into(),
            rules: texts.rules.into(),
            actions: texts.actions.into(),
            extra,
        })
    }
}

/// The question as a term that says its scene: `after(A,Q)`, `changes(A,F)`, `initially(Q)`.
fn query(
    engine: &crate::simulate::transition_system::TransitionSystem,
    story: &Story,
    scene: Timepoint,
    question: &Term,
) -> Term {
    let action = |n: usize| {
        story.further.get(n).map_or_else(|| Term::constant("none"), |a| engine.actions[*a].clone())
    };
    let after = |n: usize, q: Term| Term::function("after", vec![action(n), q]);
    match scene {
        Timepoint::Now => question.clone(),
        Timepoint::Supposing if question.is("changes", 1) => {
            Term::function("changes", vec![action(0), question.args()[0].clone()])
        }
        Timepoint::Supposing => question.clone(),
        Timepoint::AfterOne => after(0, question.clone()),
        Timepoint::AfterTwo => after(0, after(1, question.clone())),
        Timepoint::Initially => Term::function("initially", vec![question.clone()]),
    }
}

/// The id of an item: a hash of what it says and of its place.
pub(crate) fn identity(row: &Row) -> String {
    let place = format!("{} {} {} {} {}", row.seed, row.split, row.level, row.depth, row.index);
    digest([&row.domain, &*row.context, &row.rules, &row.question, &row.answer, &row.query, &place])
}
