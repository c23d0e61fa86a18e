//! A prediction that lists statements or actions to the set of them that it names: in any phrasing of the domain's phrase
//! book, numbered, one a line or in a row, or as ground terms.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use racgen_data::row::{ObjectName, Row};
use racgen_logic::term::Term;

use crate::domain::catalogue::Catalogue;
use crate::domain::package::Package;
use crate::language::read::parser::Inverse;
use crate::language::tell::family_question::{DENIED, STATEMENTS};
use crate::language::words::generic_books::Books;
use crate::score::overlap::overlap;
use crate::score::plain_text::answering_part;
use crate::simulate::search::goal::NEGATION;

/// Longer predictions than this are not read: no list of an item is as long.
const LONGEST: usize = 20_000;

/// Are the answers of this type statements or actions?
pub(crate) fn is_list(answer_type: &str) -> bool {
    ["facts", "action", "actions"].contains(&answer_type)
}

/// The phrase books of domains, turned round, once they are needed.
pub(crate) struct StatementReader<'c> {
    catalogue: &'c Catalogue,
    own: BTreeMap<Arc<str>, Option<(Package, Inverse)>>,
    generic: BTreeMap<Arc<str>, Option<Inverse>>,
}

impl<'c> StatementReader<'c> {
    /// A reader of the domains of a catalogue.
    pub(crate) fn new(catalogue: &'c Catalogue) -> StatementReader<'c> {
        StatementReader { catalogue, own: BTreeMap::new(), generic: BTreeMap::new() }
    }

    /// Does a text name exactly what the row's answer does?
    pub(crate) fn answers(&mut self, text: &str, row: &Row) -> bool {
        if text.len() > LONGEST {
            return false;
        }
        let parts = parts(answering_part(text));
        let wanted: BTreeSet<String> = row.gold.iter().cloned().collect();
        if parts.iter().cloned().collect::<BTreeSet<_>>() == wanted {
            return true;
        }
        let canonical: BTreeSet<String> = row.answer.split(STATEMENTS).map(plain).collect();
        if parts.iter().map(|part| plain(part)).collect::<BTreeSet<_>>() == canonical {
            return true;
        }
        let said = parts.iter().map(|part| self.said(part, row)).collect::<Option<BTreeSet<String>>>();
        said.is_some_and(|said| said == wanted)
    }

    /// How far the statements of a text and those of the row's answer are the same: the F1 of the two sets. What says nothing
    /// is a statement of its own, and a wrong one.
    pub(crate) fn overlap(&mut self, text: &str, row: &Row) -> f64 {
        if text.len() > LONGEST {
            return 0.0;
        }
        let canonical: BTreeSet<String> = row.answer.split(STATEMENTS).map(plain).collect();
        let mut said: BTreeSet<String> = BTreeSet::new();
        for part in parts(answering_part(text)) {
            let given = row.gold.iter().find(|gold| **gold == part).cloned();
            let term = given.or_else(|| self.said(&part, row));
            said.insert(term.unwrap_or_else(|| plain(&part)));
        }
        // Without a phrase book the answer's own statements are still known.
        let is_right = |one: &&String| row.gold.contains(one) || canonical.contains(*one);
        let shared = said.iter().filter(is_right).count().min(row.gold.len());
        overlap(shared, said.len(), row.gold.len())
    }

    fn own(&mut self, domain: &Arc<str>) -> Option<&(Package, Inverse)> {
        let catalogue = self.catalogue;
        let own = self.own.entry(domain.clone()).or_insert_with(|| {
            let package = catalogue.load(domain).ok()?;
            let (inverse, _) = Inverse::new(&package);
            Some((package, inverse))
        });
        own.as_ref()
    }

    /// The package of a domain, if there is one.
    pub(crate) fn package(&mut self, domain: &Arc<str>) -> Option<&Package> {
        self.own(domain).map(|(package, _)| package)
    }

    /// The term that a statement, or an action, says, with `_` in places that its wording leaves open; none where it says
    /// none, or more than one.
    pub(crate) fn term(&mut self, part: &str, row: &Row, action: bool) -> Option<Term> {
        let domain = &row.domain;
        self.own(domain)?;
        let (package, inverse) = self.own.get(domain)?.as_ref()?;
        let told = row.template.rsplit('/').next().unwrap_or_default();
        if told.starts_with("generic.") {
            let books = Books::load().ok()?;
            let inverse = self
                .generic
                .entry(domain.clone())
                .or_insert_with(|| Some(Inverse::generic(&books.generic, &books.own, &package.common)));
            let inverse = inverse.as_ref()?;
            let numbered = |object: &&ObjectName| &*object.kind == "fluent" || &*object.kind == "action";
            let objects: Vec<ObjectName> = row.objects.iter().filter(numbered).cloned().collect();
            inverse.says(&books.generic, &inverse.names(&objects, false), part, action)
        } else {
            inverse.says(&package.book, &inverse.names(&row.objects, false), part, action)
        }
    }

    /// The term that a part of a list says; none where it says none, or more than one.
    fn said(&mut self, part: &str, row: &Row) -> Option<String> {
        // A fact that is to be false is told as a denial, of which the statement is read.
        let denied = part.get(..DENIED.len()).is_some_and(|head| head.eq_ignore_ascii_case(DENIED));
        let statement = if denied { &part[DENIED.len()..] } else { part };
        let found = self.term(statement, row, &*row.answer_type != "facts")?;
        let found = if denied { Term::function(NEGATION, vec![found]) } else { found };
        // A wording may leave a place open that the others settle.
        let fits = |term: &Term| {
            term.is(found.functor(), found.args().len())
                && term.args().iter().zip(found.args()).all(|(known, said)| said.is("_", 0) || known == said)
        };
        let wanted = row.gold.iter().find(|gold| gold.parse::<Term>().is_ok_and(|term| fits(&term)));
        Some(wanted.cloned().unwrap_or_else(|| found.to_string()))
    }
}

/// The parts of a list, without numbers, bullets and full stops.
pub(crate) fn parts(text: &str) -> Vec<String> {
    let lines = text.split(['\n', ';']).map(unnumbered).flat_map(|line| line.split(". "));
    let part = |line: &str| {
        let line = unnumbered(line);
        line.strip_prefix("and ").unwrap_or(line).trim_end_matches(['.', ',']).trim().to_owned()
    };
    lines.map(part).filter(|part| !part.is_empty()).collect()
}

/// A line without a bullet or a number at its beginning.
fn unnumbered(line: &str) -> &str {
    let line = line.trim().trim_start_matches(['-', '*', '\u{2022}']).trim_start();
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match line[digits..].strip_prefix(['.', ')']) {
        Some(rest) if (1..4).contains(&digits) => rest.trim(),
        _ => line,
    }
}

/// A statement in small letters.
fn plain(text: &str) -> String {
    text.trim().trim_end_matches('.').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: &'static str, answer: &str, gold: &[&str]) -> Row {
        let object =
            |id: &str, name: &str| ObjectName { id: id.into(), kind: "block".into(), name: name.into() };
        Row {
            domain: "blocks".into(),
            answer_type: kind.into(),
            answer: answer.into(),
            gold: gold.iter().map(|term| (*term).to_owned()).collect(),
            objects: vec![object("b1", "red"), object("b2", "blue")].into(),
            template: "whole_state.1".into(),
            ..Row::default()
        }
    }

