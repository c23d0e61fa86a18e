//! A theory to words of one theme that roughly fit: what goes travels, what holds is hollow, who does is someone.

use rand::rngs::ChaCha8Rng;

use crate::invent::theory::parts::{Action, ActionForm, FluentKind, InventedTheory, KindNumber, StaticShape};
use crate::invent::words::verbs::{GuestRole, VerbPhrase, guest, place_role, what_is_acted_on, words};
use crate::invent::words::vocabulary::{ActionWords, FluentWords, KindWords, NounWords, TheoryWords};
use crate::invent::words::word_choice::WordChoice;
use crate::invent::words::word_lists::{NounClass, Theme, lists, noun};

/// What the things of a type do in a theory.
pub(super) struct KindRoles {
    pub(super) is_place: bool,
    pub(super) moves: bool,
    pub(super) holds: bool,
    pub(super) is_put: bool,
    pub(super) is_stacked: bool,
    /// To others, or others to it.
    pub(super) belongs: bool,
}

impl KindRoles {
    pub(super) fn of(theory: &InventedTheory, kind: KindNumber) -> KindRoles {
        let is = |wanted: FluentKind, place: usize| {
            theory.fluents.iter().any(|fluent| fluent.kind == wanted && fluent.kinds[place] == kind)
        };
        KindRoles {
            is_place: theory.places() == Some(kind),
            moves: is(FluentKind::At, 0),
            holds: is(FluentKind::In, 1),
            is_put: is(FluentKind::In, 0),
            is_stacked: is(FluentKind::On, 0),
            belongs: theory.places().is_none()
                && theory.statics.iter().any(|s| s.shape == StaticShape::Home && s.kinds.contains(&kind)),
        }
    }

    /// Classes of nouns that fit.
    fn classes(&self) -> &'static [NounClass] {
        match self {
            KindRoles { is_place: true, holds: true, .. } => &[NounClass::Room],
            KindRoles { is_place: true, .. } => &[NounClass::Place],
            KindRoles { moves: true, holds: true, .. } => &[NounClass::Carrier],
            KindRoles { moves: true, .. } => &[NounClass::Person, NounClass::Carrier],
            KindRoles { holds: true, .. } => &[NounClass::Holder],
            KindRoles { is_stacked: true, .. } => &[NounClass::Block],
            KindRoles { is_put: true, .. } => &[NounClass::Item],
            KindRoles { belongs: true, .. } => &[NounClass::Fixture],
            _ => &[NounClass::Fixture, NounClass::Fixture, NounClass::Person],
        }
    }
}

/// A fluent with the words of the actions that are made for it.
pub(super) struct FluentVerbs {
    pub(super) words: FluentWords,
    /// What makes it so, or more.
    pub(super) up: Option<VerbPhrase>,
    /// What ends it, or makes it less.
    pub(super) down: Option<VerbPhrase>,
}

/// Is a fluent one that a single action turns over?
pub(super) fn is_turned(theory: &InventedTheory, fluent: usize) -> bool {
    let turns = |action: &Action| {
        action.form == ActionForm::Turn
            && action.effects.first().is_some_and(|effect| effect.change.fluent() == fluent)
    };
    theory.actions.iter().any(turns)
}

