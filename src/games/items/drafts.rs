//! Stories of a game to question-answer items.
//!
//! Yes/no questions come in pairs: the same question about two stories of one split and depth, true in one and false in
//! the other. In both stories the fluent, move, goal or end has the same truth before the first step, so that neither
//! the question nor the state told gives the answer away; of several stories the nearest in size is taken, and for a no
//! one in which something of the same kind holds. Numbers and lists are drawn answer by answer, so that no answer takes
//! most of a form. All answers are those of the network that clingo's rules became (see [`mod@crate::games::play::corpus`]).

use std::borrow::Cow;

use racgen_data::papers::manifest::Exception;
use racgen_data::row::Row;
use racgen_logic::seed::digest;
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::games::error::GameError;
use crate::games::items::answers::{GameAnswers, Reply};
use crate::games::items::stories::{GameStory, deal_states, stories};
use crate::games::play::corpus::Corpus;
use crate::games::play::ground_game::GroundGame;
use crate::games::words::phrase_book::GameBook;
use crate::games::words::questions::GameQuestion;
use crate::games::words::verbalizer::GameVerbalizer;
use crate::items::apportion::apportion;
use crate::items::row_builder::{Asked, Place, Telling, row};
use crate::items::source::{Item, Split};
use crate::language::tell::verbalize::Verbalize;
use crate::language::words::text::paragraph;

/// Characters of rules and state beyond which a game is not told.
const MOST_CHARACTERS: usize = 60_000;

/// Which items are made of each game.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ItemSettings {
    /// Items in all, over splits and depths.
    pub items: u64,
    /// Numbers of steps between the state told and the state asked about.
    pub depths: Vec<u32>,
    /// Weights of verify, count and other questions.
    pub mix: [u32; 3],
    /// The splits.
    pub splits: Vec<Split>,
    /// Root of all random streams.
    pub seed: u64,
}

impl Default for ItemSettings {
    fn default() -> ItemSettings {
        let split = |name: &str, weight| Split { name: name.into(), weight };
        ItemSettings {
            items: 1000,
            depths: vec![0, 1],
            mix: [4, 3, 3],
            splits: vec![split("train", 80.0), split("validation", 10.0), split("test", 10.0)],
            seed: 0,
        }
    }
}

/// The items of one game.
#[derive(Clone, Debug, Default)]
pub struct GameItems {
    /// The items.
    pub rows: Vec<Item>,
    /// What could not be asked as often as wanted, and why.
    pub exceptions: Vec<Exception>,
}

/// A question about a story, before it is told.
pub(crate) struct ItemDraft {
    pub(crate) story: usize,
    pub(crate) question: GameQuestion,
    pub(crate) phrasing: usize,
    pub(crate) reply: Reply,
    pub(crate) trivial: bool,
}

/// Makes the items of one game.
///
/// # Errors
/// A phrase book that lacks an entry; a game whose rules would take too long a text.
pub fn items(
    arena: &GroundGame,
    corpus: &Corpus,
    book: &GameBook,
    settings: &ItemSettings,
) -> Result<GameItems, GameError> {
    book.cover(corpus)?;
    let asker = GameAnswers::new(arena, corpus, book, settings.seed);
    let Ok(rules) = GameVerbalizer { book, arena }.rules(&mut asker.rng(&["length"]));
    let length = paragraph(rules).len();
    if length > MOST_CHARACTERS {
        return Err(GameError::Arguments(format!(
            "{}: told in flat terms, the rules take {length} characters, more than the {MOST_CHARACTERS} of an item; \
             write a phrase book",
            arena.game.file
        )));
    }
    let weights: Vec<f64> = settings.splits.iter().map(|s| s.weight).collect();
    let split_of = deal_states(corpus, &arena.game.name, &settings.splits, settings.seed);
    let mut made = GameItems::default();
    for (split, items) in apportion(settings.items, &weights).into_iter().enumerate() {
        let shares = apportion(items, &vec![1.0; settings.depths.len().max(1)]);
        for (depth, wanted) in settings.depths.iter().zip(shares) {
            let stories = stories(corpus, &arena.game.name, &split_of, split, *depth, settings.seed);
            let name = &settings.splits[split].name;
            let mut desk = Drafter::new(&asker, stories, name, *depth);
            let drafts = desk.drafts(wanted, &settings.mix);
            made.exceptions.append(&mut desk.exceptions);
            made.rows.extend(desk.rows(drafts));
        }
    }
    Ok(made)
}

