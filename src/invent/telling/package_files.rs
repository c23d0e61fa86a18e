//! A theory with its words to the files of a package.

use std::collections::BTreeMap;

use crate::invent::drawn::DrawnTheory;
use crate::invent::encode::domain_program::domain_program;
use crate::invent::encode::symbols::TheorySymbols;
use crate::invent::encode::world_program::world_program;
use crate::invent::reach::sizes;
use crate::invent::telling::clauses::ToldTheory;
use crate::invent::telling::phrase_book::{BookWriter, quoted};
use crate::invent::theory::grammar::QuotaCell;
use crate::invent::words::vocabulary::{DomainWords, TheoryWords};

/// What says where a domain comes from.
#[derive(Clone, Copy, Debug)]
pub struct PackageOrigin {
    /// The seed of the series.
    pub seed: u64,
    /// Where the words come from.
    pub vocabulary: DomainWords,
}

/// The files of a package, by name.
pub fn package_files(
    drawn: &DrawnTheory,
    words: &TheoryWords,
    origin: PackageOrigin,
) -> BTreeMap<String, String> {
    let theory = &drawn.theory;
    let symbols = words.symbols(theory);
    let title = title(drawn, words);
    let domain = domain_program(theory, &symbols, false).text;
    let world = world_program(theory, &symbols);
    let writer =
        BookWriter { told: ToldTheory { theory, words }, symbols: &symbols, text: format!("# {title}\n\n") };
    BTreeMap::from([
        ("domain.toml".to_owned(), head(drawn, words, &symbols, origin)),
        ("domain.lp".to_owned(), format!("% {title}\n\n{domain}")),
        ("world.lp".to_owned(), format!("% {title}\n\n{world}")),
        (
            "questions.lp".to_owned(),
            format!("% {title}\n% All families of questions follow from the phrase book.\n"),
        ),
        ("phrases.toml".to_owned(), writer.book()),
    ])
}

fn title(drawn: &DrawnTheory, words: &TheoryWords) -> String {
    let many: Vec<&str> = words.kinds.iter().map(|kind| kind.noun.many.as_str()).collect();
    let list = match many.as_slice() {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        all => all.concat(),
    };
    let list = list[..1].to_uppercase() + &list[1..];
    format!("{list} (invented domain {})", drawn.number)
}

fn head(drawn: &DrawnTheory, words: &TheoryWords, symbols: &TheorySymbols, origin: PackageOrigin) -> String {
    let theory = &drawn.theory;
    let cell = QuotaCell::of(drawn.number);
    let names: Vec<&str> = cell.mechanisms.iter().map(|mechanism| mechanism.name()).collect();
    let mut text = format!("title = {}\n", quoted(&title(drawn, words)));
    text += &format!(
        "summary = {}\n",
        quoted("A domain that was made up by a program; no one has seen it before.")
    );
    text += &format!(
        "source = {}\n",
        quoted(&format!(
            "racgen invent --seed {}, number {}, words {}; mechanisms {}, laws {}; {:.1} bits, key {}",
            origin.seed,
            drawn.number,
            origin.vocabulary.name(),
            names.join(", "),
            cell.laws.name(),
            drawn.bits,
            drawn.key
        ))
    );
    let statics: Vec<String> = symbols.statics.iter().map(|name| format!("\"{name}/2\"")).collect();
    text += &format!("statics = [{}]\n\n[levels]\n", statics.join(", "));
    for level in 1..=5 {
        let counts = sizes(theory, level).into_iter().zip(&symbols.counts);
        let counts: Vec<String> = counts.map(|(size, name)| format!("{name} = {size}")).collect();
        text += &format!("N{level} = {{ {} }}\n", counts.join(", "));
    }
    for ((kind, symbol), id) in words.kinds.iter().zip(&symbols.kinds).zip(ids(&symbols.kinds)) {
        let names: Vec<String> = kind.names.iter().map(|name| quoted(name)).collect();
        text += &format!("\n[types.{symbol}]\nid = \"{id}\"\n");
        let index = symbols.kinds.iter().position(|other| other == symbol).unwrap_or_default();
        text += &format!("count = \"{}\"\nnames = [{}]\n", symbols.counts[index], names.join(", "));
    }
    text
}

/// Ids of types: as many first letters of each as tell it from the others.
fn ids(kinds: &[String]) -> Vec<String> {
    let letters: Vec<String> =
        kinds.iter().map(|kind| kind.chars().filter(char::is_ascii_lowercase).collect()).collect();
    let id = |own: &String| {
        let unique = |length: &usize| {
            letters.iter().filter(|other| other.get(..*length) == own.get(..*length)).count() == 1
        };
        let length = (1..=own.len()).find(unique).unwrap_or(own.len());
        own[..length].to_owned()
    };
    letters.iter().map(id).collect()
}
