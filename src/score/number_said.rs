//! A statement to the number it gives, where it says besides only what the question says.

use crate::score::normal::number;
use crate::score::question_asked::QuestionAsked;
use crate::score::tokens::{is_negation, is_word, stem, words};
use crate::score::vocabulary::{WORDS, listed};

impl QuestionAsked {
    /// The number of a statement.
    pub(crate) fn number_said(&self, text: &str) -> Option<i64> {
        let text = text.rsplit_once('=').map_or(text, |(_, last)| last);
        let padded = format!(" {text} ");
        // At the very start the reason begins nowhere.
        let end =
            WORDS.details.iter().filter_map(|sign| padded.find(sign.as_str()).filter(|at| *at > 1)).min();
        let mut clause = &padded[..end.unwrap_or(padded.len())];
        if let Some((head, rest)) = padded.split_once(": ")
            && words(head)
                .iter()
                .all(|word| number(word).is_none() && self.echoes(word) && !is_negation(word))
        {
            // "Number of containers: 3".
            clause = rest;
        }
        if clause.trim() == "none" || clause.trim() == "nothing" {
            return Some(0);
        }
        let all = words(clause);
        let mut found: Vec<i64> = Vec::new();
        let (mut negations, mut others) = (0, 0);
        for (at, word) in all.iter().enumerate() {
            let before = at.checked_sub(1).map_or("", |at| all[at].as_str());
            let next = all.get(at + 1).map_or("", String::as_str);
            if let Some(value) = number(word) {
                // "the one", "no one", "one of them" count nothing, and "row 3" is the question's.
                let only = before == "only" && (at < 2 || all[at - 2] != "the");
                if word == "one" && (next == "of" || (listed(&WORDS.before_pronoun, before) && !only)) {
                    return None;
                }
                // "Block 1" is a name.
                if self.asks(before)
                    && !listed(&WORDS.function_words, before)
                    && !self.text.contains(&format!(" {before} {word} "))
                {
                    return None;
                }
                let repeated = is_word(before) && self.text.contains(&format!(" {before} {word} "));
                if !repeated {
                    found.push(value);
                }
            } else if word == "no" && at == 0 && next == "," {
                // "No, 3" denies something else.
            } else if (word == "no" && is_word(next) && stem(next) == self.noun)
                || (word == "none" && (next == "of" || next.is_empty() || next == "."))
            {
                found.push(0);
                others += 1;
            } else if word == "single" && (before == "a" || before == "only") {
                found.push(1);
            } else if is_negation(word) {
                negations += 1;
            } else if listed(&WORDS.hedges, word) || (is_word(word) && !self.echoes(word)) {
                return None;
            }
        }
        let value = found.first().copied()?;
        // A negation of the question's may be said again, and there is none besides.
        let asked = self.text.split(' ').filter(|word| is_negation(word)).count();
        let fits = negations == 0 || negations == asked;
        (fits && others <= 1 && found.iter().all(|other| *other == value)).then_some(value)
    }
}
