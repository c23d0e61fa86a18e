//! What words are needed for the parts of a theory, and the names that logic programs make of them.

use std::fmt::{Display, Formatter};

use crate::invent::encode::symbols::TheorySymbols;
use crate::invent::theory::parts::{FluentKind, InventedTheory, StaticShape};

/// Where the words of a domain come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum DomainWords {
    /// Words that nobody knows
    Invented,
    /// Words of one theme, such as a kitchen, that roughly fit
    Everyday,
    /// Real words against their usual meaning
    Contrary,
}

impl DomainWords {
    /// All of them.
    pub const ALL: [DomainWords; 3] = [DomainWords::Invented, DomainWords::Everyday, DomainWords::Contrary];

    /// What they are called; names of domains begin with it.
    pub fn name(self) -> &'static str {
        match self {
            DomainWords::Invented => "invented",
            DomainWords::Everyday => "everyday",
            DomainWords::Contrary => "contrary",
        }
    }

    /// Those of a name.
    pub fn named(name: &str) -> Option<DomainWords> {
        DomainWords::ALL.into_iter().find(|words| words.name() == name)
    }
}

/// A noun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NounWords {
    /// `zib`
    pub one: String,
    /// `zibs`
    pub many: String,
    /// `a`
    pub article: String,
}

impl NounWords {
    /// `a zib`
    pub fn with_article(&self) -> String {
        format!("{} {}", self.article, self.one)
    }
}

impl Display for NounWords {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.one)
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindWords {
    /// What one of them is called.
    pub noun: NounWords,
    /// Their names.
    pub names: Vec<String>,
}

/// What a fluent is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FluentWords {
    /// It needs no word: things are at, in or on others.
    None,
    /// A state: `frezal`
    Adjective(String),
    /// A state of the whole world: `the power` is `on`.
    World {
        /// What is in this state; there is one of it.
        noun: NounWords,
        /// The state.
        adjective: String,
    },
    /// What is counted.
    Counted(NounWords),
    /// How one is tied to another: `linked`
    Tie(String),
}

/// A verb with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionWords {
    /// What it is called in logic programs.
    pub symbol: String,
    /// `flurb`, `switch on`
    pub base: String,
    /// `flurbs`, `switches on`
    pub third: String,
    /// `flurbed`, `switched on`
    pub past: String,
    /// `flurbed`, `switched on`; after `has`
    pub participle: String,
    /// Is it done to things by someone who is none of the domain?
    pub by_someone: bool,
    /// `{0} {v} from {1} to {2}`, over the parameters.
    pub template: String,
}

/// Words for a theory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TheoryWords {
    /// By type.
    pub kinds: Vec<KindWords>,
    /// By static relation: what a way is called, where it is one of ways.
    pub statics: Vec<Option<NounWords>>,
    /// By inertial fluent.
    pub fluents: Vec<FluentWords>,
    /// By law, an adjective.
    pub laws: Vec<String>,
    /// By action.
    pub actions: Vec<ActionWords>,
}

impl TheoryWords {
    /// The names of logic programs: the words themselves.
    pub fn symbols(&self, theory: &InventedTheory) -> TheorySymbols {
        let statics = theory.statics.iter().zip(&self.statics).enumerate();
        let mut symbols = TheorySymbols {
            kinds: self.kinds.iter().map(|kind| kind.noun.one.clone()).collect(),
            counts: self.kinds.iter().map(|kind| kind.noun.many.clone()).collect(),
            statics: statics
                .map(|(number, (relation, noun))| match (relation.shape, noun) {
                    (StaticShape::Order, _) => format!("smaller{number}"),
                    (StaticShape::Home, _) => format!("{}{number}", theory.home_tie(relation).symbol()),
                    (_, noun) => noun.as_ref().map_or_else(|| format!("way{number}"), |n| n.one.clone()),
                })
                .collect(),
            fluents: theory
                .fluents
                .iter()
                .zip(&self.fluents)
                .map(|(f, said)| symbol_of(f.kind, said))
                .collect(),
            laws: self.laws.clone(),
            actions: Vec::new(),
        };
        // "to open" makes things open.
        let known = [&symbols.fluents, &symbols.laws, &symbols.kinds, &symbols.statics];
        let named = |verb: &ActionWords| match known.iter().any(|names| names.contains(&verb.symbol)) {
            true => format!("do_{}", verb.symbol),
            false => verb.symbol.clone(),
        };
        symbols.actions = self.actions.iter().map(named).collect();
        symbols
    }
}

fn symbol_of(kind: FluentKind, said: &FluentWords) -> String {
    match (kind, said) {
        (FluentKind::At, _) => "at".to_owned(),
        (FluentKind::In, _) => "in".to_owned(),
        (FluentKind::On, _) => "on".to_owned(),
        (_, FluentWords::Counted(noun)) => format!("has_{}", noun.one),
        (_, FluentWords::Adjective(word) | FluentWords::Tie(word)) => word.clone(),
        (_, FluentWords::World { noun, adjective }) => format!("{}_{adjective}", noun.one),
        (_, FluentWords::None) => "so".to_owned(),
    }
}
