//! Sentences to running text: first letters, lists, paragraphs.

use racgen_logic::term::Term;

use crate::phrases::pattern::Pattern;
use crate::phrases::phrasing::Phrasing;

/// What stands between the members of a list.
pub const SEPARATOR: &str = ", ";

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

/// Fills a phrasing; `rest` stands in the slots past the texts.
pub(crate) fn filled(phrasing: &Phrasing, texts: &[impl AsRef<str>], rest: &str) -> String {
    let mut out = String::new();
    phrasing.fill(&mut out, |slot| texts.get(slot).map_or(rest, AsRef::as_ref));
    out
}

/// Fills a phrasing whose only slot is a list.
pub(crate) fn listed(phrasing: &Phrasing, list: &str) -> String {
    let none: &[&str] = &[];
    filled(phrasing, none, list)
}

/// A compound term as the first entry of a phrase book that fits it writes it, its arguments called by `name`; none
/// without an entry.
pub(crate) fn compound(
    entries: &[(Pattern, Phrasing)],
    term: &Term,
    name: impl FnMut(&Term) -> String,
) -> Option<String> {
    let fits = |pattern: &Pattern| term.is(&pattern.functor, pattern.places.len());
    let (_, phrasing) = entries.iter().find(|(pattern, _)| fits(pattern))?;
    let arguments: Vec<String> = term.args().iter().map(name).collect();
    Some(filled(phrasing, &arguments, ""))
}

/// Clauses in a row: `a, b and c`.
pub(crate) fn conjoined(clauses: &[impl AsRef<str>]) -> String {
    let clauses: Vec<&str> = clauses.iter().map(AsRef::as_ref).collect();
    match clauses.as_slice() {
        [front @ .., last] if !front.is_empty() => format!("{} and {last}", front.join(SEPARATOR)),
        all => all.concat(),
    }
}

/// The sentences in a row, each with a capital first letter.
pub(crate) fn paragraph(sentences: Vec<String>) -> String {
    sentences.iter().map(|s| capital(s)).collect::<Vec<_>>().join(" ")
}
