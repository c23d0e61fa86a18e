//! A theory to words for each of its parts.

use rand::rngs::ChaCha8Rng;

use crate::invent::encode::symbols::TheorySymbols;
use crate::invent::theory::parts::{Action, ActionForm, FluentKind, InventedTheory, StaticShape};
use crate::invent::words::inflection::{past, with_s};
use crate::invent::words::nonwords::Nonwords;

/// How many names a type has: more than twice as many as the highest level has things.
const NAMES: usize = 20;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindWords {
    /// One of them: `zib`.
    pub one: String,
    /// Several: `zibs`.
    pub many: String,
    /// Their names.
    pub names: Vec<String>,
    /// Do their names stand after "the"?
    pub common: bool,
}

/// A verb with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionWords {
    /// `flurb`
    pub base: String,
    /// `flurbs`
    pub third: String,
    /// `flurbed`
    pub participle: String,
    /// `{0} {v} from {1} to {2}`, over the parameters.
    pub template: String,
}

/// Words for a theory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TheoryWords {
    /// By type.
    pub kinds: Vec<KindWords>,
    /// By static relation: what a way is called, or nothing.
    pub statics: Vec<String>,
    /// By inertial fluent: an adjective for a state, a noun for what is counted, a participle for a tie, or nothing.
    pub fluents: Vec<String>,
    /// By law, an adjective.
    pub laws: Vec<String>,
    /// By action.
    pub actions: Vec<ActionWords>,
}

/// Where the words go, whoever is added to an action comes first and does it to the others, unless it is a place.
fn template(theory: &InventedTheory, action: &Action) -> String {
    let guest = (action.params.len() > action.own).then_some(action.own);
    let is_place = guest.is_some_and(|guest| Some(action.params[guest]) == theory.places());
    let rest = match action.form {
        ActionForm::Go => " from {1} to {2}",
        ActionForm::Begin | ActionForm::End | ActionForm::Turn | ActionForm::Raise | ActionForm::Lower => "",
        ActionForm::Put => " into {1}",
        ActionForm::Take => " out of {1}",
        ActionForm::PutOn => " onto {1}",
        ActionForm::TakeOff => " off {1}",
        ActionForm::Tie => " to {1}",
        ActionForm::Untie => " from {1}",
    };
    match guest {
        None => format!("{{0}} {{v}}{rest}"),
        Some(guest) if is_place => format!("{{0}} {{v}}{rest} at {{{guest}}}"),
        Some(guest) if action.form == ActionForm::Go => format!("{{0}} {{v}}{rest} with {{{guest}}}"),
        Some(guest) => format!("{{{guest}}} {{v}} {{0}}{rest}"),
    }
}

impl TheoryWords {
    /// Words that nobody knows.
    pub fn invented(theory: &InventedTheory, rng: &mut ChaCha8Rng) -> TheoryWords {
        let mut words = Nonwords::new(rng);
        let kinds: Vec<String> = (0..theory.kinds).map(|_| words.noun()).collect();
        let statics = theory.statics.iter();
        let statics = statics.map(|s| if s.shape.is_ways() { words.noun() } else { String::new() }).collect();
        let fluents = theory.fluents.iter().map(|fluent| match fluent.kind {
            FluentKind::State => words.adjective(),
            FluentKind::Has(_) => words.noun(),
            FluentKind::Tied => past(&words.verb()),
            FluentKind::At | FluentKind::In | FluentKind::On => String::new(),
        });
        let fluents = fluents.collect();
        let laws = theory.laws.iter().map(|_| words.adjective()).collect();
        let actions = theory.actions.iter().map(|action| {
            let base = words.verb();
            let (third, participle) = (with_s(&base), past(&base));
            ActionWords { third, participle, template: template(theory, action), base }
        });
        let actions = actions.collect();
        let kinds = kinds.into_iter().map(|one| {
            let names = (0..NAMES).map(|_| words.name()).collect();
            KindWords { many: with_s(&one), names, one, common: false }
        });
        TheoryWords { kinds: kinds.collect(), statics, fluents, laws, actions }
    }

    /// The names of logic programs: the words themselves.
    pub fn symbols(&self, theory: &InventedTheory) -> TheorySymbols {
        let word = |text: &str| text.replace([' ', '-'], "_");
        let statics = theory.statics.iter().zip(&self.statics).enumerate();
        let fluents = theory.fluents.iter().zip(&self.fluents);
        TheorySymbols {
            kinds: self.kinds.iter().map(|kind| word(&kind.one)).collect(),
            counts: self.kinds.iter().map(|kind| word(&kind.many)).collect(),
            statics: statics
                .map(|(number, (relation, noun))| match relation.shape {
                    StaticShape::Order => format!("smaller{number}"),
                    StaticShape::Home if theory.places().is_some() => format!("always_at{number}"),
                    StaticShape::Home => format!("belongs{number}"),
                    _ => word(noun),
                })
                .collect(),
            fluents: fluents
                .map(|(fluent, said)| match fluent.kind {
                    FluentKind::At => "at".to_owned(),
                    FluentKind::In => "in".to_owned(),
                    FluentKind::On => "on".to_owned(),
                    FluentKind::Has(_) => format!("has_{}", word(said)),
                    FluentKind::State | FluentKind::Tied => word(said),
                })
                .collect(),
            laws: self.laws.iter().map(|said| word(said)).collect(),
            actions: self.actions.iter().map(|verb| word(&verb.base)).collect(),
        }
    }
}
