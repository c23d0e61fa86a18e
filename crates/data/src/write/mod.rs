//! Rows to files: Parquet, JSONL or CSV, streamed, and never half-written under a final name.
//!
//! ```no_run
//! # fn main() -> Result<(), crate::write::OutputError> {
//! # let rows: Vec<crate::row::Row> = Vec::new();
//! use std::path::Path;
//!
//! use crate::write::Format;
//! use crate::write::{open, shard_path};
//!
//! let path = Path::new("out").join(shard_path(None, "train", 0, 1, Format::Parquet));
//! let mut sink = open(Format::Parquet, &path)?; // out/data/train-00000-of-00001.parquet
//! sink.write(&rows)?;
//! println!("{}", sink.finish()?.sha256);
//! # Ok(())
//! # }
//! ```

mod csv;
pub mod facts;
mod jsonl;
mod parquet;
mod partial;
pub mod records;
pub mod staging;
pub mod triples;

use std::fmt;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::row::Row;
use crate::write::partial::PartialFile;

/// How rows are stored. The order is that of preference where a reader is offered one only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Apache Parquet, compressed with zstd; lists stay lists.
    Parquet,
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated values with a header; a list stands in its cell as a JSON array.
    Csv,
}

impl Format {
    /// All formats, the preferred one first.
    pub const ALL: [Format; 3] = [Format::Parquet, Format::Jsonl, Format::Csv];

    /// The ending of a file's name, without the dot.
    ///
    /// ```
    /// assert_eq!(crate::write::Format::Jsonl.extension(), "jsonl");
    /// ```
    pub fn extension(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

/// Where one shard of a split stands below the output folder. `config` is given when there are several.
///
/// ```
/// use std::path::Path;
///
/// use crate::write::{Format, shard_path};
///
/// assert_eq!(shard_path(None, "dev", 0, 2, Format::Csv), Path::new("data/dev-00000-of-00002.csv"));
/// assert_eq!(
///     shard_path(Some("blocks"), "train", 1, 2, Format::Parquet),
///     Path::new("blocks/data/train-00001-of-00002.parquet")
/// );
/// ```
pub fn shard_path(config: Option<&str>, split: &str, shard: usize, shards: usize, format: Format) -> PathBuf {
    let name = format!("{split}-{shard:05}-of-{shards:05}.{format}");
    Path::new(config.unwrap_or("")).join("data").join(name)
}

/// A finished file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its final name.
    pub path: PathBuf,
    /// How many rows it holds.
    pub rows: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// SHA-256 of its content, 64 hexadecimal digits.
    pub sha256: String,
}

/// What went wrong while writing. Every message names the file, the cause and a remedy.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The final name is taken.
    #[error("`{}` already exists; move it away, or choose another output folder", path.display())]
    Exists {
        /// The final name.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot {action} `{}`: {cause}; {}", path.display(), remedy(cause.kind()))]
    Io {
        /// What was being done, as a verb: `create`, `write` and the like.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The words of the operating system.
        cause: io::Error,
    },
    /// The format cannot hold the rows.
    #[error("cannot write `{}`: {message}; make the worlds smaller, or choose another format", path.display())]
    Encode {
        /// The final name.
        path: PathBuf,
        /// What the format cannot hold.
        message: String,
    },
    /// The sink failed earlier, so what it holds is incomplete.
    #[error("`{}` was given up after an earlier error and nothing stands under its name; run again", path.display())]
    GivenUp {
        /// The final name.
        path: PathBuf,
    },
}

/// What a user can do about an error of the operating system.
fn remedy(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "free some space or choose an output folder on another disk, then run again"
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "make the folder writable, or choose another output folder"
        }
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists | ErrorKind::IsADirectory => {
            "a file stands where a folder is needed or the other way round; choose another output folder"
        }
        ErrorKind::NotFound => "check that nothing else removes or renames the folder, then run again",
        _ => "check the output folder and its disk, then run again",
    }
}

/// A file that takes rows. Dropped before [`Sink::finish`], it leaves nothing behind.
pub trait Sink: Send {
    /// Appends rows. The file depends on the sequence of all rows only, not on how calls slice it.
    ///
    /// # Errors
    /// Those of the operating system and of the format. After an error the sink takes no more rows.
    fn write(&mut self, rows: &[Row]) -> Result<(), OutputError>;

    /// Completes the file, brings it to the disk and gives it its final name.
    ///
    /// # Errors
    /// Those of [`Sink::write`]; the final name then does not exist.
    fn finish(self: Box<Self>) -> Result<Written, OutputError>;
}

