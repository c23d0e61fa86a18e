//! Rows to Parquet: row groups of 10,000 rows, dictionaries, zstd.
//!
//! The questions of one story share their texts, so a dictionary stores each text once in a row group and
//! compression sees little else. Rows reach the encoder in chunks of a fixed size, because pages end where a
//! chunk ends: the bytes then depend on the rows only.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BinaryArray, Int32Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::columns::{COLUMNS, ExtraColumn, ExtraKind, Value};
use crate::error::DataError;
use crate::row::{ExtraValue, ObjectName, Row};
use crate::write::partial::PartialFile;
use crate::write::rows::encode::Encode;

/// Rows of a row group; a multiple of [`CHUNK`].
const GROUP: usize = 10_000;
/// Rows of one record batch.
const CHUNK: usize = 1_000;
/// Bytes of text in one record batch, below the 2 GiB that 32-bit offsets reach.
const CHUNK_BYTES: usize = 1 << 30;
/// Bytes of a column's dictionary, enough for the distinct contexts of a row group.
const DICTIONARY_BYTES: usize = 16 << 20;
/// Bytes a reader can expect in one data page.
const PAGE_BYTES: usize = 1 << 20;

pub(super) struct ParquetEncoder {
    writer: ArrowWriter<PartialFile>,
    schema: SchemaRef,
    extra: Vec<ExtraColumn>,
    path: PathBuf,
    /// Rows that do not fill a chunk yet.
    waiting: Vec<Row>,
}

impl ParquetEncoder {
    pub(crate) fn new(file: PartialFile, extra: &[ExtraColumn]) -> Result<ParquetEncoder, DataError> {
        let path = file.path().to_owned();
        let schema = schema(extra);
        // Readers get plain Parquet types, so the Arrow schema would repeat them.
        let options = ArrowWriterOptions::new()
            .with_properties(properties().map_err(|e| from_parquet(e, &path))?)
            .with_skip_arrow_metadata(true);
        let writer = ArrowWriter::try_new_with_options(file, schema.clone(), options)
            .map_err(|e| from_parquet(e, &path))?;
        Ok(ParquetEncoder { writer, schema, extra: extra.to_vec(), path, waiting: Vec::with_capacity(CHUNK) })
    }

    /// Writes one chunk, in halves if it holds more text than a record batch can.
    fn chunk(&mut self, rows: &[Row]) -> Result<(), DataError> {
        if rows.iter().map(size).sum::<usize>() > CHUNK_BYTES {
            let [row] = rows else {
                let (front, back) = rows.split_at(rows.len() / 2);
                self.chunk(front)?;
                return self.chunk(back);
            };
            let message = format!("row {} holds {} bytes of text", row.id, size(row));
            return Err(DataError::Encode { path: self.path.clone(), message });
        }
        let batch = batch(&self.schema, rows, &self.extra).map_err(|e| from_parquet(e.into(), &self.path))?;
        self.writer.write(&batch).map_err(|e| from_parquet(e, &self.path))
    }
}

impl Encode for ParquetEncoder {
    fn encode(&mut self, mut rows: &[Row]) -> Result<(), DataError> {
        if !self.waiting.is_empty() {
            let (front, rest) = rows.split_at(rows.len().min(CHUNK - self.waiting.len()));
            self.waiting.extend_from_slice(front);
            rows = rest;
            if self.waiting.len() == CHUNK {
                let chunk = std::mem::take(&mut self.waiting);
                self.chunk(&chunk)?;
            }
        }
        let chunks = rows.chunks_exact(CHUNK);
        self.waiting.extend_from_slice(chunks.remainder());
        for chunk in chunks {
            self.chunk(chunk)?;
        }
        Ok(())
    }

    fn close(mut self) -> Result<PartialFile, DataError> {
        let rest = std::mem::take(&mut self.waiting);
        self.chunk(&rest)?;
        self.writer.into_inner().map_err(|e| from_parquet(e, &self.path))
    }
}

