//! An answer, as it stands in a row, to a form in which equal answers are equal.

use crate::score::vocabulary::{AnswerWords, WORDS};

/// What counts as an answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Normal {
    /// Yes or no.
    Bool(bool),
    /// A number.
    Number(i64),
    /// Names, in order of the alphabet; none of them for `none`.
    Names(Vec<String>),
}

/// A whole number in digits or words, up to ninety-nine in words.
pub(crate) fn number(word: &str) -> Option<i64> {
    if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        let whole =
            word.split_once('.').filter(|(_, part)| part.bytes().all(|b| b == b'0')).map_or(word, |(w, _)| w);
        return whole.parse().ok();
    }
    let AnswerWords { units, tens, .. } = &*WORDS;
    let place = |list: &[String], word: &str| list.iter().position(|known| known == word);
    if let Some(unit) = place(units, word) {
        return Some(unit as i64);
    }
    let (ten, unit) = word.split_once('-').unwrap_or((word, "zero"));
    let ten = place(tens, ten)? as i64 * 10 + 20;
    let unit = place(&units[..10], unit)? as i64;
    Some(ten + unit)
}

/// One name in small letters, without article, quotes and full stop, its words between single blanks.
pub(crate) fn name(text: &str) -> String {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "\"'`*.!:;".contains(c)).to_lowercase();
    let text = text.replace(", ", ",");
    let inner: Vec<char> = text.chars().collect();
    let joined = |at: usize| {
        let alphanumeric = |at: usize| inner.get(at).is_some_and(|c| c.is_alphanumeric());
        at > 0 && alphanumeric(at - 1) && alphanumeric(at + 1)
    };
    // People write `crane 34` for crane-34.
    let blank = |(at, c): (usize, &char)| if "-_".contains(*c) && joined(at) { ' ' } else { *c };
    let text: String = inner.iter().enumerate().map(blank).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let article = usize::from(words.len() > 1 && words[0] == "the");
    words[article..].join(" ")
}

/// The parts of a list, cut at commas, semicolons and lines outside of brackets, and with `everywhere` at each `and`.
pub(crate) fn cut(text: &str, everywhere: bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' | ';' | '\n' if depth <= 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    let parts = parts.into_iter().map(str::trim).map(|part| part.strip_prefix("and ").unwrap_or(part));
    let parts = parts.flat_map(|part| {
        let splits = if everywhere { part.split(" and ").collect() } else { vec![part] };
        splits.into_iter().flat_map(|part| part.split(" & ").collect::<Vec<_>>())
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// The form of an answer as racgen writes it. `kind` is the answer type of the item (`bool`, `number`, `name`, `names` or
/// `none`); what is none of its kind is a list of names.
///
/// ```
/// use racgen::score::normal::{Normal, normal};
/// assert_eq!(normal("yes", "bool"), Normal::Bool(true));
/// assert_eq!(normal("robot-7, crane-11", "names"), normal("crane-11, robot-7", "names"));
/// assert_eq!(normal("none", "none"), Normal::Names(vec![]));
/// ```
pub fn normal(answer: &str, kind: &str) -> Normal {
    match (kind, answer) {
        ("bool", "yes" | "true") => return Normal::Bool(true),
        ("bool", "no" | "false") => return Normal::Bool(false),
        ("number", _) => {
            if let Some(number) = number(answer) {
                return Normal::Number(number);
            }
        }
        _ => {}
    }
    if answer == "none" {
        return Normal::Names(Vec::new());
    }
    let mut names: Vec<String> = cut(answer, false).into_iter().map(name).collect();
    names.sort();
    names.dedup();
    Normal::Names(names)
}
