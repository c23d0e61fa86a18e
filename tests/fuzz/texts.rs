//! Texts that the audit reads back: paragraphs, questions, rationales, and whole rows.

use std::sync::Arc;
use std::time::Duration;

use racgen::audit::reread::judge::Reread;
use racgen::audit::reread::verdict::Trouble;
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::domain::package::Package;
use racgen::factory::settings::Settings;
use racgen::factory::source::Factory;
use racgen::items::clock::Clock;
use racgen::items::source::{GROUP_SIZE, Split};
use racgen::language::read::parser::Inverse;
use racgen::language::read::rationale_parser::Steps;
use racgen::language::words::generic_books::Books;
use racgen::phrases::book::PhraseBook;

use crate::document::Documents;
use crate::target::fuzz;

const SOLVER: Duration = Duration::from_secs(20);
const TOKENS: &[&str] = &[
    ". ",
    "; ",
    ", ",
    " and ",
    "? ",
    ".",
    "The ",
    "the ",
    "not ",
    "-1",
    "1, 2; 3",
    "\n",
    "Is it true that ",
    "So the answer is ",
    "If ",
    "then ",
    "\u{e010}",
    "\u{e011}",
    "\u{e200}",
];

/// A few rows, in the vocabulary of their domain or of the generic domain.
pub fn rows(domain: &str, as_generic: bool) -> Vec<Row> {
    let settings = Settings {
        depths: vec![2],
        items: 6,
        splits: vec![Split { name: "train".into(), weight: 1.0 }],
        as_generic,
        rationale: true,
        ..Settings::default()
    };
    let factory = Factory::new(package(domain), settings, SOLVER);
    let (stream, rows) = factory.streams(0)[0];
    assert!(rows <= GROUP_SIZE);
    let items = factory.group(stream, 0, rows, &Clock::default()).unwrap();
    items.into_iter().map(|item| item.row).collect()
}

fn package(domain: &str) -> Package {
    Package::load(domain).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

/// What the audit reads of a row.
fn parts(rows: &[Row]) -> Vec<String> {
    let texts = |row: &Row| {
        let shared = [&row.initial_state, &row.rules, &row.actions].map(|text| text.to_string());
        shared.into_iter().chain([row.question.clone(), row.rationale.clone(), row.answer.clone()])
    };
    let mut all: Vec<String> = rows.iter().flat_map(texts).collect();
    all.sort();
    all.dedup();
    all
}

/// Is the text any part of a row about these objects?
fn is_read(inverse: &Inverse, book: &PhraseBook, package: &Package, row: &Row, text: &str) -> bool {
    let names = inverse.names(&row.objects, false);
    let signed = inverse.names(&row.objects, true);
    let masked = names.mask(text);
    let tables = [&inverse.state, &inverse.actions, &inverse.rules];
    let mut read = tables.iter().any(|table| table.paragraph(&masked).is_ok());
    read |= tables.iter().any(|table| table.paragraph(&signed.mask(text)).is_ok());
    read |= !inverse.question(book, &names, text).is_empty();
    read |= [true, false].iter().any(|action| inverse.says(book, &names, text, *action).is_some());
    read |= Steps::new(inverse, book, &names, &package.common.rationale).read(text).is_ok();
    _ = names.rename(text);
    read
}

#[test]
fn texts_of_blocks() {
    let (package, rows) = (package("blocks"), rows("blocks", false));
    let inverse = Inverse::new(&package).0;
    fuzz(bolero::check!(), "texts_of_blocks", Documents::new(parts(&rows), TOKENS), |text| {
        is_read(&inverse, &package.book, &package, &rows[0], text)
    });
}

#[test]
fn texts_of_dwr() {
    let (package, rows) = (package("dwr"), rows("dwr", false));
    let inverse = Inverse::new(&package).0;
    fuzz(bolero::check!(), "texts_of_dwr", Documents::new(parts(&rows), TOKENS), |text| {
        is_read(&inverse, &package.book, &package, &rows[0], text)
    });
}

#[test]
fn generic_texts() {
    let (package, rows, books) = (package("blocks"), rows("blocks", true), Books::load().unwrap());
    let inverse = Inverse::generic(&books.generic, &books.own, &package.common);
    fuzz(bolero::check!(), "generic_texts", Documents::new(parts(&rows), TOKENS), |text| {
        is_read(&inverse, &books.generic, &package, &rows[0], text)
    });
}

/// Puts a text in a column.
type Change = fn(&mut Row, String);

const CHANGES: [Change; 14] = [
    |row, text| row.initial_state = text.into(),
    |row, text| row.rules = text.into(),
    |row, text| row.actions = text.into(),
    |row, text| row.question = text,
    |row, text| row.answer = text,
    |row, text| row.rationale = text,
    |row, text| row.facts = [text].into(),
    |row, text| row.plan = [text].into(),
    |row, text| row.query = text,
    |row, text| row.gold = vec![text],
    |row, text| row.answer_type = text.into(),
    |row, text| row.template = text,
    |row, text| {
        Arc::make_mut(&mut row.objects).iter_mut().for_each(|object| object.id = text.as_str().into())
    },
    |row, text| {
        Arc::make_mut(&mut row.objects)
            .iter_mut()
            .last()
            .into_iter()
            .for_each(|object| object.name = text.as_str().into())
    },
];

/// One of the rows with a text in one of its columns. The text itself says in which, so that it fails again when it is
/// tried again.
pub fn change(rows: &[Row], text: &str) -> Row {
    let chance = text.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
    let mut row = rows[chance % rows.len()].clone();
    CHANGES[chance / rows.len() % CHANGES.len()](&mut row, text.to_owned());
    row.context = [&*row.initial_state, &row.rules, &row.actions].join("\n\n").into();
    row
}

#[test]
fn ids_add_nothing_to_logic_programs() {
    let catalogue = Catalogue::find(&[]).unwrap();
    let mut row = rows("blocks", true).remove(0);
    let reread = Reread::new(&catalogue, SOLVER);
    assert!(reread.judge(&[row.clone()], &|_| ())[0].is_ok());
    let fluent = Arc::make_mut(&mut row.objects).iter_mut().find(|object| &*object.kind == "fluent").unwrap();
    fluent.id = "a). :- action(b".into();
    let found = reread.judge(&[row], &|_| ()).remove(0).expect_err("no term");
    assert_eq!(found.trouble, Trouble::Columns, "{}", found.detail);
}

#[test]
fn whole_rows() {
    let catalogue = Catalogue::find(&[]).unwrap();
    let reread = Reread::new(&catalogue, SOLVER);
    let made: Vec<Row> = [rows("blocks", false), rows("blocks", true)].concat();
    // One of each vocabulary; their columns are the seeds, too.
    let few = [made[0].clone(), made[made.len() - 1].clone()];
    let terms =
        few.iter().flat_map(|row| row.facts.iter().chain(&*row.plan).take(4).chain([&row.query]).cloned());
    let documents = Documents::new(parts(&few).into_iter().chain(terms).collect::<Vec<_>>(), TOKENS);
    fuzz(bolero::check!(), "whole_rows", documents, |text| {
        // Nearly every change is found out; what was read is told from what was not by the trouble.
        match &reread.judge(&[change(&few, text)], &|_| ())[0] {
            Ok(_) => true,
            Err(found) => found.trouble != Trouble::Unreadable,
        }
    });
}
