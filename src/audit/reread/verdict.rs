//! What may be wrong with an item, or what is known of one that is right.

use std::sync::Arc;

/// What may be wrong with an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// A paragraph or the question follows no phrasing.
    Unreadable,
    /// A paragraph or the question can be read in two ways.
    Ambiguous,
    /// What the text tells cannot be: no such situation, or an action that cannot occur.
    Impossible,
    /// The answer is another than the row's.
    WrongAnswer,
    /// The columns with ground terms say something else than the text.
    Columns,
    /// The rules of an invented domain tell another theory than the one that clingo runs.
    Theory,
    /// The rationale states what is not so, leaves out what the answer rests on, or comes to another answer.
    Rationale,
    /// The id is not the hash of what the item says and of its place, so that one of these was changed.
    Id,
    /// The domain is not at hand.
    UnknownDomain,
    /// The rules that stand beside the data cannot be used, or contradict each other.
    Reference,
}

impl Trouble {
    /// What it is, in words.
    pub fn words(self) -> &'static str {
        match self {
            Trouble::Unreadable => "the text follows no phrasing of the domain",
            Trouble::Ambiguous => "the text can be read in two ways",
            Trouble::Impossible => "what the text tells cannot be",
            Trouble::WrongAnswer => "clingo's answer to the text is another than the row's",
            Trouble::Columns => "the columns with ground terms say something else than the text",
            Trouble::Theory => "the rules paragraph tells another theory than that of the domain",
            Trouble::Rationale => {
                "the rationale states what is not so, leaves something out, or comes to another answer"
            }
            Trouble::Id => "the id is not that of what the item says, its seed and its place",
            Trouble::UnknownDomain => "the domain is not at hand",
            Trouble::Reference => {
                "the rules that stand beside the data cannot be used, or contradict each other"
            }
        }
    }
}

/// What is wrong with an item, and the particulars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub trouble: Trouble,
    /// Words, terms, answers.
    pub detail: String,
}

pub(crate) fn finding<T>(trouble: Trouble, detail: impl Into<String>) -> Result<T, Finding> {
    Err(Finding { trouble, detail: detail.into() })
}

/// An item that was read and found right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sound {
    /// The key of its world, computed afresh: equal for worlds that differ in the names of their objects only.
    pub world: Arc<str>,
    /// The key of its world and plan.
    pub instance: Arc<str>,
    /// Does the initial situation give the same answer? None where nothing happens.
    pub trivial: Option<bool>,
    /// The phrasings of the initial state and the actions, where they can be told.
    pub said: Arc<[Arc<str>]>,
    /// Was the initial state taken from the column facts, since a picture states it?
    pub pictured: bool,
}

/// What a row came to.
pub type Verdict = Result<Sound, Finding>;

/// The rules that stand beside the data are of no use, or clingo fails on them.
pub(crate) fn broken(detail: impl Into<String>) -> Finding {
    Finding { trouble: Trouble::Reference, detail: detail.into() }
}

/// clingo fails on what the text tells, or says that it cannot be.
pub(crate) fn solver(error: impl std::fmt::Display) -> Finding {
    Finding { trouble: Trouble::Impossible, detail: error.to_string() }
}
