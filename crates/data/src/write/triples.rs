//! Triples of induction tasks to Parquet and JSONL: one row a triple, atoms as lists.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::arrow_writer::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use serde::Serialize;

use crate::error::DataError;
use crate::write::partial::{PartialFile, Written};

/// Rows of one record batch.
const CHUNK: usize = 1_000;
/// Rows of a row group.
const GROUP: usize = 20_000;

/// One triple.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TripleRow {
    /// Content hash, 32 hexadecimal digits; unique within a task.
    pub id: String,
    /// Name of the game.
    pub game: String,
    /// `goal`, `legal`, `next` or `terminal`.
    pub target: String,
    /// `train`, `validate` or `test`.
    pub split: String,
    /// Position in the split.
    pub index: i64,
    /// The first trace that met it.
    pub trace: i64,
    /// What holds and what is done; the statics of the game hold besides.
    pub background: Vec<String>,
    /// What follows.
    pub positives: Vec<String>,
    /// What does not follow; empty where the signature implies it.
    pub negatives: Vec<String>,
}

/// Writes rows to a file in one of two formats. `rows` are made chunk by chunk.
///
/// # Errors
/// Those of the operating system and of the format.
pub fn write(
    parquet: bool,
    path: &Path,
    mut rows: impl Iterator<Item = TripleRow>,
) -> Result<Written, DataError> {
    let mut file = PartialFile::create(path)?;
    let mut count = 0;
    if !parquet {
        let mut line = Vec::new();
        for row in rows {
            line.clear();
            let encoded = serde_json::to_writer(&mut line, &row);
            encoded.map_err(|e| DataError::Encode { path: path.to_owned(), message: e.to_string() })?;
            line.push(b'\n');
            file.write_all(&line).map_err(|cause| file.error("write", cause))?;
            count += 1;
        }
        return file.persist(count);
    }
    let failed =
        |e: &dyn std::fmt::Display| DataError::Encode { path: path.to_owned(), message: e.to_string() };
    let element = || Arc::new(Field::new("element", DataType::Utf8, false));
    let text = |name: &str| Field::new(name, DataType::Utf8, false);
    let number = |name: &str| Field::new(name, DataType::Int64, false);
    let list = |name: &str| Field::new(name, DataType::List(element()), false);
    let schema = Arc::new(Schema::new(vec![
        text("id"),
        text("game"),
        text("target"),
        text("split"),
        number("index"),
        number("trace"),
        list("background"),
        list("positives"),
        list("negatives"),
    ]));
    let level = ZstdLevel::try_new(1).map_err(|e| failed(&e))?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(Some(GROUP))
        .build();
    let mut writer = ArrowWriter::try_new(file, schema.clone(), Some(properties)).map_err(|e| failed(&e))?;
    loop {
        let chunk: Vec<TripleRow> = rows.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            break;
        }
        count += chunk.len() as u64;
        let texts = |get: fn(&TripleRow) -> &str| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(chunk.iter().map(get)))
        };
        let numbers = |get: fn(&TripleRow) -> i64| -> ArrayRef {
            Arc::new(Int64Array::from_iter_values(chunk.iter().map(get)))
        };
        let lists = |get: fn(&TripleRow) -> &[String]| -> ArrayRef {
            let mut builder = ListBuilder::new(StringBuilder::new()).with_field(element());
            for row in &chunk {
                get(row).iter().for_each(|atom| builder.values().append_value(atom));
                builder.append(true);
            }
            Arc::new(builder.finish())
        };
        let columns = vec![
            texts(|r| &r.id),
            texts(|r| &r.game),
            texts(|r| &r.target),
            texts(|r| &r.split),
            numbers(|r| r.index),
            numbers(|r| r.trace),
            lists(|r| &r.background),
            lists(|r| &r.positives),
            lists(|r| &r.negatives),
        ];
        let batch = RecordBatch::try_new(schema.clone(), columns).map_err(|e| failed(&e))?;
        writer.write(&batch).map_err(|e| failed(&e))?;
    }
    writer.into_inner().map_err(|e| failed(&e))?.persist(count)
}
