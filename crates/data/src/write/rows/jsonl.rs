//! Rows to JSONL: one object a line, keys in the order of the columns.

use std::io::Write;

use crate::columns::{COLUMNS, ExtraColumn, Value};
use crate::error::DataError;
use crate::row::Row;
use crate::write::partial::PartialFile;
use crate::write::rows::encode::Encode;

pub(super) struct JsonlEncoder {
    file: PartialFile,
    extra: Vec<ExtraColumn>,
    line: Vec<u8>,
}

impl JsonlEncoder {
    pub(super) fn new(file: PartialFile, extra: &[ExtraColumn]) -> JsonlEncoder {
        JsonlEncoder { file, extra: extra.to_vec(), line: Vec::new() }
    }
}

/// Appends a row as one object and a line break; the columns are written one by one, so that no object is built in memory.
///
/// # Errors
/// A cell that JSON has no form for.
pub fn append_line(line: &mut Vec<u8>, row: &Row, extra: &[ExtraColumn]) -> serde_json::Result<()> {
    for (number, column) in COLUMNS.iter().enumerate() {
        line.extend(if number == 0 { b"{\"" } else { b",\"" });
        line.extend(column.name.as_bytes());
        line.extend(b"\":");
        match column.value {
            Value::Text(get, _) => serde_json::to_writer(&mut *line, get(row))?,
            Value::Int32(get, _) => serde_json::to_writer(&mut *line, &get(row))?,
            Value::Int64(get, _) => serde_json::to_writer(&mut *line, &get(row))?,
            Value::Texts(get, _) => serde_json::to_writer(&mut *line, get(row))?,
            Value::Objects(get, _) => serde_json::to_writer(&mut *line, get(row))?,
        }
    }
    for column in extra {
        line.push(b',');
        serde_json::to_writer(&mut *line, &*column.name)?;
        line.push(b':');
        serde_json::to_writer(&mut *line, &column.json(row))?;
    }
    line.extend(b"}\n");
    Ok(())
}

impl Encode for JsonlEncoder {
    fn encode(&mut self, rows: &[Row]) -> Result<(), DataError> {
        for row in rows {
            self.line.clear();
            append_line(&mut self.line, row, &self.extra).map_err(|e| DataError::Encode {
                path: self.file.path().to_owned(),
                message: e.to_string(),
            })?;
            self.file.write_all(&self.line).map_err(|cause| self.file.error("write", cause))?;
        }
        Ok(())
    }

    fn close(self) -> Result<PartialFile, DataError> {
        Ok(self.file)
    }
}

#[cfg(test)]
mod tests {
    use crate::format::Format;
    use crate::sample;
    use crate::write::rows::sink::open;

    #[test]
    fn lines_parse_back() -> Result<(), Box<dyn std::error::Error>> {
        let rows = sample::rows(321);
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.jsonl");
        let mut sink = open(Format::Jsonl, &path)?;
        sink.write(&rows)?;
        sink.finish()?;
        let text = std::fs::read_to_string(&path)?;
        let lines = text.lines().map(serde_json::from_str).collect::<Result<Vec<serde_json::Value>, _>>()?;
        assert_eq!(lines, rows.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>()?);
        Ok(())
    }
}
