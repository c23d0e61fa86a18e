//! JSONL to rows: one object a line; blank lines do not count.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};

use crate::columns::COLUMNS;
use crate::error::DataError;
use crate::read::record::{Record, Records, Rows, assemble, extra};
use crate::row::Row;

pub(super) fn open(path: &Path, file: File, skip: &mut u64) -> Result<Rows, DataError> {
    let mut lines = Lines { file: BufReader::new(file), text: Vec::new(), number: 0, path: path.to_owned() };
    while *skip > 0 && lines.advance()? {
        *skip -= 1;
    }
    Ok(Box::new(lines))
}

/// The lines as they are, whatever columns they have.
pub(super) fn records(path: &Path, file: File) -> Records {
    let mut lines = Lines { file: BufReader::new(file), text: Vec::new(), number: 0, path: path.to_owned() };
    Box::new(std::iter::from_fn(move || match lines.advance() {
        Ok(true) => {
            let record = lines.record().map(|columns| Record { columns, place: lines.place() });
            Some(record)
        }
        Ok(false) => None,
        Err(error) => Some(Err(error)),
    }))
}

struct Lines {
    file: BufReader<File>,
    text: Vec<u8>,
    /// Of the line in `text`, counted from 1.
    number: u64,
    path: PathBuf,
}

impl Lines {
    /// Reads the next line that is not blank; false at the end.
    fn advance(&mut self) -> Result<bool, DataError> {
        loop {
            self.text.clear();
            self.number += 1;
            let read = self.file.read_until(b'\n', &mut self.text);
            if read.map_err(|cause| DataError::Read { path: self.path.clone(), cause })? == 0 {
                return Ok(false);
            }
            if !self.text.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }

    fn place(&self) -> String {
        format!("line {}", self.number)
    }

    fn record(&self) -> Result<Map<String, Json>, DataError> {
        serde_json::from_slice(&self.text).map_err(|error| DataError::Broken {
            path: self.path.clone(),
            place: self.place(),
            cause: format!("this is no JSON object ({error})"),
        })
    }

    fn row(&self) -> Result<Row, DataError> {
        let record = self.record()?;
        let known = |name: &str| COLUMNS.iter().any(|column| column.name == name);
        let more = record.iter().filter(|(name, _)| !known(name));
        let more = more.filter_map(|(name, value)| Some((name.as_str().into(), extra(value)?))).collect();
        assemble(record, more, &self.path, || self.place())
    }
}

impl Iterator for Lines {
    type Item = Result<Row, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.advance() {
            Ok(true) => Some(self.row()),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}