/// Words of a theme.
pub(super) fn everyday(theory: &InventedTheory, rng: &mut ChaCha8Rng) -> TheoryWords {
    let mut choice = WordChoice::new(rng);
    let theme = choice.any(&lists().themes);
    let mut kinds: Vec<KindWords> = Vec::new();
    let mut classes: Vec<NounClass> = Vec::new();
    for kind in 0..theory.kinds {
        let (class, noun) = kind_noun(theory, kind, theme, &mut choice);
        kinds.push(KindWords { names: choice.names(&noun, class == NounClass::Person), noun });
        classes.push(class);
    }
    let statics = theory.statics.iter().map(|relation| {
        let of_places = theory.places() == Some(relation.kinds[0]);
        let list = match classes[relation.kinds[0]] {
            _ if of_places => theme.map_or(&lists().lines.thing, |theme| &theme.way),
            NounClass::Person => &lists().lines.person,
            _ => &lists().lines.thing,
        };
        relation.shape.is_ways().then(|| choice.noun(list).unwrap_or_else(|| plain_noun("line", "lines")))
    });
    let statics = statics.collect();
    let fluents: Vec<FluentVerbs> =
        (0..theory.fluents.len()).map(|fluent| fluent_verbs(theory, fluent, &classes, &mut choice)).collect();
    let laws =
        theory.laws.iter().map(|_| choice.word(&lists().laws.words).unwrap_or_else(|| "special".to_owned()));
    let laws = laws.collect();
    let actions = theory.actions.iter().map(|action| told(theory, action, &fluents, &classes)).collect();
    let fluents = fluents.into_iter().map(|fluent| fluent.words).collect();
    TheoryWords { kinds, statics, fluents, laws, actions }
}

pub(super) fn plain_noun(one: &str, many: &str) -> NounWords {
    NounWords { one: one.to_owned(), many: many.to_owned(), article: "a".to_owned() }
}

fn kind_noun(
    theory: &InventedTheory,
    kind: KindNumber,
    theme: Option<&Theme>,
    choice: &mut WordChoice,
) -> (NounClass, NounWords) {
    let fits = |class: &&NounClass| **class != NounClass::Person || choice.has_persons();
    let classes: Vec<NounClass> =
        KindRoles::of(theory, kind).classes().iter().filter(fits).copied().collect();
    let first = choice.any(&classes).copied().unwrap_or(NounClass::Fixture);
    // Where a class is used up, others come before other themes.
    for class in [first, NounClass::Fixture, NounClass::Item, NounClass::Block, NounClass::Holder] {
        let list = theme.and_then(|theme| theme.nouns.get(&class));
        if let Some(noun) = list.and_then(|list| choice.noun(list)) {
            let told = if class == NounClass::Room { NounClass::Place } else { class };
            return (told, noun);
        }
    }
    (NounClass::Fixture, plain_noun("thing", "things"))
}

/// Those that fit a class, else all.
fn fitting<T>(all: &[T], fits: impl Fn(&T) -> &Vec<NounClass>, class: NounClass) -> Vec<&T> {
    all.iter().filter(|entry| fits(entry).contains(&class)).collect()
}

