//! Records of a few columns to Parquet or JSONL.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Float64Array, Int64Array, ListArray, RecordBatch,
    StringArray, StructArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use serde_json::{Value as Json, json};

use crate::columns::from_base64;
use crate::error::DataError;
use crate::format::Format;
use crate::write::partial::{PartialFile, Written};
use crate::write::rows::features;
use crate::write::rows::parquet::{IMAGE_DICTIONARY_BYTES, from_parquet};
use crate::write::rows::record_batch::image_fields;
use crate::write::text::LineFile;

/// Records of one record batch and of one row group.
const CHUNK: usize = 1_000;

/// What a column of records holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Texts.
    Text,
    /// True or false.
    Bool,
    /// Whole numbers.
    Whole,
    /// Numbers with fractions.
    Number,
    /// Lists of chat messages with role and content.
    Messages,
    /// The same where a content is a list of parts with type and text.
    PartedMessages,
    /// Lists of images, each with bytes, which are base64 in a record, and path.
    Images,
}

/// The fields of a chat message, and of a part of one.
const MESSAGE: [&str; 2] = ["role", "content"];
const PART: [&str; 2] = ["type", "text"];

/// A file of records that gets its name only when it is finished.
pub enum RecordFile {
    /// One JSON object a line.
    Lines(LineFile),
    /// Parquet.
    Table(Box<RecordTable>),
}

/// A Parquet file being written.
pub struct RecordTable {
    writer: ArrowWriter<PartialFile>,
    columns: Vec<(&'static str, Cells)>,
    schema: SchemaRef,
    waiting: Vec<Json>,
    rows: u64,
}

impl RecordFile {
    /// Starts a file; missing folders are made. CSV has no lists, so it is refused.
    ///
    /// # Errors
    /// [`DataError::Exists`] if the final name is taken, [`DataError::Write`] if the folder cannot be written.
    pub fn create(
        path: &Path,
        format: Format,
        columns: Vec<(&'static str, Cells)>,
    ) -> Result<RecordFile, DataError> {
        match format {
            Format::Jsonl => return LineFile::create(path).map(RecordFile::Lines),
            Format::Parquet => {}
            Format::Csv => {
                let message = "CSV has no lists of messages".to_owned();
                return Err(DataError::Encode { path: path.to_owned(), message });
            }
        }
        if path.symlink_metadata().is_ok() {
            return Err(DataError::Exists { path: path.to_owned() });
        }
        let schema = Arc::new(Schema::new(
            columns
                .iter()
                .map(|(name, cells)| Field::new(*name, data_type(*cells), *cells == Cells::Images))
                .collect::<Fields>(),
        ));
        let level = ZstdLevel::try_new(1).map_err(|error| from_parquet(error, path))?;
        let mut properties = WriterProperties::builder().set_compression(Compression::ZSTD(level));
        let pictured = columns.iter().any(|(_, cells)| *cells == Cells::Images);
        if pictured {
            properties = properties.set_dictionary_page_size_limit(IMAGE_DICTIONARY_BYTES);
        }
        let properties = properties.build();
        let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
        let file = PartialFile::create(path)?;
        let mut writer = ArrowWriter::try_new_with_options(file, schema.clone(), options)
            .map_err(|error| from_parquet(error, path))?;
        if pictured {
            let known = columns.iter().map(|(name, cells)| ((*name).to_owned(), feature(*cells)));
            writer.append_key_value_metadata(features::entry(known));
        }
        Ok(RecordFile::Table(Box::new(RecordTable { writer, columns, schema, waiting: Vec::new(), rows: 0 })))
    }

    /// Appends a record with exactly the columns of the file.
    ///
    /// # Errors
    /// [`DataError`].
    pub fn add(&mut self, record: Json, path: &Path) -> Result<(), DataError> {
        match self {
            RecordFile::Lines(file) => file.line(&record.to_string()),
            RecordFile::Table(table) => {
                table.waiting.push(record);
                if table.waiting.len() == CHUNK { table.flush(path) } else { Ok(()) }
            }
        }
    }

    /// Completes the file and gives it its final name.
    ///
    /// # Errors
    /// [`DataError`]; the final name then does not exist.
    pub fn finish(self, path: &Path) -> Result<Written, DataError> {
        match self {
            RecordFile::Lines(file) => file.finish(),
            RecordFile::Table(mut table) => {
                table.flush(path)?;
                let RecordTable { writer, rows, .. } = *table;
                writer.into_inner().map_err(|error| from_parquet(error, path))?.persist(rows)
            }
        }
    }
}

impl RecordTable {
    fn flush(&mut self, path: &Path) -> Result<(), DataError> {
        let records = std::mem::take(&mut self.waiting);
        self.rows += records.len() as u64;
        let batch = || -> Result<RecordBatch, ArrowError> {
            let arrays = self.columns.iter().map(|(name, cells)| array(*cells, name, &records));
            RecordBatch::try_new(self.schema.clone(), arrays.collect::<Result<_, _>>()?)
        };
        let batch = batch().map_err(|error| from_parquet(error.into(), path))?;
        let written = self.writer.write(&batch).and_then(|()| self.writer.flush());
        written.map_err(|error| from_parquet(error, path))
    }
}

fn element(data_type: DataType) -> Arc<Field> {
    Arc::new(Field::new("element", data_type, false))
}

/// As `datasets` would have it, which takes a column for images only if its type is the very same: with values that may lack.
fn image_element() -> Arc<Field> {
    Arc::new(Field::new("element", DataType::Struct(image_fields()), true))
}

fn part_fields() -> Fields {
    PART.into_iter().map(|name| Field::new(name, DataType::Utf8, name == "text")).collect()
}

fn parted_fields() -> Fields {
    let parts = DataType::List(element(DataType::Struct(part_fields())));
    [Field::new(MESSAGE[0], DataType::Utf8, false), Field::new(MESSAGE[1], parts, false)]
        .into_iter()
        .collect()
}

fn message_fields() -> Fields {
    MESSAGE.into_iter().map(|name| Field::new(name, DataType::Utf8, false)).collect()
}

fn data_type(cells: Cells) -> DataType {
    match cells {
        Cells::Text => DataType::Utf8,
        Cells::Bool => DataType::Boolean,
        Cells::Whole => DataType::Int64,
        Cells::Number => DataType::Float64,
        Cells::Messages => DataType::List(element(DataType::Struct(message_fields()))),
        Cells::PartedMessages => DataType::List(element(DataType::Struct(parted_fields()))),
        Cells::Images => DataType::List(image_element()),
    }
}

/// What a column holds, in the words of `datasets`.
fn feature(cells: Cells) -> Json {
    let text = || features::value("string");
    match cells {
        Cells::Text => text(),
        Cells::Bool => features::value("bool"),
        Cells::Whole => features::value("int64"),
        Cells::Number => features::value("float64"),
        Cells::Messages => features::list(json!({"role": text(), "content": text()})),
        Cells::PartedMessages => {
            let parts = features::list(json!({"type": text(), "text": text()}));
            features::list(json!({"role": text(), "content": parts}))
        }
        Cells::Images => features::list(features::image()),
    }
}

/// The elements of lists, one after the other.
fn members<'j>(lists: impl Iterator<Item = &'j Json>) -> Vec<&'j Json> {
    lists.flat_map(|list| list.as_array().into_iter().flatten()).collect()
}

