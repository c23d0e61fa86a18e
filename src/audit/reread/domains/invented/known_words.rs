//! A phrase book to the words that it has for types, relations and actions. Its rules are not looked at.

use crate::domain::package::Package;
use crate::invent::encode::symbols::TheorySymbols;
use crate::invent::theory::parts::{
    Fluent, FluentKind, InventedTheory, KindNumber, Static, StaticShape, TheoryMechanism,
};
use crate::invent::words::inflection::past;
use crate::invent::words::word_lists::verb_forms;
use crate::phrases::book::{Phrasings, RelationPhrases};
use crate::phrases::pattern::{Pattern, PatternPlace};

/// A noun as sentences have it.
#[derive(Clone, Debug)]
pub(super) struct KnownNoun {
    /// `zib`
    pub(super) one: String,
    /// `zibs`
    pub(super) many: String,
    /// `a zib`
    pub(super) a: String,
}

/// A fluent or a law, as conditions speak of it.
#[derive(Clone, Debug)]
pub(super) enum KnownFluent {
    /// `frezal`
    Adjective(String),
    /// `the power` is `on`: a state of the whole world.
    World([String; 2]),
    /// What is counted.
    Counted(KnownNoun),
    /// `at`, `tied to`
    Relation(String),
}

/// A verb with the things that it is about, whose places are numbers in braces.
#[derive(Clone, Debug)]
pub(super) struct KnownAction {
    /// The types of its parameters.
    pub(super) params: Vec<KindNumber>,
    /// What stands before the verb, and after it.
    pub(super) around: [String; 2],
    /// `flurb`
    pub(super) base: String,
    /// `flurbs`
    pub(super) third: String,
    /// `has flurbed` without the first word.
    pub(super) participle: String,
}

/// Words of a package.
#[derive(Clone)]
pub(super) struct KnownWords {
    pub(super) symbols: TheorySymbols,
    pub(super) kinds: Vec<KnownNoun>,
    pub(super) statics: Vec<Static>,
    /// By static relation: `a dale`, where it is one of ways.
    pub(super) ways: Vec<String>,
    pub(super) fluents: Vec<KnownFluent>,
    /// By law: the type of what it is true of, and an adjective.
    pub(super) laws: Vec<(KindNumber, String)>,
    pub(super) actions: Vec<KnownAction>,
    /// Static relations and fluents; laws and actions are told by the rules alone, and so is how much a number may be.
    pub(super) theory: InventedTheory,
}

/// A phrasing with numbers in braces for its slots.
fn filled(phrasings: &Phrasings, place: usize) -> Option<String> {
    let marks: Vec<String> = (0..8).map(|slot| format!("{{{slot}}}")).collect();
    let mut text = String::new();
    phrasings.list.get(place)?.fill(&mut text, |slot| marks.get(slot).map_or("", String::as_str));
    Some(text)
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    text.strip_prefix(before)?.strip_suffix(after)
}

impl KnownWords {
    /// The words of a package's phrase book; none where it is not written as those of invented domains are.
    pub(super) fn of(package: &Package) -> Option<KnownWords> {
        let kind = |name: &String| package.types.iter().position(|known| known.name == *name);
        let kinds_of = |pattern: &Pattern| -> Option<Vec<KindNumber>> {
            let slots = pattern.places.iter().filter_map(|place| match place {
                PatternPlace::Slot { kind, .. } if kind != "number" => Some(kind),
                _ => None,
            });
            slots.map(kind).collect()
        };
        let kinds =
            package.types.iter().map(|known| noun_of_kind(package, &known.name)).collect::<Option<_>>()?;
        let names = |patterns: &[RelationPhrases]| {
            patterns.iter().map(|known| known.pattern.functor.clone()).collect()
        };
        let mut words = KnownWords {
            symbols: TheorySymbols {
                kinds: package.types.iter().map(|known| known.name.clone()).collect(),
                counts: package.types.iter().map(|known| known.count.clone()).collect(),
                statics: names(&package.book.facts),
                ..TheorySymbols::default()
            },
            kinds,
            statics: Vec::new(),
            ways: Vec::new(),
            fluents: Vec::new(),
            laws: Vec::new(),
            actions: Vec::new(),
            theory: InventedTheory { kinds: package.types.len(), ..InventedTheory::default() },
        };
        for known in &package.book.facts {
            let [one, other] = kinds_of(&known.pattern)?.try_into().ok()?;
            let text = filled(&known.each, 0)?;
            let (shape, way) = match known.pattern.functor.trim_end_matches(|c: char| c.is_ascii_digit()) {
                "smaller" => (StaticShape::Order, ""),
                "always_at" | "belongs_to" | "goes_with" => (StaticShape::Home, ""),
                _ => match between(&text, "there is ", " between {0} and {1}.") {
                    Some(way) => (StaticShape::Graph, way),
                    None => (StaticShape::Ring, between(&text, "there is ", " from {0} to {1}.")?),
                },
            };
            words.statics.push(Static { shape, kinds: [one, other] });
            words.ways.push(way.to_owned());
        }
        for known in &package.book.fluents {
            words.fluent(known, kinds_of(&known.pattern)?)?;
        }
        for known in &package.book.actions {
            words.symbols.actions.push(known.pattern.functor.clone());
            let params = kinds_of(&known.pattern)?;
            words.actions.push(action(params, &filled(&known.did, 0)?, &filled(&known.can, 0)?)?);
        }
        words.theory.statics.clone_from(&words.statics);
        Some(words)
    }

