//! A rules paragraph to the rules of a logic program, and these against those of the package, which clingo runs.

use std::collections::BTreeSet;

use crate::audit::reread::domains::invented::known_words::KnownWords;
use crate::audit::reread::domains::invented::sentences::{Always, ToldParagraph};
use crate::domain::package::Package;
use crate::invent::encode::domain_program::domain_program;
use crate::invent::theory::parts::{FluentKind, InventedTheory, StaticShape};

/// How the source of an invented domain begins.
const SOURCE: &str = "racgen invent ";

/// Rules, one a line, in no order.
type Lines = BTreeSet<String>;

/// Reads the rules paragraphs of an invented domain.
pub(crate) struct RulesReader {
    words: KnownWords,
    /// `domain.lp`
    domain: Lines,
    /// The invariants of `world.lp`
    invariants: Lines,
    /// How many sentences tell of the domain, before those that every domain has.
    sentences: usize,
}

fn lines(text: &str) -> Lines {
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
                return Err(format!("that `{}` never changes is not told", self.words.symbols.statics[relation]));
            }
        }
        Ok(())
    }

    /// The constraints that are told.
    fn invariants_of(&self, told: &ToldParagraph) -> Lines {
        let (theory, symbols): (&InventedTheory, _) = (&told.theory, &self.words.symbols);
        let count = |fluent: usize, open: usize, sign: &str, number: i64| {
            let kinds = &theory.fluents[fluent].kinds;
            let name = &symbols.fluents[fluent];
            let (args, of) = if open == 0 { ("Y,X", kinds.get(1)) } else { ("X,Y", kinds.first()) };
            let of = of.map_or("", |kind| symbols.kinds[*kind].as_str());
            format!(":- {of}(X), #count {{ Y : holds({name}({args}),0) }} {sign} {number}.")
        };
        let mut all = Lines::new();
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
fn differ(told: &Lines, known: &Lines) -> Result<(), String> {
    match told.symmetric_difference(known).next() {
        None => Ok(()),
        Some(rule) if told.contains(rule) => Err(format!("it tells `{rule}`, which the domain has not")),
        Some(rule) => Err(format!("it does not tell `{rule}`")),
    }
}
