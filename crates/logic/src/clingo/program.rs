//! A program before clingo sees it: sources, constants, and which line of them clingo means.

use std::sync::Arc;

/// One logic program text and the name its errors carry.
#[derive(Clone, Debug)]
pub struct Source {
    /// File name, as the user knows it.
    pub name: Arc<str>,
    /// clingo's input language.
    pub text: Arc<str>,
}

impl Source {
    /// A source from its name and text.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Source {
        Source { name: name.into(), text: text.into() }
    }
}

/// A logic program: its texts, the parts to ground besides `base`, and its constants.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The texts, in order.
    pub sources: Vec<Source>,
    /// Names of `#program` parts to ground with `base`.
    pub parts: Vec<String>,
    /// Constants (`#const name = value`).
    pub constants: Vec<(String, i64)>,
}

/// The lines that [`Program::numbered_texts`] leaves between two texts.
const MARGIN: usize = 2;

impl Program {
    /// The arguments of a control: the program's constants, and what else is asked of it.
    pub(super) fn arguments(&self, extra: &[&str]) -> Vec<String> {
        let constants = self.constants.iter().map(|(name, value)| format!("-c{name}={value}"));
        constants.chain(extra.iter().map(|&argument| argument.to_owned())).collect()
    }

    /// The texts as clingo is given them: each starts on a line of its own number range, so that a line number alone
    /// tells the file.
    pub(super) fn numbered_texts(&self) -> impl Iterator<Item = String> {
        self.sources.iter().scan(0, |first_line, source| {
            let padded = "\n".repeat(*first_line) + &source.text + "\n#program base.\n";
            *first_line += source.text.lines().count() + MARGIN;
            Some(padded)
        })
    }

    /// The names of its texts.
    pub(super) fn file_names(&self) -> String {
        let mut names: Vec<&str> = self.sources.iter().map(|source| &*source.name).collect();
        names.dedup();
        names.join(", ")
    }

    /// The first line that may begin a rule for a predicate, as `file:line`; it tells nothing of lines with several rules.
    pub(super) fn line_of_rule(&self, predicate: &str) -> Option<String> {
        let begins = |line: &str| {
            let rest = line.trim_start().strip_prefix(predicate);
            rest.is_some_and(|rest| rest.starts_with(['(', ' ', ':']) && rest.contains(":-"))
        };
        self.sources.iter().find_map(|source| {
            let line = source.text.lines().position(begins)?;
            Some(format!("{}:{}", source.name, line + 1))
        })
    }

    /// The file and its own line for a line number of [`Program::numbered_texts`].
    pub(super) fn file_and_line(&self, mut line: usize) -> Option<(&str, usize)> {
        for source in &self.sources {
            let lines = source.text.lines().count();
            if line <= lines + MARGIN {
                // What follows the last line of a text shows that it ends too early.
                return Some((&source.name, line.clamp(1, lines.max(1))));
            }
            line -= lines + MARGIN;
        }
        None
    }
}
