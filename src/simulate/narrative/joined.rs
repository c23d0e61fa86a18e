//! A question that is made of others, with their answers, to clingo's answer to it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use racgen_logic::clingo::{Program, Source};
use racgen_logic::error::LogicError;
use racgen_logic::term::Term;

use crate::domain::question_groups::COMPOSITE;
use crate::simulate::narrative::family_program::{DERIVED, constants, sources};

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
    let mut all = sources(COMPOSITE);
    all.push(Source::new("the questions within", text));
    let program = Program { sources: all, parts: vec![], constants: constants(1) };
    let found = program.search(DERIVED, None, limit)?.enumerate(2)?;
    let fault = |message: String| LogicError::Program { place: format!("asp/{COMPOSITE}.lp"), message };
    let [only] = found.as_slice() else {
        return Err(fault(format!("`{question}` has {} answer sets", found.len())));
    };
    if !only.iter().any(|term| term.functor() == "ask") {
        return Ok(None);
    }
    let answers: Vec<&str> =
        only.iter().filter(|term| term.is("answer", 2)).map(|term| term.args()[1].functor()).collect();
    match answers.as_slice() {
        ["yes"] => Ok(Some(true)),
        ["no"] => Ok(Some(false)),
        _ => Err(fault(format!("`{question}` has {} answers", answers.len()))),
    }
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
        let message = format!("`{question}` is not asked for all answers to its {parts} parts");
        return Err(LogicError::Program { place: format!("asp/{COMPOSITE}.lp"), message });
    }
    known.insert(key, table.clone());
    Ok(table)
}
