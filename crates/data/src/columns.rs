//! The columns of a data set: the one table from which every format and the data card take their schema.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::row::{ExtraValue, ObjectName, Row};

/// One column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type, and its value in a row.
    pub value: Value,
    /// Its content in a few words.
    pub about: &'static str,
}

/// The type of a column together with the ways to a row's value, to read it and to set it. Nothing of it is ever null.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// A string.
    Text(fn(&Row) -> &str, fn(&mut Row, String)),
    /// A 32-bit integer.
    Int32(fn(&Row) -> i32, fn(&mut Row, i32)),
    /// A 64-bit integer.
    Int64(fn(&Row) -> i64, fn(&mut Row, i64)),
    /// A list of strings.
    Texts(fn(&Row) -> &[String], fn(&mut Row, Vec<String>)),
    /// A list of `{id, type, name}`.
    Objects(fn(&Row) -> &[ObjectName], fn(&mut Row, Vec<ObjectName>)),
}

/// A column that only some sources have. Its cells stand in [`Row::extra`]; where a row has none, the cell is empty,
/// 0 or null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtraColumn {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub kind: ExtraKind,
    /// Its content in a few words.
    pub about: String,
}

/// The type of such a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExtraKind {
    /// A string.
    Text,
    /// A 64-bit integer.
    Number,
    /// A 64-bit integer, or null; in CSV an empty cell.
    #[serde(rename = "number or null")]
    NumberOrNull,
    /// A list of strings.
    Texts,
    /// Bytes; in JSONL and CSV as base64.
    Bytes,
    /// A PNG, or null. In Parquet `{bytes, path}`, as the feature `Image` of Hugging Face `datasets` has it, where the
    /// path is the item's id with `.png`; in JSONL and CSV as base64, empty where there is none.
    Image,
}

impl ExtraColumn {
    /// The text in a row, where the column is of texts.
    pub fn text<'r>(&self, row: &'r Row) -> &'r str {
        if let Some(ExtraValue::Text(text)) = row.extra.get(&self.name) { text } else { "" }
    }

    /// The number in a row, where the column is of numbers.
    pub fn number(&self, row: &Row) -> i64 {
        self.number_or_null(row).unwrap_or(0)
    }

    /// The number in a row, where the column is of numbers and the row has one.
    pub fn number_or_null(&self, row: &Row) -> Option<i64> {
        if let Some(ExtraValue::Number(number)) = row.extra.get(&self.name) { Some(*number) } else { None }
    }

    /// The list in a row, where the column is of lists.
    pub fn texts<'r>(&self, row: &'r Row) -> &'r [String] {
        if let Some(ExtraValue::Texts(texts)) = row.extra.get(&self.name) { texts } else { &[] }
    }

    /// The bytes in a row, where the column is of bytes.
    pub fn bytes<'r>(&self, row: &'r Row) -> &'r [u8] {
        if let Some(ExtraValue::Bytes(bytes)) = row.extra.get(&self.name) { bytes } else { &[] }
    }

    /// The cell of a row as JSON.
    pub fn json(&self, row: &Row) -> Json {
        match self.kind {
            ExtraKind::Text => self.text(row).into(),
            ExtraKind::Number => self.number(row).into(),
            ExtraKind::NumberOrNull => self.number_or_null(row).into(),
            ExtraKind::Texts => self.texts(row).into(),
            ExtraKind::Bytes | ExtraKind::Image => base64(self.bytes(row)).into(),
        }
    }
}

/// The column of a row's picture.
pub const IMAGE: &str = "image";

/// The picture of a row; no bytes where it has none. JSONL and CSV have it as base64.
pub fn image_of(row: &Row) -> Cow<'_, [u8]> {
    match row.extra.get(IMAGE) {
        Some(ExtraValue::Bytes(bytes)) => Cow::Borrowed(bytes),
        Some(ExtraValue::Text(text)) => Cow::Owned(from_base64(text)),
        _ => Cow::Borrowed(&[]),
    }
}

/// What a row's picture is called.
pub(crate) fn image_path(row: &Row) -> String {
    format!("{}.png", row.id)
}

/// Bytes that stand as a text; none where it is no base64.
pub(crate) fn from_base64(text: &str) -> Vec<u8> {
    BASE64_STANDARD.decode(text).unwrap_or_default()
}

/// Bytes as a text, where a format has none.
pub fn base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

impl Value {
    /// The cell of a row as JSON.
    pub fn json(self, row: &Row) -> Json {
        match self {
            Value::Text(get, _) => get(row).into(),
            Value::Int32(get, _) => get(row).into(),
            Value::Int64(get, _) => get(row).into(),
            Value::Texts(get, _) => get(row).into(),
            Value::Objects(get, _) => get(row).iter().map(ObjectName::json).collect(),
        }
    }

    /// Puts a JSON value into a row. If it is of another type, that of the column is told in words.
    ///
    /// # Errors
    /// The type wanted.
    pub fn set(self, row: &mut Row, value: Json) -> Result<(), &'static str> {
        match self {
            Value::Text(_, set) => set(row, text(value).ok_or("a text")?),
            Value::Int32(_, set) => {
                let number = value.as_i64().and_then(|number| i32::try_from(number).ok());
                set(row, number.ok_or("a whole number")?);
            }
            Value::Int64(_, set) => set(row, value.as_i64().ok_or("a whole number")?),
            Value::Texts(_, set) => set(row, list(value, text).ok_or("a list of texts")?),
            Value::Objects(_, set) => {
                set(row, list(value, ObjectName::of).ok_or("a list of objects with id, type and name")?);
            }
        }
        Ok(())
    }
}

