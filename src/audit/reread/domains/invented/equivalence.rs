//! A rules paragraph to the rules of a logic program, and these against those of the package, which clingo runs.

use std::collections::BTreeSet;

use crate::audit::reread::domains::invented::always::Always;
use crate::audit::reread::domains::invented::known_words::KnownWords;
use crate::audit::reread::domains::invented::sentences::ToldParagraph;
use crate::domain::package::Package;
use crate::invent::encode::domain_program::domain_program;
use crate::invent::theory::parts::{FluentKind, InventedTheory, StaticShape};

/// How the source of an invented domain begins.
const SOURCE: &str = "racgen invent ";

/// Rules, one a line, in no order.
type ProgramRules = BTreeSet<String>;

/// Reads the rules paragraphs of an invented domain.
pub(crate) struct RulesReader {
    words: KnownWords,
    /// `domain.lp`
    domain: ProgramRules,
    /// The invariants of `world.lp`
    invariants: ProgramRules,
    /// How many sentences tell of the domain, before those that every domain has.
    sentences: usize,
}

fn lines(text: &str) -> ProgramRules {
    let lines = text.lines().map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty() && !line.starts_with('%')).collect()
}

impl RulesReader {
    /// A reader for a package; none where it is no invented domain.
    ///
    /// # Errors
    /// In words: an invented domain whose phrase book has other words than those that are known.
    pub(crate) fn of(package: &Package) -> Option<Result<RulesReader, String>> {
        if !package.source.starts_with(SOURCE) {
            return None;
        }
        let Some(words) = KnownWords::of(package) else {
            return Some(Err("the phrase book is not that of an invented domain".to_owned()));
        };
        let world = &package.world.text;
        let invariants = world.split_once("#program invariant.").map_or("", |(_, rules)| rules);
        Some(Ok(RulesReader {
            words,
            domain: lines(&package.domain.text),
            invariants: lines(invariants),
            sentences: package.book.rules.len(),
        }))
    }

    /// Does a paragraph tell the theory that clingo runs?
    ///
    /// # Errors
    /// In words: what cannot be read, or what is told otherwise.
    pub(crate) fn check(&self, paragraph: &str) -> Result<(), String> {
        let all: Vec<&str> = paragraph.split(". ").map(|sentence| sentence.trim_end_matches('.')).collect();
        let own = all.get(..self.sentences).ok_or("it has too few sentences")?;
        let told = self.words.paragraph(own)?;
        differ(&lines(&domain_program(&told.theory, &self.words.symbols, false).text), &self.domain)?;
        self.stays(&told)?;
        differ(&self.invariants_of(&told), &self.invariants)
    }

    /// What never moves must be told.
    fn stays(&self, told: &ToldParagraph) -> Result<(), String> {
        for (relation, known) in self.words.statics.iter().enumerate() {
            if known.shape == StaticShape::Home && !told.always.contains(&Always::Stays(relation)) {
                return Err(format!(
                    "that `{}` never changes is not told",
                    self.words.symbols.statics[relation]
                ));
            }
        }
        Ok(())
    }

