//! Sentences to running text: first letters, lists, paragraphs.

use racgen_logic::term::Term;

use crate::phrases::pattern::Pattern;
use crate::phrases::phrasing::Phrasing;

/// What stands between the members of a list.
pub const SEPARATOR: &str = ", ";

/// Appends a text with its first letter changed.
fn push_changed<I: Iterator<Item = char>>(out: &mut String, text: &str, change: impl Fn(char) -> I) {
    let mut chars = text.chars();
    out.extend(chars.next().into_iter().flat_map(change));
    out.push_str(chars.as_str());
}

/// The text with a capital first letter.
pub(crate) fn capital(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_changed(&mut out, text, char::to_uppercase);
    out
}

/// The text with a small first letter.
pub(crate) fn small(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_changed(&mut out, text, char::to_lowercase);
    out
}

/// Fills a phrasing; `rest` stands in the slots past the texts.
pub(crate) fn filled(phrasing: &Phrasing, texts: &[impl AsRef<str>], rest: &str) -> String {
    // Most sentences are no longer.
    let mut out = String::with_capacity(96);
    phrasing.fill(&mut out, |slot| texts.get(slot).map_or(rest, AsRef::as_ref));
    out
}

/// The same without the full stop of the phrasing: a clause.
pub(crate) fn filled_clause(phrasing: &Phrasing, texts: &[impl AsRef<str>], rest: &str) -> String {
    let mut out = filled(phrasing, texts, rest);
    if phrasing.ends_with(&['.']) {
        out.pop();
    }
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
    let mut out = String::with_capacity(sentences.iter().map(|sentence| sentence.len() + 1).sum());
    for (place, sentence) in sentences.iter().enumerate() {
        if place > 0 {
            out.push(' ');
        }
        push_changed(&mut out, sentence, char::to_uppercase);
    }
    out
}
