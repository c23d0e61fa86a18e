//! Phrase books and the templates in them.

use racgen::phrases::phrasing::{Paragraph, Phrasing};
use racgen::phrases::reader::read_book;

use crate::document::Documents;
use crate::files;
use crate::target::fuzz;

pub const TOKENS: &[&str] = &[
    "[objects]\n",
    "[fact.\"on(block, block)\"]\n",
    "[fluent.\"at(robot, location)\"]\n",
    "[action.\"move(block)\"]\n",
    "[rules]\n",
    "[frame]\n",
    "[question.",
    "sentences = ",
    "each = ",
    "group = ",
    "chain = ",
    "ask = ",
    "which.block = ",
    "count.",
    "told = false\n",
    "symmetric = true\n",
    "[\"a\", \"b\"]",
    "\"\"\"",
    "'''",
    "{{ upper }}",
    "{{ list }}",
    "{{ person }}",
    "{{",
    "}}",
    "{%",
    "{#",
    "#}",
    "| upper",
    "upper: block",
    "block",
    "number",
    "table",
    "(",
    ")",
    ",",
    "true",
    "1979-05-27",
    "0x1F",
    "\\u00e9",
];
const TYPES: &[&str] = &[
    "block",
    "crane",
    "robot",
    "location",
    "container",
    "pile",
    "truck",
    "package",
    "city",
    "airplane",
    "fluent",
    "action",
];

/// A phrase book by its tables, which can each be read alone.
fn tables(book: &str) -> impl Iterator<Item = String> + '_ {
    book.split("\n[")
        .map(|part| if part.starts_with(['[', '#']) { part.to_owned() } else { format!("[{part}") })
}

#[test]
fn phrase_books() {
    let books = files("templates", ".toml");
    let documents = Documents::new(books.iter().flat_map(|book| tables(book)), TOKENS);
    fuzz(bolero::check!(), "phrase_books", documents, |text| {
        match read_book("book.toml", text, &["table"], TYPES) {
            Ok(_) => true,
            Err(faults) => {
                assert!(!faults.is_empty());
                false
            }
        }
    });
}

#[test]
fn phrasings() {
    let seeds = [
        "The {{ upper }} block is on the {{ lower }} block.",
        "Is {{ upper }} clear?",
        "{{ person }} waits.",
    ];
    fuzz(bolero::check!(), "phrasings", Documents::new(seeds, TOKENS), |text| {
        let Ok(phrasing) = Phrasing::compile(text, &["upper", "lower", "person"]) else { return false };
        let names = ["a", "b", "c"];
        let mut whole = String::new();
        phrasing.fill(&mut whole, |slot| names[slot]);
        let mut clause = String::new();
        phrasing.clause().fill(&mut clause, |slot| names[slot]);
        assert_eq!(whole.strip_suffix('.').filter(|_| clause != whole).unwrap_or(&whole), clause);
        true
    });
}

#[test]
fn paragraphs() {
    let seeds = files("templates", ".tera")
        .into_iter()
        .chain(["{{ a }} {% for b in c %}{{ b.d[0] }}{% endfor %}".into()]);
    let tokens = &[
        "{{ ",
        " }}",
        "{% if ",
        "{% else %}",
        "{% endif %}",
        "{% for x in y %}",
        "{% endfor %}",
        "{% set x = 1 %}",
        "{% raw %}",
        "{% macro m() %}",
        "{#",
        "#}",
        "{%-",
        "-%}",
        "| join(sep=\", \")",
        "not ",
        " and ",
        " == ",
        "[0]",
        ".x",
        "range(end=3)",
        "\"",
        "`",
        "~",
        "+",
        "loop.last",
        "-",
    ];
    fuzz(bolero::check!(), "paragraphs", Documents::new(seeds, tokens), |text| {
        Paragraph::compile("rules.tera", text).is_ok()
    });
}
