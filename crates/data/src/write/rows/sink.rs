//! Rows to files: Parquet, JSONL or CSV, streamed, and never half-written under a final name.
//!
//! ```no_run
//! # fn main() -> Result<(), racgen_data::error::DataError> {
//! # let rows: Vec<racgen_data::row::Row> = Vec::new();
//! use std::path::Path;
//!
//! use racgen_data::format::{Format, shard_path};
//! use racgen_data::write::rows::sink::open;
//!
//! let path = Path::new("out").join(shard_path(None, "train", 0, 1, Format::Parquet));
//! let mut sink = open(Format::Parquet, &path)?; // out/data/train-00000-of-00001.parquet
//! sink.write(&rows)?;
//! println!("{}", sink.finish()?.sha256);
//! # Ok(())
//! # }
//! ```

use std::path::{Path, PathBuf};

use crate::columns::ExtraColumn;
use crate::error::DataError;
use crate::format::Format;
use crate::row::Row;
use crate::write::partial::{PartialFile, Written};
use crate::write::rows::encode::Encode;
use crate::write::rows::{csv, jsonl, parquet};

/// A file that takes rows. Dropped before [`Sink::finish`], it leaves nothing behind.
pub trait Sink: Send {
    /// Appends rows. The file depends on the sequence of all rows only, not on how calls slice it.
    ///
    /// # Errors
    /// Those of the operating system and of the format. After an error the sink takes no more rows.
    fn write(&mut self, rows: &[Row]) -> Result<(), DataError>;

    /// Completes the file, brings it to the disk and gives it its final name.
    ///
    /// # Errors
    /// Those of [`Sink::write`]; the final name then does not exist.
    fn finish(self: Box<Self>) -> Result<Written, DataError>;
}

/// Starts a file of rows; missing folders are made. Until it is finished the data stand beside `path` in a
/// hidden temporary file.
///
/// # Errors
/// [`DataError::Exists`] if the final name is taken, [`DataError::Write`] if the folder cannot be written.
pub fn open(format: Format, path: &Path) -> Result<Box<dyn Sink>, DataError> {
    open_with(format, path, &[])
}

/// As [`open`], with columns besides those of all rows.
///
/// # Errors
/// Those of [`open`].
pub fn open_with(format: Format, path: &Path, extra: &[ExtraColumn]) -> Result<Box<dyn Sink>, DataError> {
    if path.symlink_metadata().is_ok() {
        return Err(DataError::Exists { path: path.to_owned() });
    }
    let file = PartialFile::create(path)?;
    Ok(match format {
        Format::Parquet => Box::new(EncodedSink::new(path, parquet::ParquetEncoder::new(file, extra)?)),
        Format::Jsonl => Box::new(EncodedSink::new(path, jsonl::JsonlEncoder::new(file, extra))),
        Format::Csv => Box::new(EncodedSink::new(path, csv::CsvEncoder::new(file, extra)?)),
    })
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

    fn check(&self) -> Result<(), DataError> {
        if self.failed { Err(DataError::GivenUp { path: self.path.clone() }) } else { Ok(()) }
    }
}

impl<E: Encode> Sink for EncodedSink<E> {
    fn write(&mut self, rows: &[Row]) -> Result<(), DataError> {
        self.check()?;
        let result = self.encoder.encode(rows);
        self.failed = result.is_err();
        self.rows += rows.len() as u64;
        result
    }

    fn finish(self: Box<Self>) -> Result<Written, DataError> {
        self.check()?;
        self.encoder.close()?.persist(self.rows)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use std::io::ErrorKind;

    use super::*;
    use crate::columns::{COLUMNS, Value};
    use crate::sample;

    type Checked = Result<(), Box<dyn std::error::Error>>;

    const ALL: [Format; 3] = [Format::Parquet, Format::Jsonl, Format::Csv];

    /// Writes the rows in slices of the given lengths, taken round and round.
    fn write(format: Format, path: &Path, rows: &[Row], slices: &[usize]) -> Result<Written, DataError> {
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
                Value::Text(get, _) => serde_json::to_value(get(&row)),
                Value::Int32(get, _) => serde_json::to_value(get(&row)),
                Value::Int64(get, _) => serde_json::to_value(get(&row)),
                Value::Texts(get, _) => serde_json::to_value(get(&row)),
                Value::Objects(get, _) => serde_json::to_value(get(&row)),
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
        fn encode(&mut self, _: &[Row]) -> Result<(), DataError> {
            Err(self.0.error("write", ErrorKind::StorageFull.into()))
        }

        fn close(self) -> Result<PartialFile, DataError> {
            Ok(self.0)
        }
    }

    #[test]
    fn a_sink_that_failed_does_not_finish() -> Checked {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a");
        let mut sink: Box<dyn Sink> = Box::new(EncodedSink::new(&path, Failing(PartialFile::create(&path)?)));
        assert!(matches!(sink.write(&[]), Err(DataError::Write { .. })));
        assert!(matches!(sink.write(&[]), Err(DataError::GivenUp { .. })));
        assert!(matches!(sink.finish(), Err(DataError::GivenUp { .. })));
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
