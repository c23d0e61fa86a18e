//! Rows to Arrow record batches.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{
    ArrayRef, BinaryArray, Int32Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef};

use crate::columns::{COLUMNS, ExtraColumn, ExtraKind, Value, image_path};
use crate::row::{ObjectName, Row};

/// The schema of rows with these columns besides those of all rows.
pub(crate) fn schema(extra: &[ExtraColumn]) -> SchemaRef {
    let own = COLUMNS.iter().map(|c| Field::new(c.name, data_type(c.value), false));
    let extra = extra.iter().map(|c| Field::new(&*c.name, extra_type(c.kind), may_be_null(c.kind)));
    Arc::new(Schema::new(own.chain(extra).collect::<Fields>()))
}

fn may_be_null(kind: ExtraKind) -> bool {
    matches!(kind, ExtraKind::NumberOrNull | ExtraKind::Image)
}

/// The fields of an image, as the feature `Image` of Hugging Face `datasets` has it.
pub(crate) fn image_fields() -> Fields {
    Fields::from(vec![Field::new("bytes", DataType::Binary, true), Field::new("path", DataType::Utf8, true)])
}

fn extra_type(kind: ExtraKind) -> DataType {
    match kind {
        ExtraKind::Text => DataType::Utf8,
        ExtraKind::Number | ExtraKind::NumberOrNull => DataType::Int64,
        ExtraKind::Texts => DataType::List(element(DataType::Utf8)),
        ExtraKind::Bytes => DataType::Binary,
        ExtraKind::Image => DataType::Struct(image_fields()),
    }
}

fn data_type(value: Value) -> DataType {
    match value {
        Value::Text(..) => DataType::Utf8,
        Value::Int32(..) => DataType::Int32,
        Value::Int64(..) => DataType::Int64,
        Value::Texts(..) => DataType::List(element(DataType::Utf8)),
        Value::Objects(..) => DataType::List(element(DataType::Struct(object_fields()))),
    }
}

fn element(data_type: DataType) -> FieldRef {
    Arc::new(Field::new("element", data_type, false))
}

fn object_fields() -> Fields {
    ["id", "type", "name"].into_iter().map(|name| Field::new(name, DataType::Utf8, false)).collect()
}

/// Rows as one batch of a schema that [`schema`] made for the same columns.
///
/// # Errors
/// More text than 32-bit offsets reach.
pub(crate) fn batch(
    schema: &SchemaRef,
    rows: &[Row],
    extra: &[ExtraColumn],
) -> Result<RecordBatch, ArrowError> {
    let own = COLUMNS.iter().map(|c| array(c.value, rows));
    let columns = own.chain(extra.iter().map(|c| extra_array(c, rows))).collect::<Result<_, _>>()?;
    RecordBatch::try_new(schema.clone(), columns)
}

fn extra_array(column: &ExtraColumn, rows: &[Row]) -> Result<ArrayRef, ArrowError> {
    Ok(match column.kind {
        ExtraKind::Text => Arc::new(strings(rows.iter().map(|r| column.text(r)))),
        ExtraKind::Number => Arc::new(Int64Array::from_iter_values(rows.iter().map(|r| column.number(r)))),
        ExtraKind::NumberOrNull => {
            Arc::new(rows.iter().map(|r| column.number_or_null(r)).collect::<Int64Array>())
        }
        ExtraKind::Bytes => Arc::new(BinaryArray::from_iter_values(rows.iter().map(|r| column.bytes(r)))),
        ExtraKind::Image => {
            let image = |row: &Row| Some(column.bytes(row).to_vec()).filter(|bytes| !bytes.is_empty());
            let there: Vec<bool> = rows.iter().map(|row| image(row).is_some()).collect();
            let bytes: BinaryArray = rows.iter().map(image).collect();
            let path = |row: &Row| image(row).map(|_| image_path(row));
            let paths: StringArray = rows.iter().map(path).collect();
            let parts: Vec<ArrayRef> = vec![Arc::new(bytes), Arc::new(paths)];
            Arc::new(StructArray::try_new(image_fields(), parts, Some(NullBuffer::from(there)))?)
        }
        ExtraKind::Texts => {
            let texts = strings(rows.iter().flat_map(|r| column.texts(r)).map(AsRef::as_ref));
            list(rows.iter().map(|r| column.texts(r).len()), Arc::new(texts))?
        }
    })
}

fn array(value: Value, rows: &[Row]) -> Result<ArrayRef, ArrowError> {
    Ok(match value {
        Value::Text(get, _) => Arc::new(strings(rows.iter().map(get))),
        Value::Int32(get, _) => Arc::new(Int32Array::from_iter_values(rows.iter().map(get))),
        Value::Int64(get, _) => Arc::new(Int64Array::from_iter_values(rows.iter().map(get))),
        Value::Texts(get, _) => {
            let texts = strings(rows.iter().flat_map(get).map(String::as_str));
            list(rows.iter().map(|r| get(r).len()), Arc::new(texts))?
        }
        Value::Objects(get, _) => {
            let part = |of: fn(&ObjectName) -> &str| -> ArrayRef {
                Arc::new(strings(rows.iter().flat_map(get).map(of)))
            };
            let parts = vec![part(|o| &o.id), part(|o| &o.kind), part(|o| &o.name)];
            let objects = StructArray::try_new(object_fields(), parts, None)?;
            list(rows.iter().map(|r| get(r).len()), Arc::new(objects))?
        }
    })
}

/// Texts in memory that need not grow.
fn strings<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> StringArray {
    let (number, bytes) =
        texts.clone().fold((0, 0), |(number, bytes), text| (number + 1, bytes + text.len()));
    let mut array = StringBuilder::with_capacity(number, bytes);
    texts.for_each(|text| array.append_value(text));
    array.finish()
}

fn list(lengths: impl ExactSizeIterator<Item = usize>, values: ArrayRef) -> Result<ArrayRef, ArrowError> {
    let offsets = OffsetBuffer::try_from_lengths(lengths).map_err(|_| {
        ArrowError::InvalidArgumentError("more list elements than 32-bit offsets reach".into())
    })?;
    Ok(Arc::new(ListArray::try_new(element(values.data_type().clone()), offsets, values, None)?))
}
