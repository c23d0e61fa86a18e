//! What clingo says about a program to an error with file, line and column.

use clingo::{Logger, Warning};

use super::program::Program;
use crate::error::LogicError;

/// What clingo said, in order.
#[derive(Default)]
pub(super) struct Messages(Vec<(Warning, String)>);

impl Logger for Messages {
    fn log(&mut self, code: Warning, message: &str) {
        self.0.push((code, message.to_owned()));
    }
}

/// How clingo calls a text that it is handed.
const BLOCK: &str = "<block>:";

impl Messages {
    /// clingo's first complaint about the program, if it has any.
    pub(super) fn complaint(&self, program: &Program) -> Option<LogicError> {
        self.gravest().map(|text| located(text, program))
    }

    /// The first message that matters: errors go before warnings, and some warnings are none to us.
    fn gravest(&self) -> Option<&str> {
        let grave = |code: &Warning| matches!(code, Warning::RuntimeError);
        let told = |code: &Warning| {
            !matches!(code, Warning::OperationUndefined | Warning::FileIncluded | Warning::GlobalVariable)
        };
        let first = |wanted: &dyn Fn(&Warning) -> bool| self.0.iter().find(|(code, _)| wanted(code));
        first(&grave).or_else(|| first(&told)).map(|(_, text)| text.trim())
    }
}

/// `<block>:LINE:COLUMN-...: error: what`, then more lines, some of them with places of their own, as an error.
fn located(text: &str, program: &Program) -> LogicError {
    let place_of = |line| str::strip_prefix(line, BLOCK).and_then(|t| place(t, program));
    let mut lines = text.lines();
    let Some((place, rest)) = place_of(lines.next().unwrap_or_default()) else {
        return LogicError::Internal(text.to_owned());
    };
    let mut message = rest.trim_start_matches([':', ' ']).to_owned();
    for line in lines {
        let (place, rest) = place_of(line).unwrap_or((String::new(), line));
        message = format!("{message} {place}{rest}");
    }
    LogicError::Program { place, message: bare(&message) }
}

/// A message without its kind, clingo's own remarks and line breaks.
fn bare(message: &str) -> String {
    let message = message.replace("[#inc_base];", "").replace("[#inc_base]", "");
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let kinds = ["error: ", "info: ", "warning: "];
    kinds.iter().find_map(|kind| message.strip_prefix(kind)).unwrap_or(&message).to_owned()
}

/// `LINE:COLUMN-...: rest`, with a line number as [`Program::numbered_texts`] counts them, to `file:line:column` and
/// the rest.
fn place<'t>(text: &'t str, program: &Program) -> Option<(String, &'t str)> {
    let (line, text) = text.split_once(':')?;
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (column, text) = text.split_at(digits);
    // The place may be a range, within a line (`1-5`) or across lines (`1-2:5`).
    let end = text.find(": ").unwrap_or(text.len());
    let (file, line) = program.file_and_line(line.parse().ok()?)?;
    Some((format!("{file}:{line}:{column}"), &text[end..]))
}
