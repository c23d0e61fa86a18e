//! A statement to the names it gives: a list of them, or a sentence that says besides only what the question says.

use crate::score::normal::{Normal, cut, name};
use crate::score::question_asked::QuestionAsked;
use crate::score::tokens::{is_negation, is_word, name_words, parted, stem, words};
use crate::score::vocabulary::{WORDS, listed};

/// Verbs, which no list of names has between two of them.
const VERBS: [&str; 11] = ["is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "be"];

impl QuestionAsked {
    /// The names of a statement, in each way that it can be cut.
    pub(crate) fn names_said(&self, text: &str) -> Vec<Normal> {
        let end = WORDS.reasons.iter().filter_map(|sign| text.find(sign.as_str())).min();
        let text = text[..end.unwrap_or(text.len())].trim_end_matches([',', ' ']);
        let mut found = self.list(text);
        if found.iter().any(|names| self.are_known(names)) {
            return found;
        }
        if let Some(said) = self.said(text)
            && !found.contains(&said)
        {
            found.push(said);
        }
        found
    }

    /// A list of names and nothing else, cut at commas, and at each `and`.
    pub(crate) fn list(&self, text: &str) -> Vec<Normal> {
        if listed(&WORDS.empty_lists, text) {
            return vec![Normal::Names(Vec::new())];
        }
        let inner = unwrapped(text);
        let mut found = Vec::new();
        for everywhere in [false, true] {
            let parts = cut(inner, everywhere);
            let mut names: Vec<String> = parts.iter().map(|part| self.listed_name(part)).collect();
            if names.is_empty() || names.iter().any(String::is_empty) {
                continue;
            }
            names.sort();
            names.dedup();
            if names == ["none"] {
                names.clear();
            }
            let names = Normal::Names(names);
            if !found.contains(&names) {
                found.push(names);
            }
        }
        found
    }

    /// A part of a list without what it is called by: "the container zither", "on the table".
    fn listed_name(&self, part: &str) -> String {
        let whole = name(part);
        if self.is_known(&whole) {
            return whole;
        }
        let parts: Vec<&str> = whole.split(' ').collect();
        // One noun of the question's may stand before the name or behind it, and small words before both.
        let small = |word: &&&str| ["on", "in", "at", "the", "a", "an", "both"].contains(*word);
        let noun = |word: Option<&&str>| word.is_some_and(|word| !is_negation(word) && self.asks(word));
        let first = parts.iter().take_while(small).count();
        let mut starts = vec![first];
        if noun(parts.get(first)) {
            starts.push(first + 1 + parts[first + 1..].iter().take_while(small).count());
        }
        let ends = [parts.len(), parts.len() - usize::from(noun(parts.last()))];
        for (start, end) in starts.iter().flat_map(|start| ends.map(|end| (*start, end))) {
            let rest = parts.get(start..end).unwrap_or_default().join(" ");
            if self.is_known(&rest) {
                return rest;
            }
        }
        let prepositions = parts.iter().take_while(|word| ["on", "in", "at", "the"].contains(*word)).count();
        parts[prepositions.min(parts.len() - 1)..].join(" ")
    }

    fn is_known(&self, name: &str) -> bool {
        let words = name_words(name);
        self.names.contains(&words)
    }

    pub(crate) fn are_known(&self, names: &Normal) -> bool {
        match names {
            Normal::Names(names) => names.iter().all(|name| self.is_known(name)),
            _ => false,
        }
    }

    /// The names that a sentence gives which otherwise says only what the question says.
    pub(crate) fn said(&self, text: &str) -> Option<Normal> {
        // A block called `a` cannot be told from the article.
        if self
            .names
            .iter()
            .any(|name| matches!(name.as_slice(), [word] if listed(&WORDS.function_words, word)))
        {
            return None;
        }
        let tokens: Vec<String> = words(text).into_iter().flat_map(|token| parted(&token)).collect();
        let mut names: Vec<String> = Vec::new();
        // First and last token of the names, and the tokens that are part of one.
        let mut run: Option<(usize, usize)> = None;
        let mut named = vec![false; tokens.len()];
        let mut at = 0;
        while at < tokens.len() {
            let here = self.names.iter().find(|name| tokens[at..].starts_with(name));
            let Some(found) = here else {
                at += 1;
                continue;
            };
            let end = at + found.len();
            named[at..end].fill(true);
            let text = found.join(" ");
            if !self.names_of_question(&text) {
                names.push(text);
                run = Some((run.map_or(at, |(start, _)| start), end));
            }
            at = end;
        }
        let asked = self.text.split(' ').filter(|word| is_negation(word)).count();
        let mut negations = 0;
        // What the question says, too, before the last name and behind it.
        let (mut before, mut behind): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        for (at, token) in tokens.iter().enumerate() {
            if named[at] || !is_word(token) {
                continue;
            }
            let within = run.is_some_and(|(start, end)| (start..end).contains(&at));
            let joins = ["and", "the", "a", "an", "both"].contains(&token.as_str());
            let verb = VERBS.contains(&token.as_str());
            if is_negation(token) {
                negations += 1;
                if within {
                    return None;
                }
            } else if listed(&WORDS.hedges, token)
                || !self.echoes(token)
                || (within && (verb || !(joins || self.asks(token))))
            {
                return None;
            } else if !listed(&WORDS.function_words, token) {
                let place = if run.is_some_and(|(_, end)| at >= end) { &mut behind } else { &mut before };
                place.extend(Some(stem(token)).filter(|stem| !place.contains(stem)));
            }
        }
        if names.is_empty() {
            let none = tokens.iter().any(|t| ["none", "nothing", "nobody"].contains(&t.as_str()));
            let lacking = tokens.windows(2).any(|two| two[0] == "no" && stem(&two[1]) == self.noun);
            let alone = negations == 1 && (before.is_empty() || before.len() == 1 && tokens[0] == "none");
            let doubled = tokens.iter().any(|t| t == "not") && !self.text.contains(" not ");
            let denies = (none || lacking) && (negations == asked + 1 || alone) && !doubled;
            return denies.then(|| Normal::Names(Vec::new()));
        }
        // Where the question has a `no`, a sentence that says what it says has one as well.
        let short = behind.is_empty() && before.len() <= 1;
        if negations != asked && !(negations == 0 && short) {
            return None;
        }
        names.sort();
        names.dedup();
        Some(Normal::Names(names))
    }

    fn names_of_question(&self, name: &str) -> bool {
        let spread: String = self.text.split(' ').flat_map(parted).collect::<Vec<_>>().join(" ");
        format!(" {spread} ").contains(&format!(" {name} "))
    }
}

/// A list without its brackets.
fn unwrapped(text: &str) -> &str {
    for (open, close) in [('[', ']'), ('{', '}'), ('(', ')')] {
        if let Some(inner) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close))
            && !inner.contains([open, close])
        {
            return inner;
        }
    }
    text
}
