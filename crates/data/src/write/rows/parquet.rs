//! Rows to Parquet: row groups of 10,000 rows, dictionaries, zstd.
//!
//! The questions of one story share their texts, so a dictionary stores each text once in a row group and
//! compression sees little else. Rows reach the encoder in chunks of a fixed size, because pages end where a
//! chunk ends: the bytes then depend on the rows only.

use std::io;
use std::path::{Path, PathBuf};

use arrow_schema::SchemaRef;
use parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::columns::{COLUMNS, ExtraColumn, IMAGE, Value};
use crate::error::DataError;
use crate::row::{ExtraValue, Row};
use crate::write::partial::PartialFile;
use crate::write::rows::encode::Encode;
use crate::write::rows::features::of_rows;
use crate::write::rows::record_batch::{batch, schema};

/// Rows of a row group; a multiple of [`CHUNK`].
const GROUP: usize = 10_000;
/// Rows of one record batch.
const CHUNK: usize = 1_000;
/// Bytes of text in one record batch, below the 2 GiB that 32-bit offsets reach.
const CHUNK_BYTES: usize = 1 << 30;
/// Bytes of a column's dictionary, enough for the distinct contexts of a row group.
const DICTIONARY_BYTES: usize = 16 << 20;
/// The same for pictures.
pub(crate) const IMAGE_DICTIONARY_BYTES: usize = 64 << 20;
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
        let mut writer = ArrowWriter::try_new_with_options(file, schema.clone(), options)
            .map_err(|e| from_parquet(e, &path))?;
        of_rows(extra).into_iter().for_each(|entry| writer.append_key_value_metadata(entry));
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
    // Rows of one story share their picture.
    properties = properties.set_column_dictionary_page_size_limit(
        ColumnPath::from(vec![IMAGE.to_owned(), "bytes".to_owned()]),
        IMAGE_DICTIONARY_BYTES,
    );
    Ok(properties.build())
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
