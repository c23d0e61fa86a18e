//! Rows to a stream of record batches, as Arrow's C data interface hands it to other languages.

use std::error::Error;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};

use crate::columns::ExtraColumn;
use crate::row::Row;
use crate::write::rows::record_batch::{batch, schema};

/// Rows, some at a time; each part becomes a batch. After an error it ends.
pub type RowParts = Box<dyn Iterator<Item = Result<Vec<Row>, Box<dyn Error + Send + Sync>>> + Send>;

struct RowBatches {
    schema: SchemaRef,
    extra: Vec<ExtraColumn>,
    parts: RowParts,
}

impl Iterator for RowBatches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let part = self.parts.next()?.map_err(ArrowError::ExternalError);
        Some(part.and_then(|rows| batch(&self.schema, &rows, &self.extra)))
    }
}

impl RecordBatchReader for RowBatches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// A stream of rows with these columns besides those of all rows.
pub fn stream(extra: &[ExtraColumn], parts: RowParts) -> FFI_ArrowArrayStream {
    FFI_ArrowArrayStream::new(Box::new(RowBatches { schema: schema(extra), extra: extra.to_vec(), parts }))
}

/// The schema of such a stream.
///
/// # Errors
/// A column that the interface has no type for.
pub fn stream_schema(extra: &[ExtraColumn]) -> Result<FFI_ArrowSchema, ArrowError> {
    FFI_ArrowSchema::try_from(&*schema(extra))
}
