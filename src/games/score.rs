//! A learned logic program, or predictions, to scores on the test split of a task.
//!
//! A program may be written for clingo or in Prolog; what both write differently (`\+`, `\==`, `:- dynamic` and other
//! directives) is translated. It is run by clingo on the statics and the background of each test triple.

use std::collections::BTreeSet;
use std::path::Path;

use super::baselines::{Tally, read_dat};
use super::dat::Dat;
use super::error::GameError;
use super::flat::Flat;
use super::reference::{for_prolog, plain, spell};
use crate::fault::Fault;
use crate::solver::{Program, Source};

/// Prolog to clingo's language, line by line: what is dynamic may be undefined, other directives go, negation and
/// comparison are respelled.
///
/// ```
/// use racgen::games::to_asp;
/// assert_eq!(to_asp(":- dynamic p/1.\nq(X) :- r(X), \\+ p(X), X \\== 'a b'.\n"), "#defined p/1. \nq(X) :- r(X), not p(X), X != \"a b\".\n");
/// ```
pub fn to_asp(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let kept = line.trim_start();
        let directive =
            ["dynamic", "discontiguous", "table", "use_module", "style_check", "module", "set_prolog_flag"];
        let is_directive = kept
            .strip_prefix(":-")
            .is_some_and(|rest| directive.iter().any(|d| rest.trim_start().starts_with(d)));
        if let Some(list) = kept.strip_prefix(":- dynamic").filter(|_| is_directive) {
            let signatures = list.trim().trim_end_matches('.').split(',').map(str::trim);
            signatures.for_each(|s| out += &format!("#defined {s}. "));
        } else if !is_directive {
            let line =
                line.replace("\\+", "not ").replace("\\==", "!=").replace("\\=", "!=").replace("==", "=");
            out += &line.replace("not  ", "not ").replace("!==", "!=").replace('\'', "\"");
        }
        out.push('\n');
    }
    out
}

/// Scores a program on a test file in the published layout.
///
/// Relations with names of Prolog's own predicates may have them as they are or as the task folders have them.
///
/// # Errors
/// Programs that clingo refuses, with file, line and column.
pub fn score_program(text: &str, file: &str, test: &Dat) -> Result<Tally, GameError> {
    let rules = to_asp(text);
    let flat = |list: &[String]| -> Vec<Flat> { list.iter().filter_map(|a| Flat::read(a)).collect() };
    let atoms = flat(&test.atoms);
    let signatures: BTreeSet<(String, usize)> =
        atoms.iter().map(|a| (plain(&a.name), a.arguments.len())).collect();
    let shown: Vec<(&str, usize)> = signatures.iter().map(|(n, a)| (n.as_str(), *a)).collect();
    let fact = |flat: &Flat, text: &mut String| {
        *text += &format!("{}.\n", spell(flat, None, false));
        if for_prolog(&flat.name) != plain(&flat.name) {
            *text += &format!("{}.\n", spell(flat, None, true));
        }
    };
    let mut statics = String::new();
    flat(&test.statics).iter().for_each(|s| fact(s, &mut statics));
    // What never occurs in a background may be asked for all the same.
    let mut defined: BTreeSet<(String, usize)> = BTreeSet::new();
    for (background, _) in &test.triples {
        defined.extend(flat(background).iter().map(|a| (plain(&a.name), a.arguments.len())));
    }
    for (name, arity) in &defined {
        statics += &format!("#defined {name}/{arity}.\n");
    }
    for (name, arity) in &signatures {
        statics += &format!("#defined {name}/{arity}.\n");
    }
    let mut tally = Tally::default();
    for (background, positives) in &test.triples {
        let mut facts = statics.clone();
        flat(background).iter().for_each(|b| fact(b, &mut facts));
        let program = Program {
            sources: vec![Source::new(file, rules.as_str()), Source::new("the task", facts)],
            ..Program::default()
        };
        let ground =
            program.ground(&shown).map_err(|cause| GameError::Solver { file: file.into(), cause })?;
        let found: BTreeSet<String> =
            ground.named.iter().filter(|(_, atom)| atom.is_none()).map(|(t, _)| t.to_string()).collect();
        let positives: BTreeSet<&String> = positives.iter().collect();
        for (atom, text) in atoms.iter().zip(&test.atoms) {
            tally.count(positives.contains(text), found.contains(&spell(atom, None, false)));
        }
    }
    Ok(tally)
}

/// Scores predictions: for each test triple in order one line, the atoms that are held to be true, separated by
/// blanks or semicolons; an empty line where there are none.
///
/// # Errors
/// Another number of lines than triples, and what is no atom of the task, with file and line.
pub fn score_predictions(text: &str, file: &str, test: &Dat) -> Result<Tally, GameError> {
    let lines: Vec<&str> = text.lines().collect();
    let fault = |line: usize, cause: String| Fault {
        place: format!("{file}:{line}:1"),
        cause,
        remedy: "write one line a test triple, with the atoms that are true".into(),
    };
    if lines.len() != test.triples.len() {
        let cause = format!("{} lines for {} triples", lines.len(), test.triples.len());
        return Err(fault(lines.len().max(1), cause).into());
    }
    let known: BTreeSet<&String> = test.atoms.iter().collect();
    let mut tally = Tally::default();
    for (number, (line, (_, positives))) in lines.iter().zip(&test.triples).enumerate() {
        let mut found: BTreeSet<String> = BTreeSet::new();
        for part in
            line.replace("),", ");").replace(") ", ");").split(';').map(str::trim).filter(|p| !p.is_empty())
        {
            let atom = Flat::read(part).or_else(|| Flat::read(&format!("{part}()")));
            let atom = atom.map(|a| a.to_string()).filter(|a| known.contains(a));
            found.insert(atom.ok_or_else(|| fault(number + 1, format!("`{part}` is no atom of the task")))?);
        }
        for atom in &test.atoms {
            tally.count(positives.contains(atom), found.contains(atom));
        }
    }
    Ok(tally)
}

/// Scores a file on a test file; programs end in `.lp` or `.pl`, anything else holds predictions.
///
/// # Errors
/// Those of reading and of [`score_program`] and [`score_predictions`].
pub fn score(answer: &Path, test: &Path) -> Result<Tally, GameError> {
    let file = answer.display().to_string();
    let text =
        std::fs::read_to_string(answer).map_err(|cause| GameError::Read { file: file.clone(), cause })?;
    let test = read_dat(test)?;
    match answer.extension().and_then(|e| e.to_str()) {
        Some("lp" | "pl") => score_program(&text, &file, &test),
        _ => score_predictions(&text, &file, &test),
    }
}
