//! How rows are stored, and where the files of a split stand.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

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
    /// assert_eq!(racgen_data::format::Format::Jsonl.extension(), "jsonl");
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
/// use racgen_data::format::{Format, shard_path};
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
