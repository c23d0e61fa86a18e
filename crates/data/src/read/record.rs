//! A record of a file to a row.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use crate::columns::COLUMNS;
use crate::error::DataError;
use crate::row::{ExtraValue, Row};

/// A stream of rows. After an error it ends.
pub type Rows = Box<dyn Iterator<Item = Result<Row, DataError>>>;

/// A record of a file with columns of any names.
#[derive(Clone, Debug)]
pub struct Record {
    /// The cells by their columns; those of CSV are texts.
    pub columns: Map<String, Json>,
    /// Line or row.
    pub place: String,
}

/// A stream of records. After an error it ends.
pub type Records = Box<dyn Iterator<Item = Result<Record, DataError>>>;

/// A record to a row, with its place for errors; `extra` are its cells of columns that not all rows have.
pub(crate) fn assemble(
    mut record: Map<String, Json>,
    extra: BTreeMap<Arc<str>, ExtraValue>,
    path: &Path,
    place: impl Fn() -> String,
) -> Result<Row, DataError> {
    let mut row = Row { extra, ..Row::default() };
    for column in &COLUMNS {
        let Some(value) = record.remove(column.name) else {
            return Err(DataError::Missing { path: path.to_owned(), place: place(), column: column.name });
        };
        if let Err(wanted) = column.value.set(&mut row, value) {
            let cause = format!("the column `{}` holds something else than {wanted}", column.name);
            return Err(DataError::Broken { path: path.to_owned(), place: place(), cause });
        }
    }
    Ok(row)
}

/// A cell of a column that not all rows have; none for types that no such column has.
pub(crate) fn extra(value: &Json) -> Option<ExtraValue> {
    match value {
        Json::String(text) => Some(ExtraValue::Text(text.clone())),
        Json::Number(number) => number.as_i64().map(ExtraValue::Number),
        Json::Array(list) => {
            let texts = list.iter().map(|text| text.as_str().map(str::to_owned));
            texts.collect::<Option<_>>().map(ExtraValue::Texts)
        }
        _ => None,
    }
}
