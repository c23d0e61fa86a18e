//! Rows to JSONL: one object a line, keys in the order of the columns.

use std::io::Write;

use crate::row::Row;
use crate::write::partial::PartialFile;
use crate::write::{Encode, OutputError};

pub(super) struct JsonlEncoder {
    file: PartialFile,
    line: Vec<u8>,
}

impl JsonlEncoder {
    pub(super) fn new(file: PartialFile) -> JsonlEncoder {
        JsonlEncoder { file, line: Vec::new() }
    }
}

impl Encode for JsonlEncoder {
    fn encode(&mut self, rows: &[Row]) -> Result<(), OutputError> {
        for row in rows {
            self.line.clear();
            serde_json::to_writer(&mut self.line, row).map_err(|e| OutputError::Encode {
                path: self.file.path().to_owned(),
                message: e.to_string(),
            })?;
            self.line.push(b'\n');
            self.file.write_all(&self.line).map_err(|cause| self.file.error("write", cause))?;
        }
        Ok(())
    }

    fn close(self) -> Result<PartialFile, OutputError> {
        Ok(self.file)
    }
}

#[cfg(test)]
mod tests {
    use crate::sample;
    use crate::write::Format;
    use crate::write::open;

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
