//! Rows and records to the bytes that they take in memory, in the format of Arrow: what Hugging Face calls the size of a
//! data set, where the files of its download are compressed.

use serde_json::Value as Json;

use crate::columns::{COLUMNS, Value};
use crate::row::{ExtraValue, ObjectName, Row};

/// Texts and lists have an offset of so many bytes each.
const OFFSET: u64 = 4;

fn text(text: &str) -> u64 {
    OFFSET + text.len() as u64
}

/// The bytes of a row.
pub fn arrow_size(row: &Row) -> u64 {
    let object = |object: &ObjectName| {
        [&object.id, &object.kind, &object.name].map(|part| text(part)).iter().sum::<u64>()
    };
    let own = COLUMNS.iter().map(|column| match column.value {
        Value::Text(get, _) => text(get(row)),
        Value::Int32(..) => 4,
        Value::Int64(..) => 8,
        Value::Texts(get, _) => OFFSET + get(row).iter().map(|part| text(part)).sum::<u64>(),
        Value::Objects(get, _) => OFFSET + get(row).iter().map(object).sum::<u64>(),
    });
    let extra = row.extra.values().map(|value| match value {
        ExtraValue::Text(cell) => text(cell),
        ExtraValue::Number(_) => 8,
        ExtraValue::Texts(cells) => OFFSET + cells.iter().map(|cell| text(cell)).sum::<u64>(),
        ExtraValue::Bytes(cell) => OFFSET + cell.len() as u64,
    });
    own.chain(extra).sum()
}

/// The bytes of a record of another form; the bit of a yes or no is left out.
pub fn record_size(record: &Json) -> u64 {
    match record {
        Json::String(cell) => text(cell),
        Json::Number(_) => 8,
        Json::Array(list) => OFFSET + list.iter().map(record_size).sum::<u64>(),
        Json::Object(all) => all.values().map(record_size).sum(),
        Json::Bool(_) | Json::Null => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_longer_text_takes_as_many_bytes_more() {
        let row = sample::rows(1).remove(0);
        let longer = Row { question: format!("{}12345", row.question), ..row.clone() };
        assert_eq!(arrow_size(&longer), arrow_size(&row) + 5);
        assert!(arrow_size(&row) > row.context.len() as u64);
        assert_eq!(
            record_size(&serde_json::json!({"id": "abc", "answer": true, "messages": [{"role": "user"}]})),
            19
        );
    }
}
