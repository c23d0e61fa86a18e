//! Columns to the entry of a Parquet file that tells Hugging Face `datasets` which of them are images, where no card does.

use parquet::file::metadata::KeyValue;
use serde_json::{Map, Value as Json, json};

use crate::columns::{COLUMNS, ExtraColumn, ExtraKind, Value};

/// A column of single values, in the words of `datasets`.
pub(crate) fn value(kind: &str) -> Json {
    json!({"dtype": kind, "_type": "Value"})
}

/// A column of lists.
pub(crate) fn list(of: Json) -> Json {
    json!({"feature": of, "_type": "List"})
}

/// A column of images.
pub(crate) fn image() -> Json {
    json!({"_type": "Image"})
}

/// The entry that says what columns hold.
pub(crate) fn entry(columns: impl Iterator<Item = (String, Json)>) -> KeyValue {
    let all: Map<String, Json> = columns.collect();
    KeyValue::new("huggingface".into(), json!({"info": {"features": all}}).to_string())
}

/// The entry of rows with an image; none where they have no image.
pub(crate) fn of_rows(extra: &[ExtraColumn]) -> Option<KeyValue> {
    if !extra.iter().any(|column| column.kind == ExtraKind::Image) {
        return None;
    }
    let text = || value("string");
    let own = COLUMNS.iter().map(|column| {
        let feature = match column.value {
            Value::Text(..) => text(),
            Value::Int32(..) => value("int32"),
            Value::Int64(..) => value("int64"),
            Value::Texts(..) => list(text()),
            Value::Objects(..) => list(json!({"id": text(), "type": text(), "name": text()})),
        };
        (column.name, feature)
    });
    let extra = extra.iter().map(|column| {
        let feature = match column.kind {
            ExtraKind::Text => text(),
            ExtraKind::Number | ExtraKind::NumberOrNull => value("int64"),
            ExtraKind::Texts => list(text()),
            ExtraKind::Bytes => value("binary"),
            ExtraKind::Image => image(),
        };
        (&*column.name, feature)
    });
    Some(entry(own.chain(extra).map(|(name, kind)| (name.to_owned(), kind))))
}
