//! A question to what an answer to it may repeat, and what it may name.

use crate::score::tokens::{is_word, name_words, stem, words};
use crate::score::vocabulary::{WORDS, listed};

/// What was asked: what an answer may repeat, and what it may name.
#[derive(Clone, Debug, Default)]
pub struct QuestionAsked {
    /// The answer type of the item.
    pub(crate) kind: AnswerKind,
    /// Words of the question itself, by their stems.
    pub(crate) words: Vec<String>,
    /// The question in small letters, each word between blanks.
    pub(crate) text: String,
    /// The objects that there are, as their words, the longest first.
    pub(crate) names: Vec<Vec<String>>,
    /// What is asked for, by its stem: the container of "which containers". Empty where that is not plain.
    pub(crate) noun: String,
    /// Does the question suppose that something is done first?
    pub(crate) supposes: bool,
}

/// Sorts of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AnswerKind {
    /// Yes or no.
    Bool,
    /// A number.
    Number,
    /// A name, several or none.
    #[default]
    Names,
}

impl QuestionAsked {
    /// What a question asks: its answer type (`bool`, `number`, or one of names), its text and the names of objects.
    pub fn new<'n>(kind: &str, question: &str, names: impl IntoIterator<Item = &'n str>) -> QuestionAsked {
        let kind = match kind {
            "bool" => AnswerKind::Bool,
            "number" => AnswerKind::Number,
            _ => AnswerKind::Names,
        };
        let tokens: Vec<String> = words(proper(&question.to_lowercase()));
        let mut names: Vec<Vec<String>> =
            names.into_iter().map(|name| name_words(&name.to_lowercase())).collect();
        names.retain(|name| !name.is_empty());
        names.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        QuestionAsked {
            kind,
            noun: noun(&tokens).to_owned(),
            words: tokens.iter().map(|word| stem(word).to_owned()).collect(),
            text: format!(" {} ", tokens.join(" ")),
            names,
            supposes: question.trim_start().starts_with("If "),
        }
    }

    /// Is a statement under a condition that the question does not make?
    pub(crate) fn is_conditional(&self, statement: &str) -> bool {
        let conditional = statement.contains("if ") && statement.contains("would");
        conditional || (statement.starts_with("if ") && !self.supposes)
    }

    pub(crate) fn kind(&self) -> AnswerKind {
        self.kind
    }

    /// Is a word of the question's, or one that says nothing?
    pub(crate) fn echoes(&self, word: &str) -> bool {
        listed(&WORDS.function_words, word) || self.asks(word)
    }

    /// Is a word of the question's?
    pub(crate) fn asks(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == stem(word))
    }
}

/// The question itself, without what is supposed to be done before.
fn proper(question: &str) -> &str {
    let last = question.trim_end().rfind(". ").map_or(question, |at| &question[at + 2..]);
    let Some(at) = WORDS.question_words.iter().filter_map(|word| last.find(word.as_str())).min() else {
        return last;
    };
    let start = last[..at].rfind([',', ';', ':']).map_or(0, |at| at + 1);
    &last[start..]
}

/// The word that a question asks for, by its stem: the first that says something behind the question word.
fn noun(question: &[String]) -> &str {
    let asks = ["which", "what", "who", "how"];
    let behind = question.iter().skip_while(|word| !asks.contains(&word.as_str())).skip(1);
    let mut said = behind.filter(|word| is_word(word) && !listed(&WORDS.function_words, word));
    said.next().map_or("", |word| stem(word))
}
