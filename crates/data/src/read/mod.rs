//! Data files to rows: Parquet, JSONL or CSV, as a stream that holds a few rows at a time.
//!
//! All three formats go the same way: a record becomes a JSON object, the columns are checked by name, and the
//! object becomes an [`OwnedRow`].
//!
//! ```no_run
//! # fn main() -> Result<(), crate::read::ReadError> {
//! for row in crate::read::rows("out/data".as_ref())? {
//!     println!("{}", row?.question);
//! }
//! # Ok(())
//! # }
//! ```

mod csv;
mod jsonl;
mod parquet;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::columns::{COLUMNS, Column, Value};
use crate::row::{ObjectName, Row};
use crate::write::Format;

/// A row that was read from a file; its fields are those of [`Row`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnedRow {
    /// Content hash, unique in the data set.
    pub id: String,
    /// Name of the domain.
    pub domain: String,
    /// Name of the split.
    pub split: String,
    /// Key of layout and initial state.
    pub world: String,
    /// World complexity N1..N5 as 1..5.
    pub level: i32,
    /// Number of actions in the sequence.
    pub depth: i32,
    /// `verify`, `count` or `other`.
    pub question_type: String,
    /// The question's functor.
    pub family: String,
    /// Which phrasing was drawn.
    pub template: String,
    /// What the model sees before the question.
    pub context: String,
    /// The initial state as a paragraph.
    pub initial_state: String,
    /// The rules of the domain as a paragraph.
    pub rules: String,
    /// The action sequence as a paragraph.
    pub actions: String,
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// `bool`, `number`, `name`, `names` or `none`.
    pub answer_type: String,
    /// The objects in the order of the text.
    pub objects: Vec<ObjectName>,
    /// Static facts and the fluents true initially, as ground atoms.
    pub facts: Vec<String>,
    /// The action sequence, as ground terms.
    pub plan: Vec<String>,
    /// The question, as a ground term.
    pub query: String,
    /// The answer, as ground terms.
    pub gold: Vec<String>,
    /// How the answer follows, step by step; empty unless it was asked for.
    pub rationale: String,
    /// What an item and the one made from it by a change share; empty for items on their own.
    pub pair: String,
    /// Of an item that was made from another, what was changed.
    pub change: String,
    /// Of such an item, the id of the one it was made from.
    pub source: String,
    /// The root seed of the run.
    pub seed: i64,
    /// Position within split, level and depth.
    pub index: i64,
}

impl From<Row> for OwnedRow {
    fn from(row: Row) -> OwnedRow {
        OwnedRow {
            id: row.id,
            domain: row.domain.to_string(),
            split: row.split.to_string(),
            world: row.world.to_string(),
            level: row.level,
            depth: row.depth,
            question_type: row.question_type.to_string(),
            family: row.family.to_string(),
            template: row.template,
            context: row.context.to_string(),
            initial_state: row.initial_state.to_string(),
            rules: row.rules.to_string(),
            actions: row.actions.to_string(),
            question: row.question,
            answer: row.answer,
            answer_type: row.answer_type.to_string(),
            objects: row.objects.to_vec(),
            facts: row.facts.to_vec(),
            plan: row.plan.to_vec(),
            query: row.query,
            gold: row.gold,
            rationale: row.rationale,
            pair: row.pair,
            change: row.change.to_string(),
            source: row.source,
            seed: row.seed,
            index: row.index,
        }
    }
}

/// What keeps a data file from being read. Every message names the file, the cause and a remedy.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system refused.
    #[error("cannot read `{}`: {cause}; {}", path.display(), remedy(cause.kind()))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The words of the operating system.
        cause: io::Error,
    },
    /// The name does not tell the format.
    #[error("`{}` is no data file: those end in .parquet, .jsonl or .csv; give such a file, or a folder of them", path.display())]
    Extension {
        /// The file.
        path: PathBuf,
    },
    /// A folder without data files.
    #[error("no data file (.parquet, .jsonl, .csv) stands below the folder `{}`; give the output folder of a run", path.display())]
    NoFiles {
        /// The folder.
        path: PathBuf,
    },
    /// A file of no bytes where there should be a header at least.
    #[error("`{}` is empty, not even its header was written; make or copy it again", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A column is not there.
    #[error(
        "`{}`, {place}: the column `{column}` is missing; give a file that has all {} columns of a racgen data set",
        path.display(), COLUMNS.len()
    )]
    Missing {
        /// The file.
        path: PathBuf,
        /// Line, row or header.
        place: String,
        /// The column.
        column: &'static str,
    },
    /// The content is not what the format or the column asks for.
    #[error("`{}`, {place}: {cause}; the file is damaged or was changed, so make or copy it again", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// Line, row or header.
        place: String,
        /// What is wrong.
        cause: String,
    },
    /// There are fewer rows.
    #[error("`{}` holds {rows} rows, numbered from 0, so there is no row {row}; choose another row", path.display())]
    NoRow {
        /// The file or folder.
        path: PathBuf,
        /// The row asked for, counted from 0.
        row: u64,
        /// How many rows there are.
        rows: u64,
    },
}

