//! What can go wrong with files of items, as sentences.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use crate::columns::COLUMNS;

/// What keeps a file from being written or read. Every message names the file, the cause and a remedy.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The final name is taken.
    #[error("`{}` already exists; move it away, or choose another output folder", path.display())]
    Exists {
        /// The final name.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot {action} `{}`: {cause}; {}", path.display(), write_remedy(cause.kind()))]
    Write {
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
    /// The folder is taken.
    #[error("`{}` is not empty; choose another folder (--force replaces only an earlier export)", .0.display())]
    Taken(PathBuf),
    /// An output folder holds something that stands in the way.
    #[error("`{}` {what}", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
        /// What it holds, and what to do.
        what: String,
    },
    /// The operating system refused.
    #[error("cannot read `{}`: {cause}; {}", path.display(), read_remedy(cause.kind()))]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The words of the operating system.
        cause: io::Error,
    },
    /// There is nothing of that name.
    #[error("`{}` is not there; check the spelling of the path, and give the output folder of a run, or a data file", .0.display())]
    Absent(PathBuf),
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
    /// Files are called by a column, and this cell cannot be in a name.
    #[error("item {id}: the {column} `{}` cannot name a file; use letters, digits, `_`, `-` and `.`, with no `.` in front", name.escape_debug())]
    FileName {
        /// The column.
        column: &'static str,
        /// Its cell.
        name: String,
        /// The item.
        id: String,
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

/// What a user can do about an error of the operating system.
fn write_remedy(kind: ErrorKind) -> &'static str {
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

/// What a user can do about a file that cannot be read.
fn read_remedy(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NotFound => "check the spelling of the path",
        ErrorKind::PermissionDenied => "make it readable",
        _ => "check the path and its disk",
    }
}
