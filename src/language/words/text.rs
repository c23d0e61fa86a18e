//! Sentences to running text: first letters, lists, paragraphs.

use crate::phrases::phrasing::Phrasing;

fn change_first(text: &str, change: impl Fn(char) -> String) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| change(first) + chars.as_str())
}

/// The text with a capital first letter.
pub(crate) fn capital(text: &str) -> String {
    change_first(text, |c| c.to_uppercase().collect())
}

/// The text with a small first letter.
pub(crate) fn small(text: &str) -> String {
    change_first(text, |c| c.to_lowercase().collect())
}

/// Fills a phrasing whose only slot is a list.
pub(crate) fn listed(phrasing: &Phrasing, list: &str) -> String {
    let mut out = String::new();
    phrasing.fill(&mut out, |_| list);
    out
}

/// The sentences in a row, each with a capital first letter.
pub(crate) fn paragraph(sentences: Vec<String>) -> String {
    sentences.iter().map(|s| capital(s)).collect::<Vec<_>>().join(" ")
}