    /// The constraints that are told.
    fn invariants_of(&self, told: &ToldParagraph) -> ProgramRules {
        let (theory, symbols): (&InventedTheory, _) = (&told.theory, &self.words.symbols);
        let count = |fluent: usize, open: usize, sign: &str, number: i64| {
            let kinds = &theory.fluents[fluent].kinds;
            let name = &symbols.fluents[fluent];
            let (args, of) = if open == 0 { ("Y,X", kinds.get(1)) } else { ("X,Y", kinds.first()) };
            let of = of.map_or("", |kind| symbols.kinds[*kind].as_str());
            format!(":- {of}(X), #count {{ Y : holds({name}({args}),0) }} {sign} {number}.")
        };
        let mut all = ProgramRules::new();
        for told in &told.always {
            match told {
                Always::Stays(_) => {}
                Always::One(fluent) | Always::Top(fluent, _) => drop(all.insert(count(*fluent, 1, "!=", 1))),
                Always::Most { fluent, open, most } => {
                    all.insert(count(*fluent, *open, ">", *most));
                    // Of things on each other, one sentence tells both.
                    if theory.fluents[*fluent].kind == FluentKind::On {
                        all.insert(count(*fluent, 0, ">", *most));
                    }
                }
                Always::NoCircle(fluent) => {
                    let (name, above) = (&symbols.fluents[*fluent], format!("above{fluent}"));
                    all.insert(format!("{above}(X,Y) :- holds({name}(X,Y),0)."));
                    all.insert(format!("{above}(X,Z) :- {above}(X,Y), holds({name}(Y,Z),0)."));
                    all.insert(format!(":- {above}(X,X)."));
                }
                Always::Ordered(fluent) => {
                    let kinds = &theory.fluents[*fluent].kinds;
                    let order = |s: &crate::invent::theory::parts::Static| {
                        s.shape == StaticShape::Order && s.kinds == kinds[..]
                    };
                    let order = theory.statics.iter().position(order);
                    let order = order.map_or("", |order| symbols.statics[order].as_str());
                    let name = &symbols.fluents[*fluent];
                    all.insert(format!(":- holds({name}(X,Y),0), not {order}(X,Y)."));
                }
            }
        }
        all
    }
}

/// Rules that only one of two programs has.
fn differ(told: &ProgramRules, known: &ProgramRules) -> Result<(), String> {
    match told.symmetric_difference(known).next() {
        None => Ok(()),
        Some(rule) if told.contains(rule) => Err(format!("it tells `{rule}`, which the domain has not")),
        Some(rule) => Err(format!("it does not tell `{rule}`")),
    }
}

#[cfg(test)]
mod tests {
    use racgen_logic::seed::stream;
    use rand::RngExt;
    use rayon::prelude::*;

    use super::*;
    use crate::invent::drawn::DrawnTheory;
    use crate::invent::identity::without_one;
    use crate::invent::invented::words_of;
    use crate::invent::series::{SeriesSettings, theory_of};
    use crate::invent::telling::package_files::{PackageOrigin, package_files};
    use crate::invent::words::vocabulary::{DomainWords, TheoryWords};
    use crate::language::words::text::capital;

    const SEED: u64 = 7;

    fn package(drawn: &DrawnTheory, words: &TheoryWords, vocabulary: DomainWords) -> Package {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in package_files(drawn, words, PackageOrigin { seed: SEED, vocabulary }) {
            std::fs::write(folder.path().join(file), text).unwrap();
        }
        let path = folder.path().to_str().unwrap();
        Package::load(path).unwrap_or_else(|faults| panic!("{} {faults:?}", drawn.number))
    }

    /// The sentences of the rules in one of their wordings.
    fn sentences(package: &Package, wording: usize) -> Vec<String> {
        let told = package.book.rules.iter().map(|phrasings| {
            let mut text = String::new();
            phrasings.list[wording % phrasings.list.len()].fill(&mut text, |_| "");
            capital(&text)
        });
        told.collect()
    }

    fn reader(package: &Package) -> RulesReader {
        RulesReader::of(package).expect("an invented domain").unwrap()
    }

    /// Domains with a reader, a package and words in each vocabulary.
    fn each(
        numbers: std::ops::Range<u64>,
        what: impl Fn(&DrawnTheory, DomainWords, &TheoryWords, &Package) + Sync,
    ) {
        let most = numbers.end - numbers.start;
        let seen: u64 = numbers
            .into_par_iter()
            .map(|number| {
                let settings = SeriesSettings { seed: SEED, ..SeriesSettings::default() };
                let Ok(drawn) = theory_of(&settings, number) else { return 0 };
                for vocabulary in DomainWords::ALL {
                    let words = words_of(&drawn, vocabulary, SEED);
                    what(&drawn, vocabulary, &words, &package(&drawn, &words, vocabulary));
                }
                1
            })
            .sum();
        assert!(2 * seen >= most, "{seen} domains");
    }

