//! A file or folder of the user's that cannot be opened, as a sentence.

use std::io;
use std::path::{Path, PathBuf};

/// What cannot be read, and why.
#[derive(Debug, thiserror::Error)]
#[error("cannot read `{}`: {cause}; check the path", path.display())]
pub struct Unread {
    /// The file or folder.
    pub path: PathBuf,
    /// The words of the operating system.
    pub cause: io::Error,
}

impl Unread {
    /// For `map_err`: what the operating system says of this path.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> Unread {
        |cause| Unread { path: path.to_owned(), cause }
    }
}
