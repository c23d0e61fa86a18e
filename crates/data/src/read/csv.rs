//! CSV to rows: columns are found by the header, and lists are JSON arrays within their cells.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use csv::{ErrorKind, Reader, StringRecord};
use serde_json::{Map, Value as Json};

use crate::columns::{COLUMNS, Value};
use crate::error::DataError;
use crate::read::record::{Record, Records, Rows, assemble};
use crate::row::{ExtraValue, Row};

pub(super) fn open(path: &Path, file: File, skip: &mut u64) -> Result<Rows, DataError> {
    let mut reader = Reader::from_reader(file);
    let header = reader.headers().map_err(|e| from_csv(e, path))?.clone();
    let mut places = [0; COLUMNS.len()];
    for (place, column) in places.iter_mut().zip(&COLUMNS) {
        *place = header.iter().position(|name| name == column.name).ok_or_else(|| DataError::Missing {
            path: path.to_owned(),
            place: "line 1 (the header)".into(),
            column: column.name,
        })?;
    }
    let known = |name: &str| COLUMNS.iter().any(|column| column.name == name);
    let extra = header.iter().enumerate().filter(|(_, name)| !known(name));
    let extra = extra.map(|(place, name)| (name.into(), place)).collect();
    let mut record = StringRecord::new();
    while *skip > 0 && reader.read_record(&mut record).map_err(|e| from_csv(e, path))? {
        *skip -= 1;
    }
    Ok(Box::new(CsvRecords { reader, record, places, extra, path: path.to_owned() }))
}

/// The records as they are, whatever columns they have; every cell is a text.
pub(super) fn records(path: &Path, file: File) -> Result<Records, DataError> {
    let mut reader = Reader::from_reader(file);
    let header = reader.headers().map_err(|e| from_csv(e, path))?.clone();
    let path = path.to_owned();
    Ok(Box::new(reader.into_records().map(move |record| {
        let record = record.map_err(|e| from_csv(e, &path))?;
        let place = format!("line {}", record.position().map_or(0, csv::Position::line));
        let cell = |(name, cell): (&str, &str)| (name.to_owned(), Json::from(cell));
        Ok(Record { columns: header.iter().zip(record.iter()).map(cell).collect(), place })
    })))
}

struct CsvRecords {
    reader: Reader<File>,
    record: StringRecord,
    /// Where each column stands in a record.
    places: [usize; COLUMNS.len()],
    /// Names and places of columns that not all rows have.
    extra: Vec<(Arc<str>, usize)>,
    path: PathBuf,
}

impl CsvRecords {
    fn row(&self) -> Result<Row, DataError> {
        let mut cells = Map::new();
        for (place, column) in self.places.iter().zip(&COLUMNS) {
            let cell = self.record.get(*place).unwrap_or_default();
            // What does not parse stays a text, which the column's check then refuses.
            let parsed = match column.value {
                Value::Text(..) => None,
                Value::Int32(..) | Value::Int64(..) => cell.parse::<i64>().ok().map(Json::from),
                Value::Texts(..) | Value::Objects(..) => serde_json::from_str(cell).ok(),
            };
            cells.insert(column.name.to_owned(), parsed.unwrap_or_else(|| cell.into()));
        }
        let line = self.record.position().map_or(0, csv::Position::line);
        let cell = |(name, place): &(Arc<str>, usize)| {
            (name.clone(), ExtraValue::Text(self.record.get(*place).unwrap_or_default().to_owned()))
        };
        assemble(cells, self.extra.iter().map(cell).collect(), &self.path, || format!("line {line}"))
    }
}

impl Iterator for CsvRecords {
    type Item = Result<Row, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.reader.read_record(&mut self.record) {
            Ok(true) => Some(self.row()),
            Ok(false) => None,
            Err(error) => Some(Err(from_csv(error, &self.path))),
        }
    }
}

fn from_csv(error: csv::Error, path: &Path) -> DataError {
    let path = path.to_owned();
    let place = error.position().map_or("the header".into(), |p| format!("line {}", p.line()));
    match error.into_kind() {
        ErrorKind::Io(cause) => DataError::Read { path, cause },
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let cause = format!("the record has {len} cells in place of {expected_len}");
            DataError::Broken { path, place, cause }
        }
        ErrorKind::Utf8 { err, .. } => DataError::Broken { path, place, cause: err.to_string() },
        other => DataError::Broken { path, place, cause: format!("{other:?}") },
    }
}