fn remedy(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NotFound => "check the spelling of the path",
        ErrorKind::PermissionDenied => "make it readable",
        _ => "check the path and its disk",
    }
}

/// A stream of rows. After an error it ends.
pub type Rows = Box<dyn Iterator<Item = Result<OwnedRow, ReadError>>>;

/// The rows of a file, or those of all data files below a folder, in the order of their paths. Where a folder
/// holds the same rows in several formats they are read once.
///
/// # Errors
/// A path that cannot be read, or whose name does not end as those of data files do. Anything wrong further on
/// stands in the row's place.
pub fn rows(path: &Path) -> Result<Rows, ReadError> {
    rows_from(path, 0)
}

/// The rows as of a number counted from 0. Those before it are passed over: unread in Parquet, unparsed in JSONL.
///
/// # Errors
/// Those of [`rows`].
pub fn rows_from(path: &Path, first: u64) -> Result<Rows, ReadError> {
    Ok(Box::new(Chain::new(path, first)?))
}

/// The data files at or below a path that [`rows`] reads, in its order.
///
/// # Errors
/// Those of [`rows`].
pub fn data_files(path: &Path) -> Result<Vec<PathBuf>, ReadError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let files: Vec<PathBuf> = files_below(path)?.into_iter().map(|(path, _)| path).collect();
    if files.is_empty() { Err(ReadError::NoFiles { path: path.to_owned() }) } else { Ok(files) }
}

/// A record of a file with columns of any names.
#[derive(Clone, Debug)]
pub struct Record {
    /// The cells by their columns; those of CSV are texts.
    pub columns: Map<String, Json>,
    /// Line or row.
    pub place: String,
}

/// A stream of records. After an error it ends.
pub type Records = Box<dyn Iterator<Item = Result<Record, ReadError>>>;

/// The data files at or below a path, each with its records.
///
/// # Errors
/// Those of [`rows`], but for columns: any will do.
pub fn files(path: &Path) -> Result<Vec<(PathBuf, Records)>, ReadError> {
    let files = if path.is_dir() {
        files_below(path)?
    } else {
        let format = format_of(path).ok_or_else(|| ReadError::Extension { path: path.to_owned() })?;
        vec![(path.to_owned(), format)]
    };
    if files.is_empty() {
        return Err(ReadError::NoFiles { path: path.to_owned() });
    }
    let open = |(path, format): (PathBuf, Format)| {
        let io = |cause| ReadError::Io { path: path.clone(), cause };
        let file = File::open(&path).map_err(io)?;
        if file.metadata().map_err(io)?.len() == 0 && format != Format::Jsonl {
            return Err(ReadError::Empty { path: path.clone() });
        }
        let records = match format {
            Format::Parquet => parquet::records(&path, file)?,
            Format::Jsonl => jsonl::records(&path, file),
            Format::Csv => csv::records(&path, file)?,
        };
        Ok((path, records))
    };
    files.into_iter().map(open).collect()
}

/// One row by its number, counted from 0.
///
/// # Errors
/// Those of [`rows`]; [`ReadError::NoRow`].
pub fn nth(path: &Path, row: u64) -> Result<OwnedRow, ReadError> {
    let mut chain = Chain::new(path, row)?;
    match chain.next() {
        Some(found) => found,
        None => Err(ReadError::NoRow { path: path.to_owned(), row, rows: row - chain.skip }),
    }
}

/// The rows of several files, one after the other.
struct Chain {
    files: std::vec::IntoIter<(PathBuf, Format)>,
    current: Rows,
    /// Rows still to be passed over.
    skip: u64,
    failed: bool,
}

impl Chain {
    fn new(path: &Path, skip: u64) -> Result<Chain, ReadError> {
        let mut files = if path.is_dir() {
            let files = files_below(path)?;
            if files.is_empty() {
                return Err(ReadError::NoFiles { path: path.to_owned() });
            }
            files
        } else {
            let format = format_of(path).ok_or_else(|| ReadError::Extension { path: path.to_owned() })?;
            vec![(path.to_owned(), format)]
        }
        .into_iter();
        let mut skip = skip;
        let current = match files.next() {
            Some((file, format)) => open(&file, format, &mut skip)?,
            None => Box::new(std::iter::empty()),
        };
        Ok(Chain { files, current, skip, failed: false })
    }
}

