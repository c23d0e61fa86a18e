//! The data card: `README.md` with the front matter Hugging Face reads and a short text people read.

use std::fmt::{self, Write as _};
use std::path::Path;

use crate::columns::{COLUMNS, Value};
use crate::export::Style;
use crate::manifest::FileEntry;
use crate::row::Row;
use crate::write::{Format, OutputError, replace};

/// What a card tells.
#[derive(Clone, Debug)]
pub struct CardInfo {
    /// Title, one line.
    pub title: String,
    /// Licence identifier as the Hub knows it: `cc-by-4.0`, `mit` and the like.
    pub licence: String,
    /// The command that made the data.
    pub command: String,
    /// Do splits share worlds, but no world together with its plan?
    pub by_instance: bool,
    /// The configurations; the first is the one loaded when none is named.
    pub configs: Vec<CardConfig>,
    /// An item to show.
    pub example: Row,
}

/// One configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardConfig {
    /// Its name.
    pub name: String,
    /// The form of its items, where that is not the table of all columns.
    pub style: Option<Style>,
    /// How the files are stored that the card lists.
    pub format: Format,
    /// Its splits.
    pub splits: Vec<CardSplit>,
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
}

impl CardConfig {
    /// A configuration from its files. Of several formats the first by the order of [`Format`] is listed, so
    /// Parquet where there is Parquet. Splits keep the order in which they first appear.
    pub fn new(name: &str, files: &[FileEntry]) -> CardConfig {
        let format = files.iter().map(|f| f.format).min().unwrap_or(Format::Parquet);
        let mut splits: Vec<CardSplit> = Vec::new();
        for file in files.iter().filter(|f| f.format == format) {
            let place = splits.iter().position(|s| s.name == file.split).unwrap_or(splits.len());
            if place == splits.len() {
                splits.push(CardSplit { name: file.split.clone(), files: Vec::new(), rows: 0, bytes: 0 });
            }
            let split = &mut splits[place];
            split.files.push(file.path.clone());
            split.rows += file.rows;
            split.bytes += file.bytes;
        }
        CardConfig { name: name.into(), style: None, format, splits }
    }

    /// The configuration of one form of the items.
    pub fn of_style(name: &str, style: Style, files: &[FileEntry]) -> CardConfig {
        CardConfig { style: Some(style), ..CardConfig::new(name, files) }
    }

    /// The splits that can be loaded: `datasets` refuses one without rows, and with it all others.
    fn listed(&self) -> impl Iterator<Item = &CardSplit> {
        self.splits.iter().filter(|s| !s.files.is_empty() && s.rows > 0)
    }
}

impl CardSplit {
    /// The pattern that meets exactly this split's files.
    fn pattern(&self, format: Format) -> String {
        let folder = self.files.first().and_then(|f| f.rsplit_once('/')).map_or("", |(folder, _)| folder);
        let slash = if folder.is_empty() { "" } else { "/" };
        format!("{folder}{slash}{}-*.{format}", self.name)
    }
}

/// Writes the card as `README.md` into the output folder, in place of an older one.
///
/// # Errors
/// [`OutputError`] with the path, the cause and a remedy.
pub fn write_card(out: &Path, info: &CardInfo) -> Result<(), OutputError> {
    replace(&out.join("README.md"), &card(info))
}

/// The text of the card.
pub fn card(info: &CardInfo) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = front_matter(&mut text, &info.title, &info.licence, &info.configs)
        .and_then(|()| body(&mut text, info));
    text
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
    writeln!(y, "task_categories:\n- question-answering")?;
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
            }
            Some(style) => {
                for column in style.columns() {
                    writeln!(y, "  - name: {}\n    {}", column.name, column.feature())?;
                }
            }
        }
        writeln!(y, "  splits:")?;
        for split in config.listed() {
            writeln!(y, "  - name: {}", quoted(&split.name))?;
            // Without a size `datasets` ignores the count. Sizes are those of the files.
            writeln!(y, "    num_bytes: {}", split.bytes)?;
            writeln!(y, "    num_examples: {}", split.rows)?;
        }
        let bytes: u64 = config.listed().map(|s| s.bytes).sum();
        writeln!(y, "  download_size: {bytes}\n  dataset_size: {bytes}")?;
    }
    writeln!(y, "---\n")
}

