//! Files of learners to texts, and texts to the rules that count.

use std::fs;
use std::path::Path;

use racgen_logic::fault::Fault;
use racgen_logic::unread::Unread;

use crate::rules::datalog::reader::ReadRule;
use crate::rules::error::RulesError;

/// A file's text.
pub fn read_text(path: &Path) -> Result<String, RulesError> {
    let bytes = fs::read(path).map_err(Unread::at(path))?;
    String::from_utf8(bytes).map_err(|error| {
        let before = error.utf8_error().valid_up_to();
        let readable = String::from_utf8_lossy(&error.as_bytes()[..before]);
        let line = racgen_logic::fault::line_of(&readable, before);
        let column = readable.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
        Fault {
            place: format!("{}:{line}:{column}", path.display()),
            cause: "this is not UTF-8".into(),
            remedy: "save the file as UTF-8".into(),
        }
        .into()
    })
}

/// The rules of at least this confidence; those without one stay.
pub fn above(rules: Vec<ReadRule>, threshold: Option<f64>) -> Vec<ReadRule> {
    let stays = |read: &ReadRule| match (threshold, read.confidence) {
        (Some(threshold), Some(confidence)) => confidence >= threshold,
        _ => true,
    };
    rules.into_iter().filter(stays).collect()
}
