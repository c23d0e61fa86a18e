//! What is wrong with a package, where, and what to do about it.

use std::fmt;
use std::ops::Deref;

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

/// Faults found together, in the order in which they were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Adds a fault.
    pub fn push(&mut self, fault: Fault) {
        self.0.push(fault);
    }

    /// Adds a fault unless it is there already.
    pub fn push_once(&mut self, fault: Fault) {
        if !self.0.contains(&fault) {
            self.0.push(fault);
        }
    }
}

impl Deref for Faults {
    type Target = [Fault];

    fn deref(&self) -> &[Fault] {
        &self.0
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Faults {
        Faults(vec![fault])
    }
}

impl From<Vec<Fault>> for Faults {
    fn from(faults: Vec<Fault>) -> Faults {
        Faults(faults)
    }
}

impl FromIterator<Fault> for Faults {
    fn from_iter<I: IntoIterator<Item = Fault>>(faults: I) -> Faults {
        Faults(faults.into_iter().collect())
    }
}

impl Extend<Fault> for Faults {
    fn extend<I: IntoIterator<Item = Fault>>(&mut self, faults: I) {
        self.0.extend(faults);
    }
}

impl IntoIterator for Faults {
    type Item = Fault;
    type IntoIter = std::vec::IntoIter<Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl std::error::Error for Faults {}

impl fmt::Display for Faults {
    /// One line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.0.iter().enumerate() {
            let line_end = if number == 0 { "" } else { "\n" };
            write!(f, "{line_end}{fault}")?;
        }
        Ok(())
    }
}

/// The line, counted from 1, of a byte offset.
pub fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())].iter().filter(|b| **b == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_take_a_line_each() {
        let mut faults = Faults::from(Fault::new("a.lp", 3, "no rule", "add one"));
        faults.push_once(faults[0].clone());
        faults.push_once(Fault::new("b.lp", 0, "no file", "write it"));
        assert_eq!(faults.to_string(), "a.lp:3: no rule; add one\nb.lp: no file; write it");
    }
}
