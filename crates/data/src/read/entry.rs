//! An object with some of a row's columns to the row, as programs hold it that have read a data set themselves.

use serde_json::{Map, Value as Json};

use crate::columns::COLUMNS;
use crate::read::record::extra;
use crate::row::Row;

/// The row of an object. Columns that it lacks are empty, unless they are `needed`; those that no row has are passed over
/// where they hold something that no cell holds.
///
/// # Errors
/// A needed column that is missing, and columns of another type, in words.
pub fn row_of(mut entry: Map<String, Json>, needed: &[&str]) -> Result<Row, String> {
    let mut row = Row::default();
    for column in &COLUMNS {
        match entry.remove(column.name) {
            Some(value) => column.value.set(&mut row, value).map_err(|wanted| {
                format!(
                    "the column `{}` of the entry holds something else than {wanted}; give a row as racgen made it",
                    column.name
                )
            })?,
            None if needed.contains(&column.name) => {
                return Err(format!(
                    "the entry has no column `{}`; give a row as racgen made it, with the columns {}",
                    column.name,
                    needed.join(", ")
                ));
            }
            None => {}
        }
    }
    row.extra =
        entry.iter().filter_map(|(name, value)| Some((name.as_str().into(), extra(value)?))).collect();
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn rows_come_back_and_what_is_needed_is_named() -> Result<(), Box<dyn std::error::Error>> {
        let row = sample::rows(1).remove(0);
        let Json::Object(entry) = serde_json::to_value(&row)? else { return Err("no object".into()) };
        assert_eq!(row_of(entry.clone(), &["answer"])?, row);
        let some: Map<String, Json> = entry.into_iter().filter(|(name, _)| name == "answer").collect();
        assert_eq!(row_of(some.clone(), &["answer"])?.answer, row.answer);
        let missing = row_of(some, &["answer", "question"]).err().ok_or("read")?;
        assert!(missing.starts_with("the entry has no column `question`; give a row"), "{missing}");
        Ok(())
    }
}