    fn fluent(&mut self, known: &RelationPhrases, kinds: Vec<KindNumber>) -> Option<()> {
        let functor = known.pattern.functor.clone();
        let text = filled(&known.each, 0)?;
        if !known.told {
            self.laws.push((*kinds.first()?, between(&text, "{0} is ", ".")?.to_owned()));
            self.symbols.laws.push(functor);
            return Some(());
        }
        let (kind, word) = match (functor.as_str(), kinds.len()) {
            ("at", 2) => (FluentKind::At, KnownFluent::Relation("at".to_owned())),
            ("in", 2) => (FluentKind::In, KnownFluent::Relation("in".to_owned())),
            ("on", 2) => (FluentKind::On, KnownFluent::Relation("on".to_owned())),
            (_, 0) => {
                let (thing, word) = text.strip_suffix('.')?.split_once(" is ")?;
                (FluentKind::State, KnownFluent::World([thing, word].map(str::to_owned)))
            }
            (_, 2) => {
                (FluentKind::Tied, KnownFluent::Relation(between(&text, "{0} is ", " {1}.")?.to_owned()))
            }
            (name, _) => match name.strip_prefix("has_") {
                Some(one) => {
                    // How many it may be, the rules tell.
                    let third = filled(&known.each, 2)?;
                    let many = between(&third, "the number of ", " that {0} has is {1}.")?.to_owned();
                    let noun = KnownNoun { one: one.to_owned(), many, a: String::new() };
                    (FluentKind::Has(0), KnownFluent::Counted(noun))
                }
                None => {
                    let word = between(&text, "{0} is ", ".")?.to_owned();
                    (FluentKind::State, KnownFluent::Adjective(word))
                }
            },
        };
        self.symbols.fluents.push(functor);
        self.theory.fluents.push(Fluent { kind, mechanism: TheoryMechanism::Travel, kinds });
        self.fluents.push(word);
        Some(())
    }
}

fn noun_of_kind(package: &Package, name: &str) -> Option<KnownNoun> {
    let (_, listed) = package.book.objects.iter().find(|(kind, _)| kind == name)?;
    let text = |place: usize| {
        let mut text = String::new();
        listed.list.get(place)?.fill(&mut text, |_| "");
        Some(text)
    };
    let many = between(&text(0)?, "These are the ", ": .")?.to_owned();
    let a = between(&text(4)?, "Each of these is ", ": .")?.to_owned();
    Some(KnownNoun { one: a.split_once(' ')?.1.to_owned(), many, a })
}

/// `{0} krisks from {1} to {2}.` and `Can {0} krisk from {1} to {2}?` to a verb.
fn action(params: Vec<KindNumber>, did: &str, can: &str) -> Option<KnownAction> {
    let did = did.strip_suffix('.')?;
    // A thing, or `the power`.
    let first = did.find(' ')?;
    let end = if did.starts_with("the ") { first + 1 + did[first + 1..].find(' ')? } else { first };
    let (subject, said) = (&did[..end], &did[end + 1..]);
    let asked = between(can, "Can ", "?")?.strip_prefix(subject)?.strip_prefix(' ')?;
    let split = |text: &str| -> (String, String) {
        text.split_once(' ')
            .map_or_else(|| (text.to_owned(), String::new()), |(v, r)| (v.to_owned(), format!(" {r}")))
    };
    let ((third, after), (base, same)) = (split(said), split(asked));
    if after != same {
        return None;
    }
    let participle = verb_forms(&base).map_or_else(|| past(&base), |forms| forms.participle);
    Some(KnownAction { params, around: [subject.to_owned(), after], base, third, participle })
}
