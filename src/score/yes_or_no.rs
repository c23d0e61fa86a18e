//! A statement to the yes or no it gives.

use crate::score::tokens::{is_word, words};
use crate::score::vocabulary::{WORDS, listed};

/// The yes or no of a statement.
pub(crate) fn yes_or_no(text: &str) -> Option<bool> {
    let all = words(text);
    if let [only] = all.as_slice() {
        match only.as_str() {
            "y" | "t" | "1" | "correct" => return Some(true),
            "n" | "f" | "0" | "incorrect" => return Some(false),
            _ => {}
        }
    }
    let mut at = 0;
    while all.get(at).is_some_and(|word| {
        listed(&WORDS.before_bool, word) || [",", ":", "\"", "'", "(", "["].contains(&word.as_str())
    }) {
        at += 1;
    }
    let denied = all.get(at).is_some_and(|word| ["not", "isn't"].contains(&word.as_str()));
    at += usize::from(denied);
    let word = all.get(at)?.as_str();
    let subject = at > 0 && all[..at].iter().any(|w| ["is", "it's", "that's"].contains(&w.as_str()));
    let value = match word {
        "yes" | "true" => true,
        "no" | "false" => false,
        "correct" | "right" if subject || denied => true,
        "incorrect" | "wrong" if subject => false,
        _ => return None,
    };
    let plain = matches!(word, "yes" | "no");
    if denied && (plain || !value) {
        return None;
    }
    let rest = &all[at + 1..];
    let next = rest.first().map_or("", String::as_str);
    if word == "no" && is_word(next) && !listed(&WORDS.after_no, next) || ["/", "or"].contains(&next) {
        return None;
    }
    let behind =
        rest.iter().map(String::as_str).filter(|word| is_word(word)).collect::<Vec<_>>().join(" ") + " ";
    if WORDS.conditions.iter().any(|condition| behind.starts_with(&format!("{condition} "))) {
        return None;
    }
    // The other word as an answer: at an end, before a comma, behind `or`; else `no` is a part of a reason.
    let said = value != denied;
    for (at, word) in rest.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |at| rest[at].as_str());
        let next = rest.get(at + 1).map_or("", String::as_str);
        let ends = !is_word(next) || next == "--";
        let other = match word.as_str() {
            "yes" => plain && !said,
            "no" => plain && said && (ends || ["or", "be", "maybe", "also"].contains(&before)),
            "false" => said && ["or", "be", "also"].contains(&before),
            "true" => !said && ["or", "be", "also"].contains(&before),
            "maybe" | "perhaps" | "possibly" | "unsure" | "uncertain" => true,
            "sure" => before == "not",
            _ => false,
        };
        if other {
            return None;
        }
    }
    Some(said)
}
