//! What keeps a layout from being put into words to words: place, cause and remedy.

use racgen_logic::error::LogicError;

/// Why a layout cannot be told in the vocabulary of the generic domain.
#[derive(Debug, thiserror::Error)]
pub enum LanguageError {
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] LogicError),
    /// The rules are of another form.
    #[error("the domain `{domain}` cannot be told as a generic theory: {cause}; leave out --as generic")]
    Form {
        /// The domain.
        domain: String,
        /// What stands in the way.
        cause: String,
    },
    /// A phrase book is at fault.
    #[error("{0}")]
    Book(String),
}
