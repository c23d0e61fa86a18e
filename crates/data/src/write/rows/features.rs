//! Columns to the entry of a Parquet file that tells Hugging Face `datasets` which of them are images, where no card does.

use parquet::file::metadata::KeyValue;
use serde_json::{Map, Value as Json, json};

use crate::columns::{COLUMNS, ExtraColumn, ExtraKind, Value};

/// The entry of rows with an image; none where they have no image.
pub(crate) fn of_rows(extra: &[ExtraColumn]) -> Option<KeyValue> {
    if !extra.iter().any(|column| column.kind == ExtraKind::Image) {
        return None;
    }
    let value = |kind: &str| json!({"dtype": kind, "_type": "Value"});
    let list = |of: Json| json!({"feature": of, "_type": "List"});
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
            ExtraKind::Image => json!({"_type": "Image"}),
        };
        (&*column.name, feature)
    });
    let all: Map<String, Json> = own.chain(extra).map(|(name, kind)| (name.to_owned(), kind)).collect();
    Some(KeyValue::new("huggingface".into(), json!({"info": {"features": all}}).to_string()))
}
