//! A phrase book, and an initial situation, to the fluents of the kinds that the text about it has statements of.

use crate::phrases::book::RelationPhrases;
use crate::simulate::situation::{BitSet, Situation};

/// The fluents of all kinds that initial situations are described with; given one of these, only of those kinds of which
/// its own description has a statement, since one is true there or a sentence says that none is. `entries` has, by fluent,
/// its place in the phrase book.
///
/// Questions for all true statements are about the former, and are asked where no answer is among them alone: then the
/// text says which kinds are meant.
pub fn told_kinds(
    book: &[RelationPhrases],
    entries: &[Option<usize>],
    initial: Option<&Situation>,
) -> BitSet {
    let shows = |relation: &RelationPhrases| initial.is_none() || !relation.none.is_empty();
    let mut shown: Vec<bool> = book.iter().map(shows).collect();
    let told = initial.into_iter().flat_map(|initial| initial.iter());
    told.filter_map(|fluent| entries[fluent]).for_each(|entry| shown[entry] = true);
    let is_told = |entry: usize| book[entry].told && !book[entry].each.is_empty() && shown[entry];
    let mut found = BitSet::new(entries.len());
    let told = entries.iter().enumerate().filter(|(_, entry)| entry.is_some_and(is_told));
    told.for_each(|(fluent, _)| found.insert(fluent));
    found
}
