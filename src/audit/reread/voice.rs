//! Rows of one story to verdicts, for items that need no layout: the story is read and played once, its questions one by
//! one.
//!
//! Stories of domains share groundings of their layouts, and go another way.

use racgen_data::row::Row;

use crate::audit::reread::verdict::{Finding, Sound, Trouble, Verdict, finding};
use crate::language::read::forms::Misread;

/// Reads back what one kind of items tells, and has clingo answer anew.
pub(crate) trait Voice {
    /// What the rows of a story share.
    type Story;

    /// Reads and plays what the rows share, and compares it with their columns.
    fn story(&self, rows: &[&Row]) -> Result<Self::Story, Finding>;

    /// Reads and answers a row's question, and compares both with its columns.
    fn row(&self, story: &Self::Story, row: &Row) -> Result<Sound, Finding>;
}

/// The verdicts on all rows of a story.
pub(crate) fn verdicts<V: Voice>(voice: &V, rows: &[&Row]) -> Vec<Verdict> {
    match voice.story(rows) {
        Ok(story) => rows.iter().map(|row| voice.row(&story, row)).collect(),
        Err(found) => rows.iter().map(|_| Err(found.clone())).collect(),
    }
}

/// What is wrong with a text.
pub(crate) fn misread(what: &str, text: &str, cause: Misread) -> Finding {
    let (trouble, detail) = match cause {
        Misread::Obstacle(at) if at.is_empty() => (Trouble::Unreadable, format!("the {what}: {text}")),
        Misread::Obstacle(at) => (Trouble::Unreadable, format!("the {what}, at \"{at}\"")),
        Misread::Ambiguous => (Trouble::Ambiguous, format!("the {what}")),
        Misread::Differs(how) => (Trouble::Columns, format!("the {what}: {how}")),
    };
    Finding { trouble, detail }
}

/// A column must have what the text says.
pub(crate) fn same(column: &str, given: &str, found: &str) -> Result<(), Finding> {
    if given == found {
        return Ok(());
    }
    finding(Trouble::Columns, format!("the column {column} has `{given}`, the text `{found}`"))
}

/// The context is what its parts make.
pub(crate) fn context(row: &Row) -> Result<(), Finding> {
    let parts = [&*row.initial_state, &*row.rules, &*row.actions];
    let told: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if *row.context == *told.join("\n\n") {
        return Ok(());
    }
    finding(Trouble::Columns, "the column context is not made of initial_state, rules and actions")
}
