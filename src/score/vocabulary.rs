//! The words by which an answer is known in a text: those of a file that the tasks for lm-evaluation-harness read, too.

use std::sync::LazyLock;

use racgen_data::training::answer_words;
use serde::Deserialize;

/// Lists of words, signs and phrases, all in small letters.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerWords {
    /// Words between two answers that say that the later one follows from more thought.
    pub(crate) turns: Vec<String>,
    /// Words that take an earlier answer back.
    pub(crate) corrections: Vec<String>,
    /// Phrases after an answer that leave nothing of it.
    pub(crate) retractions: Vec<String>,
    /// Words that conclude.
    pub(crate) conclusions: Vec<String>,
    /// Words before a colon that announce an answer.
    pub(crate) announced: Vec<String>,
    /// Words between "answer" and its verb.
    pub(crate) between: Vec<String>,
    /// Verbs behind "answer".
    pub(crate) verbs: Vec<String>,
    /// Behind the verb, what the answer does not begin with.
    pub(crate) leads: Vec<String>,
    /// Where a model goes on with a question of its own.
    pub(crate) run_on: Vec<String>,
    /// Words that say nothing of their own in an answer.
    pub(crate) function_words: Vec<String>,
    /// Words that turn what is said round.
    pub(crate) negations: Vec<String>,
    /// Words that leave open whether it is so.
    pub(crate) hedges: Vec<String>,
    /// Words that a yes or no may stand behind.
    pub(crate) before_bool: Vec<String>,
    /// What an answer holds under, or when it held, or what is said of it as a word, behind a comma or not.
    pub(crate) conditions: Vec<String>,
    /// Words with which a reason or a sentence of its own begins, so that a `no` before them is an answer.
    pub(crate) after_no: Vec<String>,
    /// Words behind which `one` is no number.
    pub(crate) before_pronoun: Vec<String>,
    /// Where the reason or the details begin.
    pub(crate) details: Vec<String>,
    /// Where a reason begins that may name other objects.
    pub(crate) reasons: Vec<String>,
    /// Endings of words, which their stems lack; the first that fits is cut.
    pub(crate) endings: Vec<String>,
    /// Answers that are a list without names.
    pub(crate) empty_lists: Vec<String>,
    /// Words that a question asks by.
    pub(crate) question_words: Vec<String>,
    /// Number words up to nineteen, by value.
    pub(crate) units: Vec<String>,
    /// Those of tens, from twenty on.
    pub(crate) tens: Vec<String>,
    /// Tags that models are told to put final answers into.
    pub(crate) tags: Vec<String>,
    /// Tags around thoughts.
    pub(crate) thoughts: Vec<String>,
    /// Where a model goes on with a turn that is not its own.
    pub(crate) ends: Vec<String>,
    /// LaTeX commands whose argument is text.
    pub(crate) wrappers: Vec<String>,
    /// Signs that only show in print, each with what stands in its place.
    pub(crate) signs: Vec<(String, String)>,
    /// HTML tags that are left out.
    pub(crate) html: Vec<String>,
    /// Characters, each with what stands in its place.
    pub(crate) characters: Vec<(String, String)>,
}

/// The words. The file is part of the program, and a test sees that it is read.
pub(crate) static WORDS: LazyLock<AnswerWords> =
    LazyLock::new(|| serde_json::from_str(answer_words::TEXT).unwrap_or_default());

/// Is a word in a list?
pub(crate) fn listed(list: &[String], word: &str) -> bool {
    list.iter().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_read() {
        let read: Result<AnswerWords, _> = serde_json::from_str(answer_words::TEXT);
        assert!(read.is_ok_and(|words| words.units.len() == 20 && !words.characters.is_empty()));
        assert!(listed(&WORDS.turns, "however"));
    }
}
