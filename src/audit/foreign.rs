//! Other people's records to rows: a table of names says which of their columns is which of ours.

use std::collections::BTreeMap;
use std::path::Path;

use racgen_data::error::DataError;
use racgen_data::read::rows::files;
use racgen_data::row::Row;
use racgen_logic::fault::{Fault, line_of};
use serde_json::{Map, Value as Json};

use crate::audit::attacks::item::label;

/// The columns that a map may name; `question` and `answer` it must.
const KNOWN: [&str; 13] = [
    "id",
    "domain",
    "split",
    "world",
    "level",
    "depth",
    "question_type",
    "family",
    "template",
    "context",
    "question",
    "answer",
    "initial_state",
];

/// Which of their columns stands for which of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnMap(BTreeMap<String, String>);

impl ColumnMap {
    /// Reads a map: a TOML file of lines such as `question = "their column"`.
    ///
    /// # Errors
    /// A file that cannot be read, with line and remedy.
    pub fn read(path: &Path) -> Result<ColumnMap, Fault> {
        let file = path.display().to_string();
        let remedy = format!(
            "write lines such as `question = \"their column\"`, with keys among {}",
            KNOWN.join(", ")
        );
        let text = std::fs::read_to_string(path)
            .map_err(|error| Fault::new(&file, 0, error.to_string(), "check the path of --format-map"))?;
        let map: BTreeMap<String, String> = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(&text, span.start));
            Fault::new(&file, line, error.message().trim(), remedy.clone())
        })?;
        let line =
            |key: &str| text.lines().position(|l| l.trim_start().starts_with(key)).map_or(0, |l| l + 1);
        if let Some(key) = map.keys().find(|key| !KNOWN.contains(&key.as_str())) {
            return Err(Fault::new(&file, line(key), format!("unknown key `{key}`"), remedy));
        }
        if let Some(key) = ["question", "answer"].into_iter().find(|key| !map.contains_key(*key)) {
            return Err(Fault::new(&file, 0, format!("`{key}` is missing"), remedy));
        }
        Ok(ColumnMap(map))
    }

    /// The rows of all data files at or below a path. What the map does not name is left empty, but for ids and
    /// splits, which come from the files' names, and types of questions, which come from the answers.
    ///
    /// # Errors
    /// Files that cannot be read; a column that is not there, with file and row.
    pub fn rows(&self, path: &Path) -> Result<Vec<Row>, DataError> {
        let mut rows = Vec::new();
        for (file, records) in files(path)? {
            let stem = file.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
            let split = stem.split('-').next().unwrap_or_default().to_owned();
            for record in records {
                let record = record?;
                let row = self.row(&record.columns, &split).map_err(|cause| DataError::Broken {
                    path: file.clone(),
                    place: record.place.clone(),
                    cause,
                })?;
                let id = if row.id.is_empty() { format!("{stem} {}", record.place) } else { row.id };
                rows.push(Row { id, ..row });
            }
        }
        Ok(rows)
    }

    fn row(&self, record: &Map<String, Json>, split: &str) -> Result<Row, String> {
        let text = |column: &str| -> Result<String, String> {
            let Some(theirs) = self.0.get(column) else { return Ok(String::new()) };
            match record.get(theirs) {
                None => Err(format!("the column `{theirs}`, which the map has for `{column}`, is missing")),
                Some(Json::Null) => Ok(String::new()),
                Some(Json::String(text)) => Ok(text.clone()),
                Some(Json::Bool(value)) => Ok(if *value { "yes" } else { "no" }.to_owned()),
                Some(Json::Array(list)) => Ok(list
                    .iter()
                    .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
                    .collect::<Vec<_>>()
                    .join(", ")),
                Some(other) => Ok(other.to_string()),
            }
        };
        let number = |column: &str| -> Result<i32, String> {
            let text = text(column)?;
            if text.is_empty() {
                return Ok(0);
            }
            text.trim()
                .parse()
                .map_err(|_| format!("the column for `{column}` holds `{text}`, which is no number"))
        };
        let or = |text: String, other: &str| if text.is_empty() { other.to_owned() } else { text };
        let answer = text("answer")?;
        let kind = match label(&answer) {
            Some(_) => "verify",
            None if answer.trim().parse::<i64>().is_ok() => "count",
            None => "other",
        };
        let context = text("context")?;
        Ok(Row {
            id: text("id")?,
            domain: or(text("domain")?, "data").into(),
            split: or(text("split")?, split).into(),
            // Without keys of worlds, equal contexts count as one.
            world: or(text("world")?, &context).into(),
            level: number("level")?,
            depth: number("depth")?,
            question_type: or(text("question_type")?, kind).into(),
            family: or(text("family")?, kind).into(),
            template: text("template")?,
            initial_state: or(text("initial_state")?, &context).into(),
            context: context.into(),
            question: text("question")?,
            answer,
            ..Row::default()
        })
    }
}
