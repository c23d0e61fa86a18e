//! JSONL to rows: one object a line; blank lines do not count.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};

use crate::read::{OwnedRow, ReadError, Record, Records, Rows, assemble};

pub(super) fn open(path: &Path, file: File, skip: &mut u64) -> Result<Rows, ReadError> {
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
    fn advance(&mut self) -> Result<bool, ReadError> {
        loop {
            self.text.clear();
            self.number += 1;
            let read = self.file.read_until(b'\n', &mut self.text);
            if read.map_err(|cause| ReadError::Io { path: self.path.clone(), cause })? == 0 {
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

    fn record(&self) -> Result<Map<String, Json>, ReadError> {
        serde_json::from_slice(&self.text).map_err(|error| ReadError::Broken {
            path: self.path.clone(),
            place: self.place(),
            cause: format!("this is no JSON object ({error})"),
        })
    }

    fn row(&self) -> Result<OwnedRow, ReadError> {
        assemble(self.record()?, &self.path, || self.place())
    }
}

impl Iterator for Lines {
    type Item = Result<OwnedRow, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.advance() {
            Ok(true) => Some(self.row()),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}
