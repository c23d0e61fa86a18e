//! Configurations and splits to what Hugging Face reads of a data card, and to tables of them.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;

use crate::columns::{COLUMNS, ExtraColumn, ExtraKind, Value};
use crate::format::Format;
use crate::papers::manifest::FileEntry;
use crate::training::style::Style;

/// One configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardConfig {
    /// Its name.
    pub name: String,
    /// The form of its items, where that is not the table of all columns.
    pub style: Option<Style>,
    /// Have the items of that form pictures?
    pub pictured: bool,
    /// How the files are stored that the card lists.
    pub format: Format,
    /// Its splits.
    pub splits: Vec<CardSplit>,
    /// Its columns besides those of all rows.
    pub extra: Vec<ExtraColumn>,
}

/// One split of a configuration, in one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardSplit {
    /// Its name.
    pub name: String,
    /// Its files below the output folder, named `SPLIT-...` in one folder.
    pub files: Vec<String>,
    /// Exact number of rows. A split without rows is not listed.
    pub rows: u64,
    /// Bytes of all files.
    pub bytes: u64,
    /// Bytes of the rows in memory, where they are known.
    pub memory: Option<u64>,
}

impl CardConfig {
    /// A configuration from its files. Of several formats the first by the order of [`Format`] is listed, so
    /// Parquet where there is Parquet. Splits keep the order in which they first appear.
    pub fn new(name: &str, files: &[FileEntry]) -> CardConfig {
        let format = files.iter().filter_map(|f| f.format).min().unwrap_or(Format::Parquet);
        let mut splits: Vec<CardSplit> = Vec::new();
        for file in files.iter().filter(|f| f.format == Some(format)) {
            let place = splits.iter().position(|s| s.name == file.split).unwrap_or(splits.len());
            if place == splits.len() {
                splits.push(CardSplit {
                    name: file.split.clone(),
                    files: Vec::new(),
                    rows: 0,
                    bytes: 0,
                    memory: None,
                });
            }
            let split = &mut splits[place];
            split.files.push(file.path.clone());
            split.rows += file.rows.unwrap_or(0);
            split.bytes += file.bytes;
        }
        CardConfig { name: name.into(), style: None, pictured: false, format, splits, extra: Vec::new() }
    }

    /// With columns besides those of all rows.
    pub fn with_extra(self, extra: &[ExtraColumn]) -> CardConfig {
        CardConfig { extra: extra.to_vec(), ..self }
    }

    /// With the bytes that rows take in memory, by the path of their file.
    pub fn with_memory(mut self, memory: &BTreeMap<String, u64>) -> CardConfig {
        for split in &mut self.splits {
            split.memory = split.files.iter().map(|file| memory.get(file)).sum();
        }
        self
    }

    /// The configuration of one form of the items.
    pub fn of_style(name: &str, style: Style, pictured: bool, files: &[FileEntry]) -> CardConfig {
        CardConfig { style: Some(style), pictured, ..CardConfig::new(name, files) }
    }

    /// The splits that can be loaded: `datasets` refuses one without rows, and with it all others.
    fn listed(&self) -> impl Iterator<Item = &CardSplit> {
        self.splits.iter().filter(|s| !s.files.is_empty() && s.rows > 0)
    }
}

impl CardSplit {
    /// What `datasets` holds of it: the bytes of its rows, or else of its files.
    fn in_memory(&self) -> u64 {
        self.memory.unwrap_or(self.bytes)
    }

    /// The pattern that meets exactly this split's files.
    fn pattern(&self, format: Format) -> String {
        let folder = self.files.first().and_then(|f| f.rsplit_once('/')).map_or("", |(folder, _)| folder);
        let slash = if folder.is_empty() { "" } else { "/" };
        format!("{folder}{slash}{}-*.{format}", self.name)
    }
}

