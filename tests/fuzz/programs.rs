//! Logic programs: statements lie within the text, one after the other, and what they derive and read can be told.

use racgen::logic::statements::{forbidden, statements};

use crate::document::Documents;
use crate::files;
use crate::target::fuzz;

const TOKENS: &[&str] = &[
    ":-",
    ".",
    "..",
    ",",
    ";",
    ":",
    "(",
    ")",
    "{",
    "}",
    "not ",
    "#count",
    "#include",
    "#script",
    "#end.",
    "#program ",
    "\"",
    "\\",
    "%",
    "%*",
    "*%",
    "\n",
    "p(",
    "X",
    "_",
    "'",
    "@f(",
    "1",
    "é",
    "[1@2]",
    ":~",
];

#[test]
fn programs() {
    let mut seeds = files("asp", ".lp");
    seeds.extend(files("domains/dwr", ".lp"));
    seeds.extend(files("domains/generic", ".lp"));
    fuzz(bolero::check!(), "programs", Documents::new(seeds, TOKENS), |text| {
        let all = statements(text);
        let (mut at, mut line) = (0, 1);
        for token in all.iter().flat_map(|statement| &statement.tokens) {
            assert!(token.place.start >= at, "{token:?} before {at}");
            line += text[at..token.place.start].matches('\n').count();
            assert_eq!(line, token.line, "{token:?}");
            at = token.place.start;
        }
        for statement in &all {
            let atoms = statement.derives(text).into_iter().chain(statement.reads(text));
            atoms.for_each(|atom| assert!(!atom.name.is_empty()));
        }
        let _ = forbidden(text);
        !all.is_empty()
    });
}
