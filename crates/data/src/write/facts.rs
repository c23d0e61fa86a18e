//! Facts with their provenance to Parquet and JSONL.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, BooleanArray, Int32Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use serde::Serialize;

use crate::error::DataError;
use crate::write::partial::{PartialFile, Written};

/// Facts of one record batch and of one row group.
const CHUNK: usize = 10_000;

/// One fact of a rule data set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FactRow<'a> {
    /// As Prolog writes it, without a full stop.
    pub fact: String,
    /// Its predicate.
    pub predicate: &'a str,
    /// Its arguments.
    pub arguments: Vec<&'a str>,
    /// `train` or `eval`.
    pub set: &'static str,
    /// `support`, `consequence`, `noise+`, `removed-open-world` or `removed-noise-`.
    pub provenance: &'static str,
    /// Least proof depth, 0 for support, -1 for noise.
    pub depth: i32,
    /// Is the predicate a target?
    pub target: bool,
    /// Is the fact in the training set?
    pub in_train: bool,
}

/// Writes facts as Parquet.
///
/// # Errors
/// [`DataError`]; nothing then stands under the name.
pub fn write_parquet<'a>(path: &Path, rows: impl Iterator<Item = FactRow<'a>>) -> Result<Written, DataError> {
    let failed =
        |error: ParquetError| DataError::Encode { path: path.to_owned(), message: error.to_string() };
    let field = |name: &str, kind: DataType| Field::new(name, kind, false);
    let element = Arc::new(field("element", DataType::Utf8));
    let schema = Arc::new(Schema::new(vec![
        field("fact", DataType::Utf8),
        field("predicate", DataType::Utf8),
        field("arguments", DataType::List(element.clone())),
        field("set", DataType::Utf8),
        field("provenance", DataType::Utf8),
        field("depth", DataType::Int32),
        field("target", DataType::Boolean),
        field("in_train", DataType::Boolean),
    ]));
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).map_err(failed)?))
        .set_max_row_group_row_count(Some(CHUNK * 10))
        .build();
    let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let file = PartialFile::create(path)?;
    let mut writer = ArrowWriter::try_new_with_options(file, schema.clone(), options).map_err(failed)?;
    let mut count = 0;
    let mut rows = rows.peekable();
    while rows.peek().is_some() {
        let chunk: Vec<FactRow> = rows.by_ref().take(CHUNK).collect();
        count += chunk.len() as u64;
        let text = |get: fn(&FactRow<'a>) -> String| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(chunk.iter().map(get)))
        };
        let mut arguments = ListBuilder::new(StringBuilder::new()).with_field(element.clone());
        for row in &chunk {
            row.arguments.iter().for_each(|argument| arguments.values().append_value(argument));
            arguments.append(true);
        }
        let columns: Vec<ArrayRef> = vec![
            text(|row| row.fact.clone()),
            text(|row| row.predicate.to_owned()),
            Arc::new(arguments.finish()),
            text(|row| row.set.to_owned()),
            text(|row| row.provenance.to_owned()),
            Arc::new(Int32Array::from_iter_values(chunk.iter().map(|row| row.depth))),
            Arc::new(chunk.iter().map(|row| Some(row.target)).collect::<BooleanArray>()),
            Arc::new(chunk.iter().map(|row| Some(row.in_train)).collect::<BooleanArray>()),
        ];
        let batch = RecordBatch::try_new(schema.clone(), columns).map_err(|error| failed(error.into()))?;
        writer.write(&batch).map_err(failed)?;
    }
    writer.into_inner().map_err(failed)?.persist(count)
}

/// Writes facts as JSONL.
///
/// # Errors
/// [`DataError`]; nothing then stands under the name.
pub fn write_jsonl<'a>(path: &Path, rows: impl Iterator<Item = FactRow<'a>>) -> Result<Written, DataError> {
    let mut file = PartialFile::create(path)?;
    let mut count = 0;
    for row in rows {
        count += 1;
        let mut line = serde_json::to_vec(&row)
            .map_err(|error| DataError::Encode { path: path.to_owned(), message: error.to_string() })?;
        line.push(b'\n');
        file.write_all(&line).map_err(|cause| file.error("write", cause))?;
    }
    file.persist(count)
}