/// Starts a file of rows; missing folders are made. Until it is finished the data stand beside `path` in a
/// hidden temporary file.
///
/// # Errors
/// [`OutputError::Exists`] if the final name is taken, [`OutputError::Io`] if the folder cannot be written.
pub fn open(format: Format, path: &Path) -> Result<Box<dyn Sink>, OutputError> {
    if path.symlink_metadata().is_ok() {
        return Err(OutputError::Exists { path: path.to_owned() });
    }
    let file = PartialFile::create(path)?;
    Ok(match format {
        Format::Parquet => Box::new(EncodedSink::new(path, parquet::ParquetEncoder::new(file)?)),
        Format::Jsonl => Box::new(EncodedSink::new(path, jsonl::JsonlEncoder::new(file))),
        Format::Csv => Box::new(EncodedSink::new(path, csv::CsvEncoder::new(file)?)),
    })
}

/// Writes a small file at once, in place of one that may stand under the name.
///
/// # Errors
/// [`OutputError::Io`]; an older file is then untouched.
pub fn replace(path: &Path, text: &str) -> Result<(), OutputError> {
    let mut file = PartialFile::create(path)?;
    file.write_all(text.as_bytes()).map_err(|cause| file.error("write", cause))?;
    file.persist(0).map(drop)
}

/// Writes a file piece by piece; it gets its name once it is complete, in place of one that may stand there.
///
/// # Errors
/// [`OutputError::Io`]; an older file is then untouched.
pub fn stream(
    path: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<Written, OutputError> {
    let mut file = PartialFile::create(path)?;
    write(&mut file).map_err(|cause| file.error("write", cause))?;
    file.persist(0)
}

/// A file of lines that gets its name only when it is finished.
pub struct LineFile {
    file: PartialFile,
    lines: u64,
}

impl LineFile {
    /// Starts a file; missing folders are made.
    ///
    /// # Errors
    /// [`OutputError::Exists`] if the final name is taken, [`OutputError::Io`] if the folder cannot be written.
    pub fn create(path: &Path) -> Result<LineFile, OutputError> {
        if path.symlink_metadata().is_ok() {
            return Err(OutputError::Exists { path: path.to_owned() });
        }
        PartialFile::create(path).map(|file| LineFile { file, lines: 0 })
    }

    /// Appends a line.
    ///
    /// # Errors
    /// [`OutputError::Io`].
    pub fn line(&mut self, text: &str) -> Result<(), OutputError> {
        self.lines += 1;
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.write_all(b"\n"));
        written.map_err(|cause| self.file.error("write", cause))
    }

    /// Completes the file and gives it its final name.
    ///
    /// # Errors
    /// [`OutputError::Io`]; the final name then does not exist.
    pub fn finish(self) -> Result<Written, OutputError> {
        self.file.persist(self.lines)
    }
}

/// What a format adds: rows to bytes.
trait Encode: Send {
    fn encode(&mut self, rows: &[Row]) -> Result<(), OutputError>;
    /// Appends what was held back and gives the file back.
    fn close(self) -> Result<PartialFile, OutputError>;
}

/// The one sink: counts rows and refuses to go on after an error.
struct EncodedSink<E> {
    encoder: E,
    path: PathBuf,
    rows: u64,
    failed: bool,
}

impl<E: Encode> EncodedSink<E> {
    fn new(path: &Path, encoder: E) -> Self {
        EncodedSink { encoder, path: path.to_owned(), rows: 0, failed: false }
    }

    fn check(&self) -> Result<(), OutputError> {
        if self.failed { Err(OutputError::GivenUp { path: self.path.clone() }) } else { Ok(()) }
    }
}

impl<E: Encode> Sink for EncodedSink<E> {
    fn write(&mut self, rows: &[Row]) -> Result<(), OutputError> {
        self.check()?;
        let result = self.encoder.encode(rows);
        self.failed = result.is_err();
        self.rows += rows.len() as u64;
        result
    }

