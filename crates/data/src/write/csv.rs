//! Rows to CSV: a header, and lists as JSON arrays within their cells.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::columns::{COLUMNS, Value};
use crate::row::Row;
use crate::write::partial::PartialFile;
use crate::write::{Encode, OutputError};

pub(super) struct CsvEncoder {
    writer: csv::Writer<PartialFile>,
    path: PathBuf,
}

impl CsvEncoder {
    pub(super) fn new(file: PartialFile) -> Result<CsvEncoder, OutputError> {
        let path = file.path().to_owned();
        let mut writer = csv::Writer::from_writer(file);
        writer.write_record(COLUMNS.iter().map(|c| c.name)).map_err(|e| from_csv(e, &path))?;
        Ok(CsvEncoder { writer, path })
    }
}

impl Encode for CsvEncoder {
    fn encode(&mut self, rows: &[Row]) -> Result<(), OutputError> {
        for row in rows {
            for column in &COLUMNS {
                let cell = cell(column.value, row)
                    .map_err(|e| OutputError::Encode { path: self.path.clone(), message: e.to_string() })?;
                self.writer.write_field(cell.as_bytes()).map_err(|e| from_csv(e, &self.path))?;
            }
            self.writer.write_record(None::<&[u8]>).map_err(|e| from_csv(e, &self.path))?;
        }
        Ok(())
    }

    fn close(self) -> Result<PartialFile, OutputError> {
        let path = self.path;
        self.writer.into_inner().map_err(|e| OutputError::Io { action: "write", path, cause: e.into_error() })
    }
}

fn cell(value: Value, row: &Row) -> serde_json::Result<Cow<'_, str>> {
    Ok(match value {
        Value::Text(get) => get(row).into(),
        Value::Int32(get) => get(row).to_string().into(),
        Value::Int64(get) => get(row).to_string().into(),
        Value::Texts(get) => serde_json::to_string(get(row))?.into(),
        Value::Objects(get) => serde_json::to_string(get(row))?.into(),
    })
}

fn from_csv(error: csv::Error, path: &Path) -> OutputError {
    match error.into_kind() {
        csv::ErrorKind::Io(cause) => OutputError::Io { action: "write", path: path.to_owned(), cause },
        other => OutputError::Encode { path: path.to_owned(), message: format!("{other:?}") },
    }
}

#[cfg(test)]
mod tests {
    use crate::columns::COLUMNS;
    use crate::columns::Value;
    use crate::sample;
    use crate::write::Format;
    use crate::write::open;

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
                    Value::Text(get) => assert_eq!(cell, get(row)),
                    Value::Int32(get) => assert_eq!(cell.parse::<i32>()?, get(row)),
                    Value::Int64(get) => assert_eq!(cell.parse::<i64>()?, get(row)),
                    Value::Texts(get) => assert_eq!(serde_json::from_str::<Vec<String>>(cell)?, get(row)),
                    Value::Objects(get) => assert_eq!(
                        serde_json::from_str::<serde_json::Value>(cell)?,
                        serde_json::to_value(get(row))?
                    ),
                }
            }
        }
        Ok(())
    }
}
