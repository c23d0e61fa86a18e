//! The phrase books of the generic vocabulary to what they hold, read once.

use std::sync::OnceLock;

use racgen_logic::fault::Faults;

use crate::domain::embedded::abstract_book;
use crate::language::error::LanguageError;
use crate::phrases::book::{PhraseBook, Phrasings};

/// The phrase books in which theories are told.
pub struct Books {
    /// `generic.toml`, which tells what is generic by birth.
    pub generic: PhraseBook,
    /// `as_generic.toml`.
    pub own: PhraseBook,
}

impl Books {
    /// The books, which are part of the binary.
    ///
    /// # Errors
    /// [`LanguageError::Book`].
    pub fn load() -> Result<&'static Books, LanguageError> {
        static BOOKS: OnceLock<Result<Books, String>> = OnceLock::new();
        let load = || -> Result<Books, Faults> {
            Ok(Books { generic: abstract_book("generic.toml")?, own: abstract_book("as_generic.toml")? })
        };
        let first = |faults: Faults| faults.first().map_or(String::new(), |f| f.to_string());
        BOOKS
            .get_or_init(|| load().map_err(first))
            .as_ref()
            .map_err(|fault| LanguageError::Book(fault.clone()))
    }

    /// The phrasings of a sentence of `as_generic.toml`.
    pub(crate) fn sentence(&self, functor: &str) -> Option<&Phrasings> {
        self.own.sentences.iter().find(|(pattern, _)| pattern.functor == functor).map(|(_, list)| list)
    }

    /// The phrasings of a question of `as_generic.toml`.
    pub(crate) fn question(&self, functor: &str) -> Option<&Phrasings> {
        self.own.questions.iter().find(|q| q.pattern.functor == functor).map(|q| &q.ask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_phrasings() {
        let books = Books::load().unwrap();
        let sentences = "precondition alternatives effect conditional_effect law constant_law defined laws";
        for functor in sentences.split(' ') {
            assert!(books.sentence(functor).is_some_and(|list| list.list.len() >= 4), "{functor}");
        }
        let mut questions = vec!["one_false".to_owned(), "count_every_executable".to_owned()];
        for shape in ["all", "any", "count", "which"] {
            questions.extend(["true", "false", "executable"].map(|property| format!("{shape}_{property}")));
        }
        for functor in &questions {
            assert!(books.question(functor).is_some_and(|list| list.list.len() >= 4), "{functor}");
        }
        assert_eq!(questions.len(), books.own.questions.len());
        assert!(books.own.frame.iter().all(|list| list.list.len() >= 4));
    }
}