    #[test]
    fn every_wording_of_the_rules_tells_the_theory() {
        each(0..12, |drawn, vocabulary, _, package| {
            for wording in 0..4 {
                let text = sentences(package, wording).join(" ");
                let told = reader(package).check(&format!("{text} Nothing changes by itself."));
                assert_eq!(told, Ok(()), "{vocabulary:?} {}: {text}", drawn.number);
            }
        });
    }

    #[test]
    fn a_condition_or_an_effect_that_is_left_out_is_found() {
        each(0..8, |drawn, vocabulary, words, package| {
            let reader = reader(package);
            for theory in without_one(&drawn.theory) {
                let smaller = self::package(&DrawnTheory { theory, ..drawn.clone() }, words, vocabulary);
                for wording in 0..4 {
                    let text = sentences(&smaller, wording).join(" ");
                    assert!(reader.check(&text).is_err(), "{vocabulary:?} {}: {text}", drawn.number);
                }
            }
        });
    }

    #[test]
    fn a_word_that_is_changed_or_left_out_is_found() {
        each(0..5, |drawn, vocabulary, _, package| {
            let reader = reader(package);
            let mut dice = stream(SEED, &["words", vocabulary.name(), &drawn.number.to_string()]);
            for wording in 0..4 {
                let told = sentences(package, wording);
                let all: Vec<&str> = told.iter().flat_map(|sentence| sentence.split(' ')).collect();
                for (place, sentence) in told.iter().enumerate() {
                    let words: Vec<&str> = sentence.split(' ').collect();
                    for number in 0..words.len() {
                        let other = all[dice.random_range(0..all.len())];
                        let same = |put: &Option<&str>| {
                            put.is_some_and(|put| {
                                put.trim_end_matches('.') == words[number].trim_end_matches('.')
                            })
                        };
                        for put in [None, Some(other)].into_iter().filter(|put| !same(put)) {
                            let mut changed = words.clone();
                            changed.splice(number..=number, put);
                            let mut text = told.clone();
                            text[place] = changed.join(" ");
                            assert!(
                                reader.check(&text.join(" ")).is_err(),
                                "{}: {}",
                                drawn.number,
                                text[place]
                            );
                        }
                    }
                    // A sentence that is missing, and one that is told twice in its place.
                    let mut text = told.clone();
                    text.remove(place);
                    assert!(reader.check(&text.join(" ")).is_err(), "{}: without {sentence}", drawn.number);
                    text.insert(place, told[(place + 1) % told.len()].clone());
                    assert!(
                        reader.check(&text.join(" ")).is_err(),
                        "{}: in place of {sentence}",
                        drawn.number
                    );
                }
            }
        });
    }

    #[test]
    fn words_of_the_domain_that_are_exchanged_are_found() {
        each(0..8, |drawn, vocabulary, words, package| {
            let reader = reader(package);
            let [states, actions]: [Vec<&str>; 2] = [
                words
                    .fluents
                    .iter()
                    .filter_map(|f| match f {
                        crate::invent::words::vocabulary::FluentWords::Adjective(word) => Some(word.as_str()),
                        _ => None,
                    })
                    .chain(words.laws.iter().map(String::as_str))
                    .collect(),
                words.actions.iter().map(|action| action.third.as_str()).collect(),
            ];
            for pair in [states, actions] {
                let [one, other, ..] = pair.as_slice() else { continue };
                let text = sentences(package, 0).join(" ");
                let swapped = text.replace(one, "\u{1}").replace(other, one).replace('\u{1}', other);
                if swapped != text {
                    assert!(reader.check(&swapped).is_err(), "{vocabulary:?} {}: {swapped}", drawn.number);
                }
            }
        });
    }
}
