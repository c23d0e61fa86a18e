//! Rows to CSV: a header, and lists as JSON arrays within their cells.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::columns::{COLUMNS, ExtraColumn, ExtraKind, Value};
use crate::error::DataError;
use crate::row::Row;
use crate::write::partial::PartialFile;
use crate::write::rows::encode::Encode;

pub(super) struct CsvEncoder {
    writer: csv::Writer<PartialFile>,
    extra: Vec<ExtraColumn>,
    path: PathBuf,
}

impl CsvEncoder {
    pub(super) fn new(file: PartialFile, extra: &[ExtraColumn]) -> Result<CsvEncoder, DataError> {
        let path = file.path().to_owned();
        let mut writer = csv::Writer::from_writer(file);
        let names = COLUMNS.iter().map(|c| c.name).chain(extra.iter().map(|c| &*c.name));
        writer.write_record(names).map_err(|e| from_csv(e, &path))?;
        Ok(CsvEncoder { writer, extra: extra.to_vec(), path })
    }
}

impl Encode for CsvEncoder {
    fn encode(&mut self, rows: &[Row]) -> Result<(), DataError> {
        for row in rows {
            for column in &COLUMNS {
                let cell = cell(column.value, row)
                    .map_err(|e| DataError::Encode { path: self.path.clone(), message: e.to_string() })?;
                self.writer.write_field(cell.as_bytes()).map_err(|e| from_csv(e, &self.path))?;
            }
            for column in &self.extra {
                let cell = extra_cell(column, row);
                self.writer.write_field(cell.as_bytes()).map_err(|e| from_csv(e, &self.path))?;
            }
            self.writer.write_record(None::<&[u8]>).map_err(|e| from_csv(e, &self.path))?;
        }
        Ok(())
    }

    fn close(self) -> Result<PartialFile, DataError> {
        let path = self.path;
        self.writer.into_inner().map_err(|e| DataError::Write {
            action: "write",
            path,
            cause: e.into_error(),
        })
    }
}

fn cell(value: Value, row: &Row) -> serde_json::Result<Cow<'_, str>> {
    Ok(match value {
        Value::Text(get, _) => get(row).into(),
        Value::Int32(get, _) => get(row).to_string().into(),
        Value::Int64(get, _) => get(row).to_string().into(),
        Value::Texts(get, _) => serde_json::to_string(get(row))?.into(),
        Value::Objects(get, _) => serde_json::to_string(get(row))?.into(),
    })
}

fn extra_cell<'r>(column: &ExtraColumn, row: &'r Row) -> Cow<'r, str> {
    match column.kind {
        ExtraKind::Text => column.text(row).into(),
        ExtraKind::NumberOrNull => column.number_or_null(row).map_or(String::new(), |n| n.to_string()).into(),
        ExtraKind::Number | ExtraKind::Texts => column.json(row).to_string().into(),
        ExtraKind::Bytes | ExtraKind::Image => {
            column.json(row).as_str().unwrap_or_default().to_owned().into()
        }
    }
}

fn from_csv(error: csv::Error, path: &Path) -> DataError {
    match error.into_kind() {
        csv::ErrorKind::Io(cause) => DataError::Write { action: "write", path: path.to_owned(), cause },
        other => DataError::Encode { path: path.to_owned(), message: format!("{other:?}") },
    }
}

#[cfg(test)]
mod tests {
    use crate::columns::COLUMNS;
    use crate::columns::Value;
    use crate::format::Format;
    use crate::sample;
    use crate::write::rows::sink::open;

    #[test]
    fn records_parse_back() -> Result<(), Box<dyn std::error::Error>> {
        let rows = sample::rows(321);
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.csv");
        let mut sink = open(Format::Csv, &path)?;
        sink.write(&rows)?;
        sink.finish()?;
        let mut reader = csv::Reader::from_path(&path)?;
        assert_eq!(reader.headers()?, COLUMNS.map(|c| c.name).as_slice());
        let records = reader.records().collect::<Result<Vec<_>, _>>()?;
        assert_eq!(records.len(), rows.len());
        for (record, row) in records.iter().zip(&rows) {
            for (cell, column) in record.iter().zip(COLUMNS) {
                match column.value {
                    Value::Text(get, _) => assert_eq!(cell, get(row)),
                    Value::Int32(get, _) => assert_eq!(cell.parse::<i32>()?, get(row)),
                    Value::Int64(get, _) => assert_eq!(cell.parse::<i64>()?, get(row)),
                    Value::Texts(get, _) => assert_eq!(serde_json::from_str::<Vec<String>>(cell)?, get(row)),
                    Value::Objects(get, _) => assert_eq!(
                        serde_json::from_str::<serde_json::Value>(cell)?,
                        serde_json::to_value(get(row))?
                    ),
                }
            }
        }
        Ok(())
    }
}