/// Drafts the items of one split and depth.
pub(crate) struct Drafter<'a> {
    pub(crate) asker: &'a GameAnswers<'a>,
    pub(crate) stories: Vec<GameStory>,
    split: &'a str,
    pub(crate) depth: u32,
    pub(crate) used: HashSet<(usize, GameQuestion)>,
    exceptions: Vec<Exception>,
    pub(crate) rng: ChaCha8Rng,
}

impl<'a> Drafter<'a> {
    fn new(asker: &'a GameAnswers<'a>, stories: Vec<GameStory>, split: &'a str, depth: u32) -> Drafter<'a> {
        let rng = asker.rng(&["desk", split, &depth.to_string()]);
        Drafter { asker, stories, split, depth, used: HashSet::default(), exceptions: Vec::new(), rng }
    }

    pub(crate) fn except(&mut self, kind: &str, family: &str, reason: impl Into<String>) {
        self.exceptions.push(Exception {
            domain: self.asker.arena.game.name.clone(),
            level: 1,
            depth: self.depth as i32,
            question_type: kind.into(),
            family: family.into(),
            reason: format!("{}: {}", self.split, reason.into()),
        });
    }

    fn drafts(&mut self, wanted: u64, mix: &[u32; 3]) -> Vec<ItemDraft> {
        let mut parts = apportion(wanted, &mix.map(f64::from));
        // Yes/no questions come in pairs.
        if parts[0] % 2 == 1
            && let Some(other) = [1, 2].into_iter().find(|kind| mix[*kind] > 0)
        {
            parts[0] -= 1;
            parts[other] += 1;
        }
        let mut drafts = self.pairs(parts[0] as usize / 2);
        drafts.extend(self.open("count", parts[1] as usize));
        drafts.extend(self.open("other", parts[2] as usize));
        drafts.shuffle(&mut self.rng);
        drafts
    }

    /// Tells the drafts.
    fn rows(&self, drafts: Vec<ItemDraft>) -> Vec<Item> {
        let mut told: HashMap<usize, Telling> = HashMap::default();
        let rows = drafts.into_iter().enumerate().map(|(index, draft)| {
            let telling = told.entry(draft.story).or_insert_with(|| self.telling(draft.story));
            let (question, template) = self.asker.book.question(&draft.question, draft.phrasing);
            let query = self.asker.query(&draft.question);
            let name = &self.asker.arena.game.name;
            let place = Place {
                domain: name,
                split: self.split,
                level: 1,
                depth: self.depth as i32,
                seed: self.asker.seed,
                index: index as u64,
            };
            let asked = Asked {
                question_type: Cow::Borrowed(draft.question.kind()),
                family: draft.question.family().into(),
                template,
                question,
                answer: draft.reply.text,
                answer_type: Cow::Borrowed(draft.reply.kind),
                query,
                gold: draft.reply.gold,
            };
            let mut row = row(&place, telling, asked);
            row.id = identity(&row);
            Item { row, trivial: draft.trivial }
        });
        rows.collect()
    }

    fn telling(&self, index: usize) -> Telling {
        let asker = self.asker;
        let story = &self.stories[index];
        let mut rng = asker.rng(&["telling", self.split, &self.depth.to_string(), &index.to_string()]);
        let start = story.start(asker.corpus);
        let fluents: Vec<&Term> = start.fluents.iter().map(|f| &asker.corpus.fluents[*f as usize]).collect();
        let moves = |step: &[u32]| step.iter().map(|m| &asker.corpus.moves[*m as usize]).collect();
        let steps: Vec<Vec<&(Term, Term)>> = story.steps.iter().map(|step| moves(step)).collect();
        let Ok(told) =
            GameVerbalizer { book: asker.book, arena: asker.arena }.tell(&fluents, &steps, &mut rng);
        let facts = start.fluents.iter().map(|f| asker.flat[0][*f as usize].clone());
        let facts: Vec<String> = asker.statics.iter().cloned().chain(facts).collect();
        let plan: Vec<String> =
            story.steps.iter().flatten().map(|m| asker.flat[1][*m as usize].clone()).collect();
        let state: Vec<&str> = start.fluents.iter().map(|f| asker.flat[0][*f as usize].as_str()).collect();
        Telling {
            world: digest(std::iter::once(asker.rules_key.as_str()).chain(state)).into(),
            objects: asker.objects.clone(),
            facts: facts.into(),
            plan: plan.into(),
            ..told.telling()
        }
    }
}

/// The id of an item: a hash of what it says and of its place.
pub(crate) fn identity(row: &Row) -> String {
    let parts = [row.depth.to_string(), row.index.to_string(), (row.seed as u64).to_string()];
    let texts = [&*row.domain, &row.split, &row.world, &row.context, &row.question, &row.query];
    digest(texts.into_iter().chain(parts.iter().map(String::as_str)))
}
