//! Data files to rows: Parquet, JSONL or CSV, as a stream that holds a few rows at a time.
//!
//! All three formats go the same way: a record becomes a JSON object, the columns are checked by name, and the
//! object becomes a [`Row`].
//!
//! ```no_run
//! # fn main() -> Result<(), racgen_data::error::DataError> {
//! for row in racgen_data::read::rows::rows("out/data".as_ref())? {
//!     println!("{}", row?.question);
//! }
//! # Ok(())
//! # }
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::error::DataError;
use crate::format::Format;
use crate::read::record::{Records, Rows};
use crate::read::{csv, jsonl, parquet};
use crate::row::Row;

/// The rows of a file, or those of all data files below a folder, in the order of their paths. Where a folder
/// holds the same rows in several formats they are read once.
///
/// # Errors
/// A path that cannot be read, or whose name does not end as those of data files do. Anything wrong further on
/// stands in the row's place.
pub fn rows(path: &Path) -> Result<Rows, DataError> {
    rows_from(path, 0)
}

/// The rows as of a number counted from 0. Those before it are passed over: unread in Parquet, unparsed in JSONL.
///
/// # Errors
/// Those of [`rows`].
pub fn rows_from(path: &Path, first: u64) -> Result<Rows, DataError> {
    Ok(Box::new(Chain::new(path, first)?))
}

/// The data files at or below a path that [`rows`] reads, in its order.
///
/// # Errors
/// Those of [`rows`].
pub fn data_files(path: &Path) -> Result<Vec<PathBuf>, DataError> {
    present(path)?;
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let files: Vec<PathBuf> = files_below(path)?.into_iter().map(|(path, _)| path).collect();
    if files.is_empty() { Err(DataError::NoFiles { path: path.to_owned() }) } else { Ok(files) }
}

/// The data files at or below a path, each with its records.
///
/// # Errors
/// Those of [`rows`], but for columns: any will do.
pub fn files(path: &Path) -> Result<Vec<(PathBuf, Records)>, DataError> {
    present(path)?;
    let files = if path.is_dir() {
        files_below(path)?
    } else {
        let format = format_of(path).ok_or_else(|| DataError::Extension { path: path.to_owned() })?;
        vec![(path.to_owned(), format)]
    };
    if files.is_empty() {
        return Err(DataError::NoFiles { path: path.to_owned() });
    }
    let open = |(path, format): (PathBuf, Format)| {
        let io = |cause| DataError::Read { path: path.clone(), cause };
        let file = File::open(&path).map_err(io)?;
        if file.metadata().map_err(io)?.len() == 0 && format != Format::Jsonl {
            return Err(DataError::Empty { path: path.clone() });
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
/// Those of [`rows`]; [`DataError::NoRow`].
pub fn nth(path: &Path, row: u64) -> Result<Row, DataError> {
    let mut chain = Chain::new(path, row)?;
    match chain.next() {
        Some(found) => found,
        None => Err(DataError::NoRow { path: path.to_owned(), row, rows: row - chain.skip }),
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
    fn new(path: &Path, skip: u64) -> Result<Chain, DataError> {
        present(path)?;
        let mut files = if path.is_dir() {
            let files = files_below(path)?;
            if files.is_empty() {
                return Err(DataError::NoFiles { path: path.to_owned() });
            }
            files
        } else {
            let format = format_of(path).ok_or_else(|| DataError::Extension { path: path.to_owned() })?;
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
    type Item = Result<Row, DataError>;

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
fn open(path: &Path, format: Format, skip: &mut u64) -> Result<Rows, DataError> {
    let io = |cause| DataError::Read { path: path.to_owned(), cause };
    let file = File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    if length == 0 && format != Format::Jsonl {
        return Err(DataError::Empty { path: path.to_owned() });
    }
    match format {
        Format::Parquet => parquet::open(path, file, skip),
        Format::Jsonl => jsonl::open(path, file, skip),
        Format::Csv => csv::open(path, file, skip),
    }
}

/// A path at which nothing stands is no matter of formats.
fn present(path: &Path) -> Result<(), DataError> {
    match path.try_exists() {
        Ok(false) => Err(DataError::Absent(path.to_owned())),
        _ => Ok(()),
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
fn files_below(folder: &Path) -> Result<Vec<(PathBuf, Format)>, DataError> {
    let mut found: BTreeMap<PathBuf, Format> = BTreeMap::new();
    let mut skipped: BTreeSet<PathBuf> = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        skipped.extend(forms_of(&folder));
        let io = |cause| DataError::Read { path: folder.clone(), cause };
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
