//! Rows of stories to verdicts, whoever told them: a domain, a game or a rule set.

use std::collections::BTreeSet;

use racgen_data::columns::{ExtraColumn, base64};
use racgen_data::row::{ExtraValue, Row};
use rayon::prelude::*;

use crate::audit::reread::verdict::{Finding, Sound, Trouble, Verdict, finding};
use crate::language::read::forms::Misread;

/// Told how many more rows are done.
pub(crate) type Done<'d> = &'d (dyn Fn(u64) + Sync);

/// Reads back what one domain, game or rule set tells, and has clingo answer anew.
pub(crate) trait Voice: Send + Sync {
    /// The verdicts on the rows of one story, in their order.
    fn story(&self, rows: &[&Row]) -> Vec<Verdict>;

    /// The id that a row should have; none where that is not known.
    fn identity(&self, row: &Row) -> Option<String>;

    /// Are items numbered across all splits and depths, rather than within each?
    fn numbers_across(&self) -> bool {
        false
    }

    /// Have items the column with the length of a shortest plan?
    fn has_shortest_plans(&self) -> bool {
        false
    }

    /// The verdicts on the rows of many stories, in their order, for those whose stories share more than their rows do.
    fn stories(&self, stories: &[Vec<&Row>], done: Done) -> Vec<Vec<Verdict>> {
        let one = |rows: &Vec<&Row>| {
            let verdicts = self.story(rows);
            done(rows.len() as u64);
            verdicts
        };
        stories.par_iter().map(one).collect()
    }
}

/// Nobody's voice: the same is wrong with all rows.
pub(crate) struct Unheard(pub(crate) Finding);

impl Voice for Unheard {
    fn story(&self, rows: &[&Row]) -> Vec<Verdict> {
        rows.iter().map(|_| Err(self.0.clone())).collect()
    }

    fn identity(&self, _: &Row) -> Option<String> {
        None
    }
}

/// The verdicts on the rows of a story that is read once, its questions one by one.
pub(crate) fn row_by_row<S>(
    story: Result<S, Finding>,
    rows: &[&Row],
    judge: impl Fn(&S, &Row) -> Result<Sound, Finding>,
) -> Vec<Verdict> {
    match story {
        Ok(story) => rows.iter().map(|row| judge(&story, row)).collect(),
        Err(found) => Unheard(found).story(rows),
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
    if given == found { Ok(()) } else { differ(column, given, found) }
}

/// A column must have the list that the text says.
pub(crate) fn same_list(column: &str, given: &[String], found: &[String]) -> Result<(), Finding> {
    if given == found { Ok(()) } else { differ(column, &given.join(" "), &found.join(" ")) }
}

fn differ(column: &str, given: &str, found: &str) -> Result<(), Finding> {
    finding(Trouble::Columns, format!("the column {column} has `{given}`, the text `{found}`"))
}

/// The answer to the text is the row's.
pub(crate) fn same_answer(row: &Row, found: &str) -> Result<(), Finding> {
    if row.answer == found {
        return Ok(());
    }
    finding(Trouble::WrongAnswer, format!("the row says \"{}\", clingo \"{found}\"", row.answer))
}

/// The facts of the text are those of the column.
pub(crate) fn same_facts(given: &BTreeSet<String>, found: &BTreeSet<String>) -> Result<(), Finding> {
    match found.symmetric_difference(given).next() {
        None => Ok(()),
        Some(fact) => {
            let place = if found.contains(fact) { "the text" } else { "the column facts" };
            finding(Trouble::Columns, format!("`{fact}` stands only in {place}"))
        }
    }
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

/// The picture of a row as base64, in whichever format it was stored; empty where it has none.
pub(crate) fn image_cell(column: &ExtraColumn, row: &Row) -> String {
    match row.extra.get(&column.name) {
        None => String::new(),
        Some(ExtraValue::Text(text)) => text.clone(),
        Some(_) => base64(column.bytes(row)),
    }
}

/// Columns that only items of domains have something in are empty.
pub(crate) fn bare(row: &Row) -> Result<(), Finding> {
    let columns = [
        ("rationale", &*row.rationale),
        ("pair", &row.pair),
        ("change", &row.change),
        ("source", &row.source),
    ];
    columns.into_iter().try_for_each(|(column, given)| same(column, given, ""))
}
