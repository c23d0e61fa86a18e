//! A question beyond prediction that was read to its terms, and a row to the columns that only such questions have.

use racgen_data::row::{ExtraValue, Row};
use racgen_logic::term::Term;

use crate::language::read::family_reader::ReadSlot;
use crate::phrases::book::FamilyPhrases;

/// A question that was read, with its terms made whole.
pub(super) struct AskedFurther<'a> {
    pub(super) family: &'a FamilyPhrases,
    pub(super) number: usize,
    pub(super) slots: &'a [ReadSlot],
    /// The terms of the slots, but for a question of prediction.
    pub(super) arguments: Vec<Term>,
}

/// A cell of an extra column as text.
pub(super) fn extra(row: &Row, column: &str) -> String {
    match row.extra.get(column) {
        Some(ExtraValue::Text(text)) => text.clone(),
        Some(ExtraValue::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}
