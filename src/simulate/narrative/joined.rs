//! A question that is made of others, with their answers, to clingo's answer to it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use racgen_logic::error::LogicError;
use racgen_logic::term::Term;

use crate::domain::question_groups::COMPOSITE;
use crate::simulate::narrative::family_program::only_answer;

/// By family and number of questions within, the answers to all combinations of theirs, once they are worked out.
static TABLES: Mutex<BTreeMap<(String, usize), Vec<bool>>> = Mutex::new(BTreeMap::new());

/// Is a question answered yes whose parts are answered so? None where it is not asked.
///
/// # Errors
/// Solver failures; rules that give two answers.
pub fn joined(question: &Term, parts: &[bool], limit: Duration) -> Result<Option<bool>, LogicError> {
    let mut text = format!("wanted({question}).\nparts({question},{}).\n", parts.len());
    for (place, yes) in parts.iter().enumerate() {
        let answer = if *yes { "yes" } else { "no" };
        text += &format!("part({question},{},{answer}).\n", place + 1);
    }
    match only_answer(COMPOSITE, question, text, limit)? {
        None => Ok(None),
        Some(answer) if answer.is("yes", 0) => Ok(Some(true)),
        Some(answer) if answer.is("no", 0) => Ok(Some(false)),
        Some(other) => Err(fault(format!("`{question}` is answered `{other}`"))),
    }
}

/// A fault of the rules.
fn fault(message: String) -> LogicError {
    LogicError::Program { place: format!("asp/{COMPOSITE}.lp"), message }
}

/// The answers to a family's questions by those of their parts: bit I of a place tells whether part I is answered yes.
///
/// # Errors
/// As [`joined`]; a family that asks of no such number of parts.
pub fn joined_table(family: &str, parts: usize, limit: Duration) -> Result<Vec<bool>, LogicError> {
    let mut known = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (family.to_owned(), parts);
    if let Some(table) = known.get(&key) {
        return Ok(table.clone());
    }
    let placeholders = (0..parts).map(|place| Term::constant(&format!("q{place}"))).collect();
    let question = Term::function(family, placeholders);
    let mut table = Vec::new();
    for mask in 0..1usize << parts {
        let answers: Vec<bool> = (0..parts).map(|place| mask >> place & 1 == 1).collect();
        table.extend(joined(&question, &answers, limit)?);
    }
    if table.len() != 1 << parts {
        return Err(fault(format!("`{question}` is not asked for all answers to its {parts} parts")));
    }
    known.insert(key, table.clone());
    Ok(table)
}