/// A column's type in the words of `datasets`. CSV has no lists.
fn feature(value: Value, format: Format) -> &'static str {
    match value {
        Value::Texts(_) | Value::Objects(_) if format == Format::Csv => "dtype: string",
        Value::Text(_) => "dtype: string",
        Value::Int32(_) => "dtype: int32",
        Value::Int64(_) => "dtype: int64",
        Value::Texts(_) => "list: string",
        Value::Objects(_) => {
            "list:\n    - name: id\n      dtype: string\n    - name: type\n      dtype: string\n    - name: name\n      dtype: string"
        }
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
fn quoted(text: &str) -> String {
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
        for column in config.style.into_iter().flat_map(Style::columns) {
            writeln!(m, "| `{}` | `{}` | {} | {} |", config.name, column.name, column.kind(), column.about)?;
        }
    }
    Ok(())
}

fn body(m: &mut String, info: &CardInfo) -> fmt::Result {
    writeln!(m, "# {}\n", info.title)?;
    writeln!(
        m,
        "Each item describes a small world, says which actions happen in it, and asks about the situation they \
         lead to. Items come in three types: `verify` asks whether something holds (yes or no), `count` asks for a \
         number, and `other` asks which objects have a property. Every answer follows from a logic program, \
         grounded by the answer-set solver clingo.\n"
    )?;

    counts(m, &info.configs)?;
    writeln!(m, "\n```python\nfrom datasets import load_dataset\n")?;
    match info.configs.as_slice() {
        [_] | [] => writeln!(m, "data = load_dataset(\"FOLDER\")")?,
        [first, ..] => writeln!(m, "data = load_dataset(\"FOLDER\", {})", quoted(&first.name))?,
    }
    writeln!(m, "```\n")?;
    if info.configs.len() > 1 {
        writeln!(m, "Without a name the first configuration is loaded.\n")?;
    }

    let row = &info.example;
    writeln!(m, "## An item\n")?;
    writeln!(m, "World complexity {}, {}, type `{}`.\n", row.level, actions(row.depth), row.question_type)?;
    for (name, text) in [
        ("Initial state", &*row.initial_state),
        ("Rules", &*row.rules),
        ("Actions", &*row.actions),
        ("Question", row.question.as_str()),
        ("Answer", row.answer.as_str()),
    ] {
        writeln!(m, "**{name}**\n\n{}\n", fenced("text", text))?;
    }
    writeln!(m, "What it was made from, in the terms of the logic program:\n")?;
    let program = format!(
        "facts: {}\nplan:  {}\nquery: {}\ngold:  {}",
        row.facts.join(", "),
        row.plan.join(", "),
        row.query,
        row.gold.join(", ")
    );
    writeln!(m, "{}\n", fenced("text", &program))?;

    writeln!(m, "## Columns\n\n| column | type | content |\n| --- | --- | --- |")?;
    for column in COLUMNS {
        let kind = match column.value {
            Value::Text(_) => "string",
            Value::Int32(_) => "int32",
            Value::Int64(_) => "int64",
            Value::Texts(_) => "list of string",
            Value::Objects(_) => "list of {id, type, name}",
        };
        writeln!(m, "| `{}` | {kind} | {} |", column.name, column.about)?;
    }
    if info.configs.iter().any(|c| c.format == Format::Csv) {
        writeln!(m, "\nIn CSV files a list stands in its cell as a JSON array.")?;
    }

    let forms: Vec<CardConfig> = info.configs.iter().filter(|c| c.style.is_some()).cloned().collect();
    if !forms.is_empty() {
        writeln!(m, "\nThese configurations hold the same items in other forms, with the same ids:\n")?;
        style_columns(m, &forms)?;
    }

    writeln!(
        m,
        "\n## How it was made\n\nBy racgen {}:\n\n{}\n",
        env!("CARGO_PKG_VERSION"),
        fenced("text", &info.command)
    )?;
    writeln!(
        m,
        "A domain is a logic program: its fluents, its actions, when they can be executed and what they change. \
         clingo samples a world and an initial situation, the effects of a sequence of executable actions give the \
         final situation, and rules of the domain derive questions and answers from it. The rules are grounded by \
         clingo; where they are evaluated natively, clingo's own search judges a sample. Templates turn all of it \
         into English. The same command makes the same bytes again. `manifest.json` holds the settings, the counts \
         by split, type, family, level and depth, how often yes and no are right, the worlds of each split and the \
         SHA-256 of each file.\n"
    )?;
    let apart = if info.by_instance {
        "No two splits share a world together with its actions, not even with the objects renamed, but they may share \
         worlds."
    } else {
        "No two splits share a world, not even one with its objects renamed."
    };
    writeln!(
        m,
        "{apart} `facts`, `plan`, `query` and `gold` \
         are enough to check an answer with clingo and the rules of the domain.\n"
    )?;

    writeln!(m, "## Limits\n")?;
    writeln!(
        m,
        "- The worlds are fully known and deterministic, and nothing happens in them but the listed actions.\n\
         - The English comes from templates. It is varied in wording, not in style.\n\
         - Questions that have the same answer without the actions are limited in number, not absent; the manifest \
         counts them.\n\
         - A high score shows that a model tracks these worlds, not that it reasons about actions in general.\n"
    )?;

    writeln!(m, "## Licence\n\nThe data are under the licence `{}`.\n", info.licence)?;
    writeln!(
        m,
        "## Citation\n\nDomains and question types follow the first of these papers; the second describes the solver.\n"
    )?;
    writeln!(m, "{}", fenced("bibtex", CITATION))
}