fn properties() -> Result<WriterProperties, ParquetError> {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_max_row_group_row_count(Some(GROUP))
        .set_dictionary_page_size_limit(DICTIONARY_BYTES)
        .set_data_page_size_limit(PAGE_BYTES)
        .set_statistics_enabled(EnabledStatistics::Chunk);
    // No two rows share these.
    for unique in ["id", "index"] {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(unique), false);
    }
    Ok(properties.build())
}

fn schema(extra: &[ExtraColumn]) -> SchemaRef {
    let own = COLUMNS.iter().map(|c| Field::new(c.name, data_type(c.value), false));
    let extra = extra.iter().map(|c| Field::new(&*c.name, extra_type(c.kind), may_be_null(c.kind)));
    Arc::new(Schema::new(own.chain(extra).collect::<Fields>()))
}

fn may_be_null(kind: ExtraKind) -> bool {
    matches!(kind, ExtraKind::NumberOrNull | ExtraKind::Image)
}

fn image_fields() -> Fields {
    Fields::from(vec![Field::new("bytes", DataType::Binary, true), Field::new("path", DataType::Utf8, true)])
}

fn extra_type(kind: ExtraKind) -> DataType {
    match kind {
        ExtraKind::Text => DataType::Utf8,
        ExtraKind::Number | ExtraKind::NumberOrNull => DataType::Int64,
        ExtraKind::Texts => DataType::List(element(DataType::Utf8)),
        ExtraKind::Bytes => DataType::Binary,
        ExtraKind::Image => DataType::Struct(image_fields()),
    }
}

fn data_type(value: Value) -> DataType {
    match value {
        Value::Text(..) => DataType::Utf8,
        Value::Int32(..) => DataType::Int32,
        Value::Int64(..) => DataType::Int64,
        Value::Texts(..) => DataType::List(element(DataType::Utf8)),
        Value::Objects(..) => DataType::List(element(DataType::Struct(object_fields()))),
    }
}

fn element(data_type: DataType) -> FieldRef {
    Arc::new(Field::new("element", data_type, false))
}

fn object_fields() -> Fields {
    ["id", "type", "name"].into_iter().map(|name| Field::new(name, DataType::Utf8, false)).collect()
}

fn batch(schema: &SchemaRef, rows: &[Row], extra: &[ExtraColumn]) -> Result<RecordBatch, ArrowError> {
    let own = COLUMNS.iter().map(|c| array(c.value, rows));
    let columns = own.chain(extra.iter().map(|c| extra_array(c, rows))).collect::<Result<_, _>>()?;
    RecordBatch::try_new(schema.clone(), columns)
}

fn extra_array(column: &ExtraColumn, rows: &[Row]) -> Result<ArrayRef, ArrowError> {
    Ok(match column.kind {
        ExtraKind::Text => Arc::new(StringArray::from_iter_values(rows.iter().map(|r| column.text(r)))),
        ExtraKind::Number => Arc::new(Int64Array::from_iter_values(rows.iter().map(|r| column.number(r)))),
        ExtraKind::NumberOrNull => {
            Arc::new(rows.iter().map(|r| column.number_or_null(r)).collect::<Int64Array>())
        }
        ExtraKind::Bytes => Arc::new(BinaryArray::from_iter_values(rows.iter().map(|r| column.bytes(r)))),
        ExtraKind::Image => {
            let image = |row: &Row| Some(column.bytes(row).to_vec()).filter(|bytes| !bytes.is_empty());
            let there: Vec<bool> = rows.iter().map(|row| image(row).is_some()).collect();
            let bytes: BinaryArray = rows.iter().map(image).collect();
            let path = |row: &Row| image(row).map(|_| format!("{}.png", row.id));
            let paths: StringArray = rows.iter().map(path).collect();
            let parts: Vec<ArrayRef> = vec![Arc::new(bytes), Arc::new(paths)];
            Arc::new(StructArray::try_new(image_fields(), parts, Some(NullBuffer::from(there)))?)
        }
        ExtraKind::Texts => {
            let texts = StringArray::from_iter_values(rows.iter().flat_map(|r| column.texts(r)));
            list(rows.iter().map(|r| column.texts(r).len()), Arc::new(texts))?
        }
    })
}