    fn finish(self: Box<Self>) -> Result<Written, OutputError> {
        self.check()?;
        self.encoder.close()?.persist(self.rows)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    type Checked = Result<(), Box<dyn std::error::Error>>;

    const ALL: [Format; 3] = [Format::Parquet, Format::Jsonl, Format::Csv];

    /// Writes the rows in slices of the given lengths, taken round and round.
    fn write(format: Format, path: &Path, rows: &[Row], slices: &[usize]) -> Result<Written, OutputError> {
        let mut sink = open(format, path)?;
        let mut left = rows;
        for length in slices.iter().cycle() {
            if left.is_empty() {
                break;
            }
            let (slice, rest) = left.split_at(left.len().min(*length));
            sink.write(slice)?;
            left = rest;
        }
        sink.finish()
    }

    #[test]
    fn bytes_do_not_depend_on_slicing() -> Checked {
        let rows = sample::rows(25_003);
        for format in ALL {
            let folder = tempfile::tempdir()?;
            let odd = write(format, &folder.path().join("odd"), &rows, &[1, 997, 0, 2_500, 13])?;
            let once = write(format, &folder.path().join("once"), &rows, &[rows.len()])?;
            assert_eq!((odd.rows, odd.bytes, &odd.sha256), (25_003, once.bytes, &once.sha256), "{format}");
            assert_eq!(fs::read(&odd.path)?, fs::read(&once.path)?, "{format}");
            assert_eq!(fs::metadata(&odd.path)?.len(), odd.bytes, "{format}");
            assert_eq!(fs::read_dir(folder.path())?.count(), 2, "{format}");
        }
        Ok(())
    }

    #[test]
    fn columns_are_the_fields_of_a_row() -> Checked {
        let row = sample::rows(1).remove(0);
        let line = serde_json::to_string(&row)?;
        let mut rest = line.as_str();
        for column in COLUMNS {
            let key = format!("\"{}\":", column.name);
            rest = rest.split_once(&key).map(|(_, rest)| rest).ok_or(key)?;
        }
        let fields: serde_json::Map<_, _> = serde_json::from_str(&line)?;
        assert_eq!(fields.len(), COLUMNS.len());
        for column in COLUMNS {
            let cell = match column.value {
                Value::Text(get) => serde_json::to_value(get(&row)),
                Value::Int32(get) => serde_json::to_value(get(&row)),
                Value::Int64(get) => serde_json::to_value(get(&row)),
                Value::Texts(get) => serde_json::to_value(get(&row)),
                Value::Objects(get) => serde_json::to_value(get(&row)),
            };
            assert_eq!(fields[column.name], cell?, "{}", column.name);
        }
        Ok(())
    }

    #[test]
    fn no_rows_make_a_file_all_the_same() -> Checked {
        let folder = tempfile::tempdir()?;
        for format in ALL {
            let written = write(format, &folder.path().join(format.extension()), &[], &[1])?;
            assert!(written.rows == 0 && written.path.exists(), "{format}");
        }
        Ok(())
    }

    #[test]
    fn an_unfinished_sink_leaves_nothing() -> Checked {
        let rows = sample::rows(3_000);
        for format in ALL {
            let folder = tempfile::tempdir()?;
            let mut sink = open(format, &folder.path().join("a"))?;
            sink.write(&rows)?;
            assert_eq!(fs::read_dir(folder.path())?.count(), 1, "{format}");
            assert!(!folder.path().join("a").exists(), "{format}");
            drop(sink);
            assert_eq!(fs::read_dir(folder.path())?.count(), 0, "{format}");
        }
        Ok(())
    }

    #[test]
    fn errors_name_the_path_and_a_remedy() -> Checked {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("file");
        fs::write(&file, "")?;
        for format in ALL {
            let taken = open(format, &file).err().ok_or("opened")?.to_string();
            assert_eq!(
                taken,
                format!("`{}` already exists; move it away, or choose another output folder", file.display())
            );
            let below = open(format, &file.join("data/a.csv")).err().ok_or("opened")?.to_string();
            assert!(below.starts_with(&format!("cannot create the folder `{}", file.display())), "{below}");
            assert!(below.ends_with("choose another output folder"), "{below}");
        }
        Ok(())
    }

    /// Fails at its first rows.
    struct Failing(PartialFile);

    impl Encode for Failing {
        fn encode(&mut self, _: &[Row]) -> Result<(), OutputError> {
            Err(self.0.error("write", ErrorKind::StorageFull.into()))
        }

        fn close(self) -> Result<PartialFile, OutputError> {
            Ok(self.0)
        }
    }

    #[test]
    fn a_sink_that_failed_does_not_finish() -> Checked {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a");
        let mut sink: Box<dyn Sink> = Box::new(EncodedSink::new(&path, Failing(PartialFile::create(&path)?)));
        assert!(matches!(sink.write(&[]), Err(OutputError::Io { .. })));
        assert!(matches!(sink.write(&[]), Err(OutputError::GivenUp { .. })));
        assert!(matches!(sink.finish(), Err(OutputError::GivenUp { .. })));
        assert_eq!(fs::read_dir(folder.path())?.count(), 0);
        Ok(())
    }

    /// CPU time of this thread in seconds, which says more than the clock on a busy machine.
    #[cfg(target_os = "linux")]
    fn cpu_seconds() -> Result<f64, Box<dyn std::error::Error>> {
        let text = fs::read_to_string("/proc/thread-self/schedstat")?;
        Ok(text.split(' ').next().unwrap_or_default().parse::<f64>()? / 1e9)
    }

    /// `cargo test --release --lib sink::tests::speed -- --ignored --nocapture`
    #[cfg(target_os = "linux")]
    #[test]
    #[ignore = "measures, in release mode"]
    fn speed() -> Checked {
        let rows = sample::rows(100_000);
        let folder = tempfile::tempdir()?;
        for format in ALL {
            let start = std::time::Instant::now();
            let cpu = cpu_seconds()?;
            let written = write(format, &folder.path().join(format.extension()), &rows, &[256])?;
            let each = start.elapsed().as_secs_f64() * 1e6 / rows.len() as f64;
            let cpu = (cpu_seconds()? - cpu) * 1e6 / rows.len() as f64;
            let size = written.bytes / written.rows;
            println!("{format}: {cpu:.2} us/row of CPU time, {each:.2} us/row in all, {size} bytes/row");
        }
        Ok(())
    }
}
