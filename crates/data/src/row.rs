//! One item of a data set, as it is written out.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// An object of the world and what the text calls it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectName {
    /// Its constant in the logic program.
    pub id: Arc<str>,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Arc<str>,
    /// Its name in the text.
    pub name: Arc<str>,
}

/// A question-answer item with its provenance. Texts that the questions of one story share are shared here, too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Content hash, unique in the data set: 32 hexadecimal digits.
    pub id: String,
    /// Name of the domain.
    pub domain: Arc<str>,
    /// Name of the split.
    pub split: Arc<str>,
    /// Key of layout and initial state, equal exactly for worlds that differ in object names only.
    pub world: Arc<str>,
    /// World complexity N1..N5 as 1..5.
    pub level: i32,
    /// Number of actions in the sequence.
    pub depth: i32,
    /// `verify`, `count` or `other`.
    pub question_type: Cow<'static, str>,
    /// The question's functor.
    pub family: Arc<str>,
    /// Which phrasing was drawn.
    pub template: String,
    /// What the model sees before the question: initial state, rules (unless left out) and actions.
    pub context: Arc<str>,
    /// The initial state as a paragraph.
    pub initial_state: Arc<str>,
    /// The rules of the domain as a paragraph.
    pub rules: Arc<str>,
    /// The action sequence as a paragraph.
    pub actions: Arc<str>,
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// `bool`, `number`, `name`, `names` or `none`.
    pub answer_type: Cow<'static, str>,
    /// The objects in the order of the text. A text in the vocabulary of the generic domain names none of them, but
    /// ground fluents and actions, which follow here with the types `fluent` and `action`.
    pub objects: Arc<[ObjectName]>,
    /// Static facts and the fluents true initially, as ground atoms.
    pub facts: Arc<[String]>,
    /// The action sequence, as ground terms.
    pub plan: Arc<[String]>,
    /// The question, as a ground term.
    pub query: String,
    /// The answer, as ground terms. In the vocabulary of the generic domain, a which-question is answered by fluents
    /// or actions, not by the objects that the domain's own rules for `query` derive.
    pub gold: Vec<String>,
    /// How the answer follows, step by step; empty unless it was asked for.
    pub rationale: String,
    /// What an item and the one made from it by a change share; empty for items on their own.
    pub pair: String,
    /// Of an item that was made from another, what was changed.
    pub change: Cow<'static, str>,
    /// Of such an item, the id of the one it was made from.
    pub source: String,
    /// The root seed of the run.
    pub seed: i64,
    /// Position within split, level and depth.
    pub index: i64,
    /// Cells of columns that only some sources have, by the names of the columns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<Arc<str>, ExtraValue>,
}

/// A cell of a column that only some sources have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExtraValue {
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// A list of texts.
    Texts(Vec<String>),
    /// Bytes, such as an image's.
    Bytes(Vec<u8>),
}
