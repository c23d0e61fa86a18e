//! The columns of a data set: the one table from which every format and the data card take their schema.

use crate::row::{ObjectName, Row};

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

/// The type of a column together with the way to a row's value. Nothing is ever null.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// A string.
    Text(fn(&Row) -> &str),
    /// A 32-bit integer.
    Int32(fn(&Row) -> i32),
    /// A 64-bit integer.
    Int64(fn(&Row) -> i64),
    /// A list of strings.
    Texts(fn(&Row) -> &[String]),
    /// A list of `{id, type, name}`.
    Objects(fn(&Row) -> &[ObjectName]),
}

const fn column(name: &'static str, value: Value, about: &'static str) -> Column {
    Column { name, value, about }
}

/// All columns, in the order of [`Row`]'s fields.
pub const COLUMNS: [Column; 27] = [
    column("id", Value::Text(|r| &r.id), "content hash, unique in the data set"),
    column("domain", Value::Text(|r| &r.domain), "name of the domain"),
    column("split", Value::Text(|r| &r.split), "name of the split"),
    column(
        "world",
        Value::Text(|r| &r.world),
        "key of layout and initial state; equal exactly for worlds that differ in object names only",
    ),
    column("level", Value::Int32(|r| r.level), "world complexity, N1 to N5 as 1 to 5"),
    column("depth", Value::Int32(|r| r.depth), "number of actions in the sequence"),
    column("question_type", Value::Text(|r| &r.question_type), "`verify`, `count` or `other`"),
    column("family", Value::Text(|r| &r.family), "functor of the question: what it asks about"),
    column("template", Value::Text(|r| &r.template), "which phrasing was drawn"),
    column(
        "context",
        Value::Text(|r| &r.context),
        "what a model sees before the question: initial state, rules (unless left out) and actions",
    ),
    column("initial_state", Value::Text(|r| &r.initial_state), "the initial state as a paragraph"),
    column("rules", Value::Text(|r| &r.rules), "the rules of the domain as a paragraph"),
    column("actions", Value::Text(|r| &r.actions), "the action sequence as a paragraph"),
    column("question", Value::Text(|r| &r.question), "the question"),
    column("answer", Value::Text(|r| &r.answer), "the answer in words"),
    column("answer_type", Value::Text(|r| &r.answer_type), "`bool`, `number`, `name`, `names` or `none`"),
    column(
        "objects",
        Value::Objects(|r| &r.objects),
        "the objects in the order of the text: constant in the logic program, type, name in the text",
    ),
    column(
        "facts",
        Value::Texts(|r| &r.facts),
        "static facts and the fluents true in the initial situation, as ground atoms",
    ),
    column("plan", Value::Texts(|r| &r.plan), "the action sequence as ground terms"),
    column("query", Value::Text(|r| &r.query), "the question as a ground term"),
    column(
        "gold",
        Value::Texts(|r| &r.gold),
        "the answer as ground terms: `yes` or `no`, a number, or objects",
    ),
    column(
        "rationale",
        Value::Text(|r| &r.rationale),
        "with `--rationale`: how the answer follows, step by step; its last line gives the answer",
    ),
    column(
        "pair",
        Value::Text(|r| &r.pair),
        "what an item and the one made from it share (`--minimal-pairs`, `--contrast`); else empty",
    ),
    column(
        "change",
        Value::Text(|r| &r.change),
        "of an item made from another, what was changed: `fact`, `action`, `word`, or a kind of `test_contrast`",
    ),
    column("source", Value::Text(|r| &r.source), "of such an item, the id of the item it was made from"),
    column("seed", Value::Int64(|r| r.seed), "root seed of the run"),
    column("index", Value::Int64(|r| r.index), "position within split, level and depth"),
];
