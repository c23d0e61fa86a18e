//! A text to its words, and what is asked of a word: its stem, whether it denies, the parts of a name.

use crate::score::vocabulary::{WORDS, listed};

/// Of a word, what its forms have in common.
pub(crate) fn stem(word: &str) -> &str {
    let cut = WORDS.endings.iter().find_map(|end| word.strip_suffix(end.as_str()));
    cut.filter(|cut| cut.len() > 1).unwrap_or(word)
}

/// The words of a text in small letters, commas and the like apart from them.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in text.split_whitespace() {
        let inner = |c: char| c.is_alphanumeric() || c == '%' || c == '?' && part.contains('(');
        let mut word = String::new();
        let all: Vec<char> = part.chars().collect();
        for (at, c) in all.iter().enumerate() {
            let between = |c: char| {
                at > 0
                    && inner(all[at - 1])
                    && all.get(at + 1).copied().is_some_and(inner)
                    && "-_'./".contains(c)
            };
            let sign = *c == '-' && all.get(at + 1).is_some_and(char::is_ascii_digit) && word.is_empty();
            if inner(*c) || between(*c) || sign {
                word.push(*c);
            } else {
                found.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
                found.push(c.to_string());
            }
        }
        found.extend(Some(word).filter(|word| !word.is_empty()));
    }
    found
}

pub(crate) fn is_word(token: &str) -> bool {
    token.chars().any(char::is_alphanumeric)
}

pub(crate) fn is_negation(token: &str) -> bool {
    listed(&WORDS.negations, token) || token.ends_with("n't")
}

/// The words of a name; `crane-34` has two.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    words(name).iter().flat_map(|token| parted(token)).collect()
}

pub(crate) fn parted(token: &str) -> Vec<String> {
    if token.len() < 2 {
        return vec![token.to_owned()];
    }
    token.split(['-', '_']).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// A statement without quotes, spaces and full stops around it.
pub(crate) fn peeled(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || "\"'.!,;:".contains(c))
}
