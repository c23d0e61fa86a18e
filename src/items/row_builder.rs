//! What is told, asked and answered to a row: the one place where rows are put together.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use racgen_data::row::{ExtraValue, ObjectName, Row};

/// Where an item belongs.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// Name of the domain.
    pub domain: &'a str,
    /// Name of the split.
    pub split: &'a str,
    /// World complexity.
    pub level: i32,
    /// Number of actions.
    pub depth: i32,
    /// The root seed of the run.
    pub seed: u64,
    /// Position within the stream.
    pub index: u64,
}

/// What all questions about one story share: texts, and the terms behind them.
#[derive(Clone, Debug)]
pub struct Telling {
    /// Key of layout and initial situation.
    pub world: Arc<str>,
    /// What a model sees before the question.
    pub context: Arc<str>,
    /// The initial state as a paragraph.
    pub initial_state: Arc<str>,
    /// The rules as a paragraph.
    pub rules: Arc<str>,
    /// The actions as a paragraph.
    pub actions: Arc<str>,
    /// What the text names.
    pub objects: Arc<[ObjectName]>,
    /// What holds initially.
    pub facts: Arc<[String]>,
    /// What happens.
    pub plan: Arc<[String]>,
    /// A digest of context and rules, for sources whose ids rest on one: many rows share it.
    pub seal: Arc<str>,
    /// Cells of columns that only some sources have.
    pub extra: BTreeMap<Arc<str>, ExtraValue>,
}

/// A question with its answer.
#[derive(Clone, Debug)]
pub struct Asked {
    /// `verify`, `count` or `other`.
    pub question_type: Cow<'static, str>,
    /// What is asked about.
    pub family: Arc<str>,
    /// Which phrasing was drawn.
    pub template: String,
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// The type of the answer.
    pub answer_type: Cow<'static, str>,
    /// The question as a ground term.
    pub query: String,
    /// The answer as ground terms.
    pub gold: Vec<String>,
}

impl Default for Telling {
    fn default() -> Telling {
        let text: Arc<str> = "".into();
        Telling {
            world: text.clone(),
            context: text.clone(),
            initial_state: text.clone(),
            rules: text.clone(),
            actions: text.clone(),
            seal: text,
            objects: Arc::new([]),
            facts: Arc::new([]),
            plan: Arc::new([]),
            extra: BTreeMap::new(),
        }
    }
}

impl Telling {
    /// The context of these paragraphs, in the order in which they are told; empty ones do not count.
    pub fn context<'p>(paragraphs: impl IntoIterator<Item = &'p str>) -> Arc<str> {
        let told: Vec<&str> = paragraphs.into_iter().filter(|paragraph| !paragraph.is_empty()).collect();
        told.join("\n\n").into()
    }
}

/// The row of a question about what was told. It has no id and no rationale yet, and stands in no pair.
pub fn row(place: &Place, told: &Telling, asked: Asked) -> Row {
    Row {
        domain: place.domain.into(),
        split: place.split.into(),
        world: told.world.clone(),
        level: place.level,
        depth: place.depth,
        question_type: asked.question_type,
        family: asked.family,
        template: asked.template,
        context: told.context.clone(),
        initial_state: told.initial_state.clone(),
        rules: told.rules.clone(),
        actions: told.actions.clone(),
        question: asked.question,
        answer: asked.answer,
        answer_type: asked.answer_type,
        objects: told.objects.clone(),
        facts: told.facts.clone(),
        plan: told.plan.clone(),
        query: asked.query,
        gold: asked.gold,
        seed: place.seed as i64,
        index: place.index as i64,
        extra: told.extra.clone(),
        ..Row::default()
    }
}