    #[test]
    fn lists_are_read_in_any_order_and_phrasing() {
        let catalogue = Catalogue::find(&[]).unwrap();
        let mut reader = StatementReader::new(&catalogue);
        let answer = "the red block is on the blue block; the blue block is on the table";
        let row = row("facts", answer, &["on(b1,b2)", "ontable(b2)"]);
        assert!(reader.answers(answer, &row));
        assert!(
            reader
                .answers("1. The blue block is on the table.\n2. The red block is on the blue block.", &row)
        );
        assert!(
            reader.answers("The blue block stands on the table; the red block is on the blue block", &row)
        );
        assert!(reader.answers("ontable(b2); on(b1,b2)", &row));
        assert!(!reader.answers("the red block is on the blue block", &row));
        assert!(!reader.answers("the blue block is on the red block; the blue block is on the table", &row));
        assert!(!reader.answers("none", &row));
    }

    #[test]
    fn lists_are_found_at_the_end_of_thoughts() {
        let catalogue = Catalogue::find(&[]).unwrap();
        let mut reader = StatementReader::new(&catalogue);
        let list = "the red block is on the blue block; the blue block is on the table";
        let row = row("facts", list, &["on(b1,b2)", "ontable(b2)"]);
        let thoughts = "At first the red block is on the table. Then it is moved.";
        for text in [
            format!("{thoughts} Therefore the answer is: {list}."),
            format!("{thoughts}\nThe answer is {list}."),
            format!("{thoughts} The answer is clear: <answer>{list}</answer>"),
            format!("{thoughts} \\boxed{{{list}}}"),
            format!("<think>{thoughts} The answer is none.</think>{list}"),
            format!("{thoughts}\n**Final answer:** {list}"),
        ] {
            assert!(reader.answers(&text, &row), "{text}");
            assert_eq!(reader.overlap(&text, &row), 1.0, "{text}");
        }
        assert!(!reader.answers(&format!("{list}. The answer is: the red block is on the table"), &row));
        assert!(!reader.answers(&format!("{thoughts} {list}"), &row));
    }

    #[test]
    fn denials_are_told_from_statements() {
        let catalogue = Catalogue::find(&[]).unwrap();
        let mut reader = StatementReader::new(&catalogue);
        let answer = "it is not the case that the red block is on the blue block";
        let row = row("facts", answer, &["neg(on(b1,b2))"]);
        assert!(reader.answers(answer, &row));
        assert!(reader.answers("It is not the case that the red block stands on the blue block.", &row));
        assert!(reader.answers("neg(on(b1,b2))", &row));
        assert!(!reader.answers("the red block is on the blue block", &row));
    }

    #[test]
    fn actions_are_told_from_each_other() {
        let catalogue = Catalogue::find(&[]).unwrap();
        let mut reader = StatementReader::new(&catalogue);
        let row = row("action", "Agnes moves the red block to the table", &["move(b1,table)"]);
        assert!(reader.answers("Agnes moves the red block to the table.", &row));
        assert!(reader.answers("move(b1,table)", &row));
        assert!(!reader.answers("Agnes moves the red block onto the blue block", &row));
    }
}
