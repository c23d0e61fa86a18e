//! A theory to words that nobody knows.

use rand::rngs::ChaCha8Rng;

use crate::invent::theory::parts::{FluentKind, InventedTheory};
use crate::invent::words::inflection::{article, past, with_s};
use crate::invent::words::nonwords::Nonwords;
use crate::invent::words::verbs::{VerbForms, active, what_is_acted_on};
use crate::invent::words::vocabulary::{FluentWords, KindWords, NounWords, TheoryWords};

/// How many names a type has: more than twice as many as the highest level has things.
pub(super) const NAMES: usize = 20;

fn noun(one: String) -> NounWords {
    NounWords { many: with_s(&one), article: article(&one).to_owned(), one }
}

/// Words that nobody knows.
pub(super) fn made_up(theory: &InventedTheory, rng: &mut ChaCha8Rng) -> TheoryWords {
    let mut words = Nonwords::new(rng);
    let kinds: Vec<NounWords> = (0..theory.kinds).map(|_| noun(words.noun())).collect();
    let statics = theory.statics.iter().map(|s| s.shape.is_ways().then(|| noun(words.noun()))).collect();
    let fluents = theory.fluents.iter().map(|fluent| match fluent.kind {
        FluentKind::State if fluent.kinds.is_empty() => {
            FluentWords::World { noun: noun(words.noun()), adjective: words.adjective() }
        }
        FluentKind::State => FluentWords::Adjective(words.adjective()),
        FluentKind::Has(_) => FluentWords::Counted(noun(words.noun())),
        FluentKind::Tied => FluentWords::Tie(past(&words.verb())),
        FluentKind::At | FluentKind::In | FluentKind::On => FluentWords::None,
    });
    let fluents: Vec<FluentWords> = fluents.collect();
    let laws = theory.laws.iter().map(|_| words.adjective()).collect();
    let actions = theory.actions.iter().map(|action| {
        let base = words.verb();
        let (third, past) = (with_s(&base), past(&base));
        let thing = what_is_acted_on(action, &fluents);
        active(theory, action, &thing, VerbForms { third, participle: past.clone(), past, base })
    });
    let actions = actions.collect();
    let kinds = kinds.into_iter().map(|noun| {
        let names = (0..NAMES).map(|_| words.name()).collect();
        KindWords { noun, names }
    });
    TheoryWords { kinds: kinds.collect(), statics, fluents, laws, actions }
}
