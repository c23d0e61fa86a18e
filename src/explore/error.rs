//! What keeps a page from being made, as sentences.

use racgen_data::error::DataError;
use racgen_logic::unread::Unread;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ExploreError {
    /// Rows that cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A report of faults that cannot be read.
    #[error(transparent)]
    Read(#[from] Unread),
    /// There is nothing to show.
    #[error("`{0}` holds no item; name the output folder of a run, or a data file")]
    Empty(String),
}
