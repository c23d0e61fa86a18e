//! What can go wrong with pictures, as sentences.

use racgen_logic::fault::Fault;
use racgen_logic::unread::Unread;

/// Everything that keeps a picture from being made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// A file of digits that does not read, with its name.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A file or folder that cannot be opened.
    #[error(transparent)]
    Read(#[from] Unread),
    /// A drawing that makes no pixels.
    #[error("a drawing makes no picture: {0}; this is a fault of racgen, please report it")]
    Raster(String),
}
