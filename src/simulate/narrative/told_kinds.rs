//! An initial situation to the fluents of the kinds that its description has statements of.

use crate::phrases::book::RelationPhrases;
use crate::simulate::situation::{BitSet, Situation};

/// The fluents whose kinds a text tells of that describes this initial situation: those with a statement of their own, of
/// which one is true there, or that have a sentence for the case that none is. `entries` has, by fluent, its place in the
/// phrase book.
///
/// Questions for all true statements are about these, so that the text alone says which kinds are meant.
pub fn told_kinds(book: &[RelationPhrases], entries: &[Option<usize>], initial: &Situation) -> BitSet {
    let mut shown: Vec<bool> = book.iter().map(|relation| !relation.none.is_empty()).collect();
    initial.iter().filter_map(|fluent| entries[fluent]).for_each(|entry| shown[entry] = true);
    let is_told = |entry: usize| book[entry].told && !book[entry].each.is_empty() && shown[entry];
    let mut found = BitSet::new(entries.len());
    let told = entries.iter().enumerate().filter(|(_, entry)| entry.is_some_and(is_told));
    told.for_each(|(fluent, _)| found.insert(fluent));
    found
}
