//! Why a source makes no items.

use std::error::Error;
use std::fmt;

/// What went wrong in a source, whichever it is.
#[derive(Debug)]
pub struct ItemError(Box<dyn Error + Send + Sync>);

impl ItemError {
    /// Wraps a source's own error.
    pub fn new(cause: impl Error + Send + Sync + 'static) -> ItemError {
        ItemError(Box::new(cause))
    }
}

impl fmt::Display for ItemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for ItemError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