fn fluent_verbs(
    theory: &InventedTheory,
    fluent: usize,
    classes: &[NounClass],
    choice: &mut WordChoice,
) -> FluentVerbs {
    let lists = lists();
    let kinds = &theory.fluents[fluent].kinds;
    // What is in a state of the whole world is no type.
    let class = kinds.first().map_or(NounClass::Fixture, |kind| classes[*kind]);
    let verbs = |words: FluentWords, up: &str, down: &str| FluentVerbs {
        words,
        up: lists.phrase(up),
        down: lists.phrase(down),
    };
    let none = || FluentVerbs { words: FluentWords::None, up: None, down: None };
    match theory.fluents[fluent].kind {
        FluentKind::At => {
            let fit = fitting(&lists.journeys, |entry| &entry.fits, class);
            let all = fit.into_iter().flat_map(|entry| &entry.go);
            FluentVerbs { up: choice.phrase(all), ..none() }
        }
        FluentKind::State if kinds.is_empty() => {
            let turned = is_turned(theory, fluent);
            let fit = lists.worlds.iter().filter(|entry| entry.fits(turned));
            let found = choice.new_one(fit, |entry| entry.written(turned));
            found.map_or_else(none, |entry| match turned {
                true => verbs(entry.words(), &entry.turn, &entry.turn),
                false => verbs(entry.words(), &entry.begin, &entry.end),
            })
        }
        FluentKind::State if is_turned(theory, fluent) => {
            let fit = fitting(&lists.toggles, |entry| &entry.fits, class);
            let found = choice
                .new_one(fit, |entry| vec![&entry.word, &entry.turn])
                .or_else(|| choice.new_one(&lists.toggles, |entry| vec![&entry.word, &entry.turn]));
            found.map_or_else(none, |entry| {
                verbs(FluentWords::Adjective(entry.word.clone()), &entry.turn, &entry.turn)
            })
        }
        FluentKind::State => {
            let fit = fitting(&lists.states, |entry| &entry.fits, class);
            let found =
                choice.new_one(fit, |entry| vec![&entry.word, &entry.begin, &entry.end]).or_else(|| {
                    choice.new_one(&lists.states, |entry| vec![&entry.word, &entry.begin, &entry.end])
                });
            found.map_or_else(none, |entry| {
                verbs(FluentWords::Adjective(entry.word.clone()), &entry.begin, &entry.end)
            })
        }
        FluentKind::In => {
            let found = choice.new_one(&lists.packings, |entry| vec![&entry.put, &entry.take]);
            found.map_or_else(none, |entry| verbs(FluentWords::None, &entry.put, &entry.take))
        }
        FluentKind::On => {
            let found = choice.new_one(&lists.stackings, |entry| vec![&entry.put, &entry.take]);
            found.map_or_else(none, |entry| verbs(FluentWords::None, &entry.put, &entry.take))
        }
        FluentKind::Has(_) => {
            let fit = fitting(&lists.counters, |entry| &entry.fits, class);
            let found =
                choice.new_one(fit, |entry| vec![&entry.noun, &entry.more, &entry.fewer]).or_else(|| {
                    choice.new_one(&lists.counters, |entry| vec![&entry.noun, &entry.more, &entry.fewer])
                });
            found.map_or_else(none, |entry| {
                verbs(FluentWords::Counted(noun(&entry.noun)), &entry.more, &entry.fewer)
            })
        }
        FluentKind::Tied => {
            // Persons are not hooked to.
            let wanted = kinds.get(1).map(|kind| classes[*kind]).filter(|other| *other == NounClass::Person);
            let fit = fitting(&lists.ties, |entry| &entry.fits, class);
            let fit = fit.into_iter().filter(|entry| entry.with == wanted);
            let found = choice
                .new_one(fit, |entry| vec![&entry.word, &entry.tie, &entry.untie])
                .or_else(|| choice.new_one(&lists.ties, |entry| vec![&entry.word, &entry.tie, &entry.untie]));
            found.map_or_else(none, |entry| {
                verbs(FluentWords::Tie(entry.word.clone()), &entry.tie, &entry.untie)
            })
        }
    }
}

/// Does the action make its fluent so, or more?
pub(super) fn is_up(action: &Action) -> bool {
    matches!(
        action.form,
        ActionForm::Go
            | ActionForm::Begin
            | ActionForm::Turn
            | ActionForm::Put
            | ActionForm::PutOn
            | ActionForm::Raise
            | ActionForm::Tie
    )
}

fn told(
    theory: &InventedTheory,
    action: &Action,
    fluents: &[FluentVerbs],
    classes: &[NounClass],
) -> ActionWords {
    let known = action.effects.first().map(|effect| &fluents[effect.change.fluent()]);
    let phrase = known.and_then(|known| if is_up(action) { known.up.clone() } else { known.down.clone() });
    let phrase = phrase.unwrap_or_default();
    let role = guest(action).map(|guest| match (place_role(theory, action), classes[action.params[guest]]) {
        (Some(role), _) => role,
        (_, NounClass::Person) if !phrase.active => GuestRole::Doer,
        _ if action.form == ActionForm::Go => GuestRole::Past,
        _ => GuestRole::Near,
    });
    let own: Vec<FluentWords> = fluents.iter().map(|fluent| fluent.words.clone()).collect();
    words(action, &what_is_acted_on(action, &own), &phrase, role)
}