/// Lists whose elements are these.
fn list<'j>(
    lists: impl Iterator<Item = &'j Json>,
    element: Arc<Field>,
    values: ArrayRef,
) -> Result<ArrayRef, ArrowError> {
    let offsets = OffsetBuffer::from_lengths(lists.map(|list| list.as_array().map_or(0, Vec::len)));
    Ok(Arc::new(ListArray::try_new(element, offsets, values, None)?))
}

fn array(cells: Cells, name: &str, records: &[Json]) -> Result<ArrayRef, ArrowError> {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    Ok(match cells {
        Cells::Text => Arc::new(StringArray::from_iter_values(records.iter().map(|r| text(&r[name])))),
        Cells::Bool => {
            let values: Vec<bool> = records.iter().map(|r| r[name] == true).collect();
            Arc::new(BooleanArray::from(values))
        }
        Cells::Whole => {
            let values = records.iter().map(|r| r[name].as_i64().unwrap_or_default());
            Arc::new(Int64Array::from_iter_values(values))
        }
        Cells::Number => {
            let values = records.iter().map(|r| r[name].as_f64().unwrap_or_default());
            Arc::new(Float64Array::from_iter_values(values))
        }
        Cells::PartedMessages => {
            let messages = members(records.iter().map(|r| &r[name]));
            let contents = messages.iter().map(|message| &message["content"]);
            let parts = members(contents.clone());
            let kinds = StringArray::from_iter_values(parts.iter().map(|part| text(&part["type"])));
            let texts: StringArray = parts.iter().map(|part| part["text"].as_str()).collect();
            let parts = StructArray::try_new(part_fields(), vec![Arc::new(kinds), Arc::new(texts)], None)?;
            let roles = StringArray::from_iter_values(messages.iter().map(|message| text(&message["role"])));
            let parted: Vec<ArrayRef> =
                vec![Arc::new(roles), list(contents, element(parts.data_type().clone()), Arc::new(parts))?];
            let of_row = StructArray::try_new(parted_fields(), parted, None)?;
            list(records.iter().map(|r| &r[name]), element(of_row.data_type().clone()), Arc::new(of_row))?
        }
        Cells::Images => {
            let images = members(records.iter().map(|r| &r[name]));
            let bytes = images.iter().map(|image| from_base64(image["bytes"].as_str().unwrap_or_default()));
            let bytes = BinaryArray::from_iter_values(bytes);
            let paths = StringArray::from_iter_values(images.iter().map(|image| text(&image["path"])));
            let images = StructArray::try_new(image_fields(), vec![Arc::new(bytes), Arc::new(paths)], None)?;
            list(records.iter().map(|r| &r[name]), image_element(), Arc::new(images))?
        }
        Cells::Messages => {
            let lists: Vec<&[Json]> =
                records.iter().map(|r| r[name].as_array().map_or(&[][..], Vec::as_slice)).collect();
            let part = |field: &str| -> ArrayRef {
                let all = lists.iter().flat_map(|list| list.iter());
                Arc::new(StringArray::from_iter_values(all.map(|message| text(&message[field]))))
            };
            let messages = StructArray::try_new(message_fields(), MESSAGE.map(part).to_vec(), None)?;
            let offsets = OffsetBuffer::from_lengths(lists.iter().map(|list| list.len()));
            let element = Arc::new(Field::new("element", messages.data_type().clone(), false));
            Arc::new(ListArray::try_new(element, offsets, Arc::new(messages), None)?)
        }
    })
}