/// What Hugging Face reads: title, licence, configurations with their files, columns and counts.
///
/// # Errors
/// None; writing to a string does not fail.
pub fn front_matter(y: &mut String, title: &str, licence: &str, configs: &[CardConfig]) -> fmt::Result {
    let configs: Vec<_> = configs.iter().filter(|c| c.listed().next().is_some()).collect();
    // The forms hold the same items once more.
    let own = configs.iter().filter(|c| c.style.is_none());
    let counted: Vec<_> =
        if own.clone().next().is_some() { own.collect() } else { configs.iter().take(1).collect() };
    let rows = counted.into_iter().flat_map(|c| c.listed()).map(|s| s.rows).sum();
    writeln!(y, "---")?;
    writeln!(y, "pretty_name: {}", quoted(title))?;
    writeln!(y, "license: {}", quoted(licence))?;
    writeln!(y, "language:\n- en")?;
    writeln!(y, "annotations_creators:\n- machine-generated\nlanguage_creators:\n- machine-generated")?;
    writeln!(y, "multilinguality:\n- monolingual\nsource_datasets:\n- original")?;
    writeln!(y, "task_categories:\n- question-answering\ntask_ids:\n- closed-domain-qa")?;
    writeln!(y, "size_categories:\n- {}", size_category(rows))?;
    writeln!(y, "tags:\n- synthetic\n- reasoning\n- reasoning-about-actions\n- answer-set-programming")?;
    writeln!(y, "configs:")?;
    for (i, config) in configs.iter().enumerate() {
        writeln!(y, "- config_name: {}", quoted(&config.name))?;
        if i == 0 && configs.len() > 1 {
            writeln!(y, "  default: true")?;
        }
        if config.format == Format::Csv {
            // Or else an object called `NA` or an empty text would become null.
            writeln!(y, "  keep_default_na: false")?;
        }
        writeln!(y, "  data_files:")?;
        for split in config.listed() {
            writeln!(y, "  - split: {}", quoted(&split.name))?;
            writeln!(y, "    path: {}", quoted(&split.pattern(config.format)))?;
        }
    }
    writeln!(y, "dataset_info:")?;
    for config in configs {
        writeln!(y, "- config_name: {}", quoted(&config.name))?;
        writeln!(y, "  features:")?;
        match config.style {
            None => {
                for column in COLUMNS {
                    writeln!(y, "  - name: {}\n    {}", column.name, feature(column.value, config.format))?;
                }
                for column in &config.extra {
                    writeln!(
                        y,
                        "  - name: {}\n    {}",
                        column.name,
                        extra_feature(column.kind, config.format)
                    )?;
                }
            }
            Some(style) => {
                for column in style.columns(config.pictured) {
                    writeln!(y, "  - name: {}\n    {}", column.name, column.feature())?;
                }
            }
        }
        writeln!(y, "  splits:")?;
        for split in config.listed() {
            writeln!(y, "  - name: {}", quoted(&split.name))?;
            // Without a size `datasets` ignores the count.
            writeln!(y, "    num_bytes: {}", split.in_memory())?;
            writeln!(y, "    num_examples: {}", split.rows)?;
        }
        let bytes: u64 = config.listed().map(|s| s.bytes).sum();
        let memory: u64 = config.listed().map(CardSplit::in_memory).sum();
        writeln!(y, "  download_size: {bytes}\n  dataset_size: {memory}")?;
    }
    writeln!(y, "---\n")
}

/// A column's type in the words of `datasets`. CSV has no lists.
fn feature(value: Value, format: Format) -> &'static str {
    match value {
        Value::Texts(..) | Value::Objects(..) if format == Format::Csv => "dtype: string",
        Value::Text(..) => "dtype: string",
        Value::Int32(..) => "dtype: int32",
        Value::Int64(..) => "dtype: int64",
        Value::Texts(..) => "list: string",
        Value::Objects(..) => {
            "list:\n    - name: id\n      dtype: string\n    - name: type\n      dtype: string\n    - name: name\n      dtype: string"
        }
    }
}

/// The type of a column that only some sources have.
fn extra_feature(kind: ExtraKind, format: Format) -> &'static str {
    match kind {
        ExtraKind::Texts if format != Format::Csv => "list: string",
        ExtraKind::Bytes if format == Format::Parquet => "dtype: binary",
        ExtraKind::Image if format == Format::Parquet => "dtype: image",
        ExtraKind::Number => "dtype: int64",
        // An empty cell is an empty text there, see `keep_default_na`.
        ExtraKind::NumberOrNull if format != Format::Csv => "dtype: int64",
        _ => "dtype: string",
    }
}

/// The Hub's name for the order of magnitude of a data set.
fn size_category(rows: u64) -> &'static str {
    match rows {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        1_000_000..10_000_000 => "1M<n<10M",
        10_000_000..100_000_000 => "10M<n<100M",
        100_000_000..1_000_000_000 => "100M<n<1B",
        _ => "n>1B",
    }
}

/// A YAML string. JSON's quoting is YAML's.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A table of the rows of each split.
pub fn counts(m: &mut String, configs: &[CardConfig]) -> fmt::Result {
    writeln!(m, "| config | split | items |\n| --- | --- | ---: |")?;
    for config in configs {
        for split in config.listed() {
            writeln!(m, "| `{}` | `{}` | {} |", config.name, split.name, split.rows)?;
        }
    }
    Ok(())
}

/// A table of the columns of each form.
pub fn style_columns(m: &mut String, configs: &[CardConfig]) -> fmt::Result {
    writeln!(m, "| config | column | type | content |\n| --- | --- | --- | --- |")?;
    for config in configs {
        for column in config.style.into_iter().flat_map(|style| style.columns(config.pictured)) {
            writeln!(m, "| `{}` | `{}` | {} | {} |", config.name, column.name, column.kind(), column.about)?;
        }
    }
    Ok(())
}