const CITATION: &str = "\
@article{banerjee2020transformers,
  title   = {Can Transformers Reason About Effects of Actions?},
  author  = {Banerjee, Pratyay and Baral, Chitta and Luo, Man and Mitra, Arindam and Pal, Kuntal and
             Son, Tran C. and Varshney, Neeraj},
  journal = {arXiv preprint arXiv:2012.09938},
  year    = {2020}
}
@article{gebser2019multishot,
  title   = {Multi-shot {ASP} solving with clingo},
  author  = {Gebser, Martin and Kaminski, Roland and Kaufmann, Benjamin and Schaub, Torsten},
  journal = {Theory and Practice of Logic Programming},
  volume  = {19},
  number  = {1},
  year    = {2019}
}";

fn actions(depth: i32) -> String {
    if depth == 1 { "1 action".into() } else { format!("{depth} actions") }
}

/// A block that shows a text as it is, whatever backticks it holds.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn file(path: &str, split: &str, format: Format, rows: u64) -> FileEntry {
        FileEntry {
            path: path.into(),
            split: split.into(),
            format,
            rows,
            bytes: 10 * rows,
            sha256: String::new(),
        }
    }

    fn info(configs: Vec<CardConfig>) -> CardInfo {
        CardInfo {
            title: "Blocks: \"small\" worlds".into(),
            licence: "cc-by-4.0".into(),
            command: "racgen blocks".into(),
            by_instance: false,
            configs,
            example: sample::rows(1).remove(0),
        }
    }

    #[test]
    fn the_front_matter_names_splits_patterns_and_counts() {
        let config = CardConfig::new(
            "blocks",
            &[
                file("data/train-00000-of-00002.csv", "train", Format::Csv, 700),
                file("data/train-00000-of-00002.parquet", "train", Format::Parquet, 700),
                file("data/train-00001-of-00002.parquet", "train", Format::Parquet, 500),
                file("data/dev.hard-00000-of-00001.parquet", "dev.hard", Format::Parquet, 30),
                file("data/none-00000-of-00001.parquet", "none", Format::Parquet, 0),
            ],
        );
        let text = card(&info(vec![config]));
        let front = text.split("---\n").nth(1).unwrap_or_default();
        let (head, tail) = front.split_once("  features:").unwrap_or_default();
        assert_eq!(
            head,
            r#"pretty_name: "Blocks: \"small\" worlds"
license: "cc-by-4.0"
language:
- en
task_categories:
- question-answering
size_categories:
- 1K<n<10K
tags:
- synthetic
- reasoning
- reasoning-about-actions
- answer-set-programming
configs:
- config_name: "blocks"
  data_files:
  - split: "train"
    path: "data/train-*.parquet"
  - split: "dev.hard"
    path: "data/dev.hard-*.parquet"
dataset_info:
- config_name: "blocks"
"#
        );
        let (features, splits) = tail.split_once("  splits:\n").unwrap_or_default();
        assert!(features.contains("\n  - name: gold\n    list: string\n"), "{features}");
        assert!(features.contains("\n  - name: level\n    dtype: int32\n"), "{features}");
        assert_eq!(
            splits,
            "  - name: \"train\"
    num_bytes: 12000
    num_examples: 1200
  - name: \"dev.hard\"
    num_bytes: 300
    num_examples: 30
  download_size: 12300
  dataset_size: 12300
"
        );
    }

    #[test]
    fn several_configurations_have_a_default_and_csv_keeps_its_texts() {
        let config = |name: &str| {
            CardConfig::new(
                name,
                &[file(&format!("{name}/data/test-00000-of-00001.csv"), "test", Format::Csv, 3)],
            )
        };
        let text = card(&info(vec![config("blocks"), config("dwr")]));
        assert!(
            text.contains("- config_name: \"blocks\"\n  default: true\n  keep_default_na: false\n"),
            "{text}"
        );
        assert_eq!(text.matches("default: true").count(), 1);
        assert!(text.contains("path: \"dwr/data/test-*.csv\""), "{text}");
        assert!(!text.contains("list: string"), "{text}");
    }

    #[test]
    fn a_text_with_backticks_stays_in_its_block() {
        assert_eq!(fenced("text", "a ``` b"), "````text\na ``` b\n````");
    }
}
