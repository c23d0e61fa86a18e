//! What is wrong with a package, where, and what to do about it.

use std::fmt;

/// A fault of a package file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// `file` or `file:line` or `file:line:column`.
    pub place: String,
    /// What is wrong.
    pub cause: String,
    /// What to do.
    pub remedy: String,
}

impl Fault {
    /// A fault at a line of a file; line 0 stands for the whole file.
    pub fn new(file: &str, line: usize, cause: impl Into<String>, remedy: impl Into<String>) -> Fault {
        let place = if line == 0 { file.to_owned() } else { format!("{file}:{line}") };
        Fault { place, cause: cause.into(), remedy: remedy.into() }
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.place, self.cause, self.remedy)
    }
}

/// The line, counted from 1, of a byte offset.
pub fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())].iter().filter(|b| **b == b'\n').count() + 1
}
