//! What a format adds to a sink.

use crate::error::DataError;
use crate::row::Row;
use crate::write::partial::PartialFile;

/// What a format adds: rows to bytes.
pub(crate) trait Encode: Send {
    fn encode(&mut self, rows: &[Row]) -> Result<(), DataError>;
    /// Appends what was held back and gives the file back.
    fn close(self) -> Result<PartialFile, DataError>;
}