impl Iterator for Chain {
    type Item = Result<OwnedRow, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            if let Some(row) = self.current.next() {
                self.failed = row.is_err();
                return Some(row);
            }
            let (file, format) = self.files.next()?;
            match open(&file, format, &mut self.skip) {
                Ok(rows) => self.current = rows,
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

/// Opens a file behind its first `skip` rows and lowers `skip` by those that were there.
fn open(path: &Path, format: Format, skip: &mut u64) -> Result<Rows, ReadError> {
    let io = |cause| ReadError::Io { path: path.to_owned(), cause };
    let file = File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    if length == 0 && format != Format::Jsonl {
        return Err(ReadError::Empty { path: path.to_owned() });
    }
    match format {
        Format::Parquet => parquet::open(path, file, skip),
        Format::Jsonl => jsonl::open(path, file, skip),
        Format::Csv => csv::open(path, file, skip),
    }
}

fn format_of(path: &Path) -> Option<Format> {
    let ending = path.extension()?;
    Format::ALL.into_iter().find(|f| ending.eq_ignore_ascii_case(f.extension()))
}

/// The files below a folder that its manifest names as other forms of its items.
fn forms_of(folder: &Path) -> Vec<PathBuf> {
    #[derive(serde::Deserialize)]
    struct FormEntry {
        path: String,
    }
    #[derive(serde::Deserialize)]
    struct Forms {
        #[serde(default)]
        forms: Vec<FormEntry>,
    }
    let text = fs::read_to_string(folder.join("manifest.json")).unwrap_or_default();
    let forms = serde_json::from_str::<Forms>(&text).map_or(Vec::new(), |manifest| manifest.forms);
    forms.into_iter().map(|form| folder.join(form.path)).collect()
}

/// All data files below a folder but hidden ones and other forms of the same items; of files that differ in their
/// ending only, the first format.
fn files_below(folder: &Path) -> Result<Vec<(PathBuf, Format)>, ReadError> {
    let mut found: BTreeMap<PathBuf, Format> = BTreeMap::new();
    let mut skipped: BTreeSet<PathBuf> = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        skipped.extend(forms_of(&folder));
        let io = |cause| ReadError::Io { path: folder.clone(), cause };
        for entry in fs::read_dir(&folder).map_err(io)? {
            let entry = entry.map_err(io)?;
            let path = entry.path();
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            // Folders behind links are left alone: they may lead back here.
            if entry.file_type().map_err(io)?.is_dir() {
                folders.push(path);
            } else if let Some(format) =
                format_of(&path).filter(|_| path.is_file() && !skipped.contains(&path))
            {
                let preferred = found.entry(path.with_extension("")).or_insert(format);
                *preferred = (*preferred).min(format);
            }
        }
    }
    let mut files = Vec::new();
    for (stem, format) in found {
        let mut name = stem.into_os_string();
        name.push(".");
        name.push(format.extension());
        files.push((PathBuf::from(name), format));
    }
    Ok(files)
}

/// A record to a row, with its place for errors.
fn assemble(
    record: Map<String, Json>,
    path: &Path,
    place: impl Fn() -> String,
) -> Result<OwnedRow, ReadError> {
    for column in &COLUMNS {
        let Some(value) = record.get(column.name) else {
            return Err(ReadError::Missing { path: path.to_owned(), place: place(), column: column.name });
        };
        if let Err(wanted) = check(column, value) {
            let cause = format!("the column `{}` holds something else than {wanted}", column.name);
            return Err(ReadError::Broken { path: path.to_owned(), place: place(), cause });
        }
    }
    serde_json::from_value(Json::Object(record)).map_err(|error| ReadError::Broken {
        path: path.to_owned(),
        place: place(),
        cause: error.to_string(),
    })
}

/// Does a column's type hold the value? If not, the type in words.
fn check(column: &Column, value: &Json) -> Result<(), &'static str> {
    let list = |fits: fn(&Json) -> bool| value.as_array().is_some_and(|list| list.iter().all(fits));
    let (fits, wanted) = match column.value {
        Value::Text(_) => (value.is_string(), "a text"),
        Value::Int32(_) => (value.as_i64().is_some_and(|n| i32::try_from(n).is_ok()), "a whole number"),
        Value::Int64(_) => (value.is_i64(), "a whole number"),
        Value::Texts(_) => (list(Json::is_string), "a list of texts"),
        Value::Objects(_) => {
            let object = |o: &Json| ["id", "type", "name"].iter().all(|key| o[key].is_string());
            (list(object), "a list of objects with id, type and name")
        }
    };
    if fits { Ok(()) } else { Err(wanted) }
}
