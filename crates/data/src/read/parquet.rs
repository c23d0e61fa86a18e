//! Parquet to rows: row groups before the first row wanted stay unread, the others come in small batches.

use std::collections::BTreeMap;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use serde_json::{Map, Value as Json};

use crate::columns::COLUMNS;
use crate::error::DataError;
use crate::read::record::{Record, Records, Rows, assemble, extra};
use crate::row::{ExtraValue, Row};

/// Rows that are decoded at once.
const BATCH: usize = 100;

pub(super) fn open(path: &Path, file: File, skip: &mut u64) -> Result<Rows, DataError> {
    // The plain Parquet types serve, whichever Arrow types the writer had.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder = guard(|| ParquetRecordBatchReaderBuilder::try_new_with_options(file, options))
        .map_err(|cause| broken(path, "its footer".into(), &cause))?;
    if let Some(column) = COLUMNS.iter().find(|c| builder.schema().index_of(c.name).is_err()) {
        return Err(DataError::Missing {
            path: path.to_owned(),
            place: "all rows".into(),
            column: column.name,
        });
    }
    // The reader would panic at these.
    let mut columns = builder.metadata().row_groups().iter().flat_map(|group| group.columns());
    if columns
        .any(|c| c.dictionary_page_offset().unwrap_or(c.data_page_offset()).min(c.compressed_size()) < 0)
    {
        return Err(broken(path, "its footer".into(), "a column starts or ends before the file"));
    }
    let mut wanted = Vec::new();
    let mut row = 0;
    for (number, group) in builder.metadata().row_groups().iter().enumerate() {
        let size = u64::try_from(group.num_rows()).unwrap_or(0);
        if wanted.is_empty() && *skip >= size {
            *skip -= size;
            row += size;
        } else {
            wanted.push(number);
        }
    }
    let offset = if wanted.is_empty() { 0 } else { std::mem::take(skip) };
    row += offset;
    let builder = builder
        .with_row_groups(wanted)
        .with_offset(usize::try_from(offset).unwrap_or(usize::MAX))
        .with_batch_size(BATCH);
    let reader = guard(|| builder.build()).map_err(|cause| broken(path, format!("row {row}"), &cause))?;
    Ok(Box::new(Batches { reader, batch: None, row, path: path.to_owned() }))
}

/// The rows as they are, whatever columns they have.
pub(super) fn records(path: &Path, file: File) -> Result<Records, DataError> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let built = guard(|| {
        let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options)?;
        builder.with_batch_size(BATCH).build()
    });
    let mut reader = built.map_err(|cause| broken(path, "its footer".into(), &cause))?;
    let path = path.to_owned();
    let mut batch: Option<(RecordBatch, usize)> = None;
    let mut row = 0u64;
    Ok(Box::new(std::iter::from_fn(move || {
        loop {
            if let Some((rows, at)) = &mut batch
                && *at < rows.num_rows()
            {
                let schema = rows.schema();
                let cells = schema.fields().iter().zip(rows.columns());
                let columns = cells.map(|(field, array)| (field.name().clone(), json(array, *at))).collect();
                *at += 1;
                row += 1;
                return Some(Ok(Record { columns, place: format!("row {}", row - 1) }));
            }
            match guard(|| reader.next().transpose()) {
                Ok(found) => batch = Some((found?, 0)),
                Err(cause) => return Some(Err(broken(&path, format!("row {row}"), &cause))),
            }
        }
    })))
}

struct Batches {
    reader: ParquetRecordBatchReader,
    /// The batch at hand and the place of its next row.
    batch: Option<(RecordBatch, usize)>,
    /// The number of that row in the file.
    row: u64,
    path: PathBuf,
}

impl Iterator for Batches {
    type Item = Result<Row, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((batch, at)) = &mut self.batch
                && *at < batch.num_rows()
            {
                let mut record = Map::new();
                let mut more = BTreeMap::new();
                for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
                    if COLUMNS.iter().any(|column| column.name == field.name()) {
                        record.insert(field.name().clone(), json(array, *at));
                    } else if let Some(cell) = extra_cell(array, *at) {
                        more.insert(field.name().as_str().into(), cell);
                    }
                }
                *at += 1;
                self.row += 1;
                let number = self.row - 1;
                return Some(assemble(record, more, &self.path, || format!("row {number}")));
            }
            match guard(|| self.reader.next().transpose()) {
                Ok(batch) => self.batch = Some((batch?, 0)),
                Err(cause) => return Some(Err(broken(&self.path, format!("row {}", self.row), &cause))),
            }
        }
    }
}

/// An array's element; null for types that no column has, which the column's check then refuses.
fn json(array: &dyn Array, at: usize) -> Json {
    if array.is_null(at) {
        return Json::Null;
    }
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(at).into(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(at).into(),
        DataType::Boolean => array.as_boolean().value(at).into(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(at).into(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(at).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(at).into(),
        DataType::List(_) => {
            let list = array.as_list::<i32>().value(at);
            (0..list.len()).map(|i| json(&list, i)).collect()
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            fields
                .iter()
                .zip(columns)
                .map(|(field, column)| (field.name().clone(), json(column, at)))
                .collect()
        }
        _ => Json::Null,
    }
}

/// A cell of a column that not all rows have.
fn extra_cell(array: &dyn Array, at: usize) -> Option<ExtraValue> {
    match array.data_type() {
        DataType::Binary if !array.is_null(at) => {
            Some(ExtraValue::Bytes(array.as_binary::<i32>().value(at).to_vec()))
        }
        // An image is read as its bytes.
        DataType::Struct(fields) if !array.is_null(at) => {
            let place = fields.iter().position(|field| field.name() == "bytes")?;
            extra_cell(array.as_struct().column(place), at)
        }
        _ => extra(&json(array, at)),
    }
}

/// Calls the Parquet crate, which panics at some damages that it does not look for. The reader is not used again.
fn guard<T, E: ToString>(call: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(panic) => Err(match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
            (Some(text), _) => text.clone(),
            (None, Some(text)) => (*text).to_owned(),
            (None, None) => "it leads nowhere".to_owned(),
        }),
    }
}

fn broken(path: &Path, place: String, cause: &str) -> DataError {
    let cause = format!("this is no readable Parquet ({cause})");
    DataError::Broken { path: path.to_owned(), place, cause }
}