fn text(value: Json) -> Option<String> {
    if let Json::String(text) = value { Some(text) } else { None }
}

fn list<T>(value: Json, of: impl Fn(Json) -> Option<T>) -> Option<Vec<T>> {
    if let Json::Array(list) = value { list.into_iter().map(of).collect() } else { None }
}

impl ObjectName {
    fn json(&self) -> Json {
        json!({"id": *self.id, "type": *self.kind, "name": *self.name})
    }

    fn of(value: Json) -> Option<ObjectName> {
        let part = |key: &str| value.get(key)?.as_str().map(Into::into);
        Some(ObjectName { id: part("id")?, kind: part("type")?, name: part("name")? })
    }
}

const fn column(name: &'static str, value: Value, about: &'static str) -> Column {
    Column { name, value, about }
}

/// All columns, in the order of [`Row`]'s fields.
pub const COLUMNS: [Column; 27] = [
    column("id", Value::Text(|r| &r.id, |r, value| r.id = value), "content hash, unique in the data set"),
    column("domain", Value::Text(|r| &r.domain, |r, value| r.domain = value.into()), "name of the domain"),
    column("split", Value::Text(|r| &r.split, |r, value| r.split = value.into()), "name of the split"),
    column(
        "world",
        Value::Text(|r| &r.world, |r, value| r.world = value.into()),
        "key of layout and initial state; equal exactly for worlds that differ in object names only",
    ),
    column(
        "level",
        Value::Int32(|r| r.level, |r, value| r.level = value),
        "world complexity, N1 to N5 as 1 to 5",
    ),
    column(
        "depth",
        Value::Int32(|r| r.depth, |r, value| r.depth = value),
        "number of actions in the sequence",
    ),
    column(
        "question_type",
        Value::Text(|r| &r.question_type, |r, value| r.question_type = value.into()),
        "`verify`, `count` or `other`",
    ),
    column(
        "family",
        Value::Text(|r| &r.family, |r, value| r.family = value.into()),
        "functor of the question: what it asks about",
    ),
    column(
        "template",
        Value::Text(|r| &r.template, |r, value| r.template = value),
        "which phrasing was drawn",
    ),
    column(
        "context",
        Value::Text(|r| &r.context, |r, value| r.context = value.into()),
        "what a model sees before the question: initial state, rules (unless left out) and actions",
    ),
    column(
        "initial_state",
        Value::Text(|r| &r.initial_state, |r, value| r.initial_state = value.into()),
        "the initial state as a paragraph",
    ),
    column(
        "rules",
        Value::Text(|r| &r.rules, |r, value| r.rules = value.into()),
        "the rules of the domain as a paragraph",
    ),
    column(
        "actions",
        Value::Text(|r| &r.actions, |r, value| r.actions = value.into()),
        "the action sequence as a paragraph",
    ),
    column("question", Value::Text(|r| &r.question, |r, value| r.question = value), "the question"),
    column("answer", Value::Text(|r| &r.answer, |r, value| r.answer = value), "the answer in words"),
    column(
        "answer_type",
        Value::Text(|r| &r.answer_type, |r, value| r.answer_type = value.into()),
        "`bool`, `number`, `name`, `names` or `none`",
    ),
    column(
        "objects",
        Value::Objects(|r| &r.objects, |r, value| r.objects = value.into()),
        "the objects in the order of the text: constant in the logic program, type, name in the text",
    ),
    column(
        "facts",
        Value::Texts(|r| &r.facts, |r, value| r.facts = value.into()),
        "static facts and the fluents true in the initial situation, as ground atoms",
    ),
    column(
        "plan",
        Value::Texts(|r| &r.plan, |r, value| r.plan = value.into()),
        "the action sequence as ground terms",
    ),
    column("query", Value::Text(|r| &r.query, |r, value| r.query = value), "the question as a ground term"),
    column(
        "gold",
        Value::Texts(|r| &r.gold, |r, value| r.gold = value),
        "the answer as ground terms: `yes` or `no`, a number, or objects",
    ),
    column(
        "rationale",
        Value::Text(|r| &r.rationale, |r, value| r.rationale = value),
        "with `--rationale`: how the answer follows, step by step; its last line gives the answer",
    ),
    column(
        "pair",
        Value::Text(|r| &r.pair, |r, value| r.pair = value),
        "what an item and the one made from it share (`--minimal-pairs`, `--contrast`); else empty",
    ),
    column(
        "change",
        Value::Text(|r| &r.change, |r, value| r.change = value.into()),
        "of an item made from another, what was changed: `fact`, `action`, `word`, or a kind of `test_contrast`",
    ),
    column(
        "source",
        Value::Text(|r| &r.source, |r, value| r.source = value),
        "of such an item, the id of the item it was made from",
    ),
    column("seed", Value::Int64(|r| r.seed, |r, value| r.seed = value), "root seed of the run"),
    column(
        "index",
        Value::Int64(|r| r.index, |r, value| r.index = value),
        "position within split, level and depth",
    ),
];