fn array(value: Value, rows: &[Row]) -> Result<ArrayRef, ArrowError> {
    Ok(match value {
        Value::Text(get, _) => Arc::new(StringArray::from_iter_values(rows.iter().map(get))),
        Value::Int32(get, _) => Arc::new(Int32Array::from_iter_values(rows.iter().map(get))),
        Value::Int64(get, _) => Arc::new(Int64Array::from_iter_values(rows.iter().map(get))),
        Value::Texts(get, _) => {
            let texts = StringArray::from_iter_values(rows.iter().flat_map(get));
            list(rows.iter().map(|r| get(r).len()), Arc::new(texts))?
        }
        Value::Objects(get, _) => {
            let part = |of: fn(&ObjectName) -> &str| -> ArrayRef {
                Arc::new(StringArray::from_iter_values(rows.iter().flat_map(get).map(of)))
            };
            let parts = vec![part(|o| &o.id), part(|o| &o.kind), part(|o| &o.name)];
            let objects = StructArray::try_new(object_fields(), parts, None)?;
            list(rows.iter().map(|r| get(r).len()), Arc::new(objects))?
        }
    })
}

fn list(lengths: impl ExactSizeIterator<Item = usize>, values: ArrayRef) -> Result<ArrayRef, ArrowError> {
    let offsets = OffsetBuffer::try_from_lengths(lengths).map_err(|_| {
        ArrowError::InvalidArgumentError("more list elements than 32-bit offsets reach".into())
    })?;
    Ok(Arc::new(ListArray::try_new(element(values.data_type().clone()), offsets, values, None)?))
}

/// At least the bytes and the list elements that a row adds to any one column.
fn size(row: &Row) -> usize {
    let size = |value| match value {
        Value::Text(get, _) => get(row).len(),
        Value::Int32(..) | Value::Int64(..) => 8,
        Value::Texts(get, _) => get(row).iter().map(|t| t.len() + 1).sum(),
        Value::Objects(get, _) => get(row).iter().map(|o| o.id.len() + o.kind.len() + o.name.len() + 1).sum(),
    };
    let extra = row.extra.values().map(|cell| match cell {
        ExtraValue::Text(text) => text.len(),
        ExtraValue::Number(_) => 8,
        ExtraValue::Texts(texts) => texts.iter().map(|t| t.len() + 1).sum(),
        ExtraValue::Bytes(bytes) => bytes.len(),
    });
    COLUMNS.iter().map(|c| size(c.value)).chain(extra).sum()
}

/// Looks for the operating system's words inside the error of the Parquet writer.
pub(crate) fn from_parquet(error: ParquetError, path: &Path) -> DataError {
    let path = path.to_owned();
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(cause) => DataError::Write { action: "write", path, cause: *cause },
            Err(other) => DataError::Encode { path, message: other.to_string() },
        },
        other => DataError::Encode { path, message: other.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::*;
    use crate::format::Format;
    use crate::sample;
    use crate::write::rows::sink::open;

    #[test]
    fn groups_read_back() -> Result<(), Box<dyn std::error::Error>> {
        let rows = sample::rows(25_003);
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.parquet");
        let mut sink = open(Format::Parquet, &path)?;
        for slice in rows.chunks(777) {
            sink.write(slice)?;
        }
        sink.finish()?;

        let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(&path)?)?;
        let groups: Vec<_> = builder.metadata().row_groups().iter().map(|g| g.num_rows()).collect();
        assert_eq!(groups, [10_000, 10_000, 5_003]);
        assert_eq!(builder.schema().fields(), schema(&[]).fields());
        let mut left = rows.as_slice();
        for read in builder.with_batch_size(1_234).build()? {
            let read = read?;
            let (slice, rest) = left.split_at(read.num_rows());
            assert_eq!(read.columns(), batch(&schema(&[]), slice, &[])?.columns());
            left = rest;
        }
        assert!(left.is_empty());
        Ok(())
    }
}
