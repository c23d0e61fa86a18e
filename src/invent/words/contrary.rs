//! A theory to real words against their usual meaning: lamps are eaten, and what is closed is open.

use rand::rngs::ChaCha8Rng;

use crate::invent::theory::parts::{ActionForm, FluentKind, InventedTheory, KindNumber};
use crate::invent::words::everyday::{FluentVerbs, KindRoles, is_turned, is_up, plain_noun};
use crate::invent::words::verbs::{GuestRole, VerbPhrase, guest, place_role, what_is_acted_on, words};
use crate::invent::words::vocabulary::{FluentWords, KindWords, TheoryWords};
use crate::invent::words::word_choice::WordChoice;
use crate::invent::words::word_lists::{NounClass, lists, noun};

/// Classes of nouns that a type of these roles should not be.
fn unfit(roles: &KindRoles) -> &'static [NounClass] {
    match roles {
        KindRoles { is_place: true, .. } => &[NounClass::Person, NounClass::Item],
        KindRoles { moves: true, .. } => &[NounClass::Place, NounClass::Fixture, NounClass::Block],
        KindRoles { is_stacked: true, .. } => &[NounClass::Person, NounClass::Place],
        KindRoles { is_put: true, .. } => &[NounClass::Place, NounClass::Carrier, NounClass::Person],
        KindRoles { holds: true, .. } => &[NounClass::Item, NounClass::Block],
        _ => &[NounClass::Place, NounClass::Carrier, NounClass::Item],
    }
}

/// Real words against their usual meaning.
pub(super) fn contrary(theory: &InventedTheory, rng: &mut ChaCha8Rng) -> TheoryWords {
    let lists = lists();
    let mut choice = WordChoice::new(rng);
    let kinds: Vec<(NounClass, KindWords)> =
        (0..theory.kinds).map(|kind| kind_words(theory, kind, &mut choice)).collect();
    let (classes, kinds): (Vec<NounClass>, Vec<KindWords>) = kinds.into_iter().unzip();
    let statics = theory.statics.iter().map(|relation| {
        let found = relation.shape.is_ways().then(|| choice.noun(&lists.contrary.ways));
        found.map(|noun| noun.unwrap_or_else(|| plain_noun("line", "lines")))
    });
    let statics = statics.collect();
    let fluents: Vec<FluentVerbs> =
        (0..theory.fluents.len()).map(|fluent| fluent_verbs(theory, fluent, &classes, &mut choice)).collect();
    let laws = theory.laws.iter().map(|law| {
        let list = &lists.contrary.of(Some(classes[law.kind])).laws;
        choice.word(list).unwrap_or_else(|| "special".to_owned())
    });
    let laws = laws.collect();
    let said: Vec<FluentWords> = fluents.iter().map(|fluent| fluent.words.clone()).collect();
    let actions = theory.actions.iter().map(|action| {
        let known = action.effects.first().map(|effect| &fluents[effect.change.fluent()]);
        let own = known.and_then(|known| if is_up(action) { known.up.clone() } else { known.down.clone() });
        // What is done to things, where nothing else is named; else what they do.
        let alone = matches!(
            action.form,
            ActionForm::Begin | ActionForm::End | ActionForm::Turn | ActionForm::Raise | ActionForm::Lower
        );
        let phrase = own.or_else(|| {
            let first = action.params.first().filter(|_| action.own > 0).map(|kind| classes[*kind]);
            let strange = lists.contrary.of(first);
            let list = if alone { &strange.suffers } else { &strange.does };
            choice.phrase(list)
        });
        let phrase: VerbPhrase = phrase.unwrap_or_default();
        let role = guest(action).map(|_| match place_role(theory, action) {
            Some(role) => role,
            None if phrase.active && action.form == ActionForm::Go => GuestRole::Past,
            None if phrase.active => GuestRole::Near,
            None => GuestRole::Doer,
        });
        words(action, &what_is_acted_on(action, &said), &phrase, role)
    });
    let actions = actions.collect();
    TheoryWords { kinds, statics, fluents: said, laws, actions }
}

fn kind_words(theory: &InventedTheory, kind: KindNumber, choice: &mut WordChoice) -> (NounClass, KindWords) {
    let fits = |class: &&NounClass| **class != NounClass::Person || choice.has_persons();
    let classes: Vec<NounClass> = unfit(&KindRoles::of(theory, kind)).iter().filter(fits).copied().collect();
    let class = choice.any(&classes).copied().unwrap_or(NounClass::Item);
    let all = lists().themes.iter().filter_map(|theme| theme.nouns.get(&class)).flatten();
    let noun = choice.noun(all).unwrap_or_else(|| plain_noun("thing", "things"));
    (class, KindWords { names: choice.names(&noun, class == NounClass::Person), noun })
}

/// What a fluent is called, with verbs where these are the wrong way round.
fn fluent_verbs(
    theory: &InventedTheory,
    fluent: usize,
    classes: &[NounClass],
    choice: &mut WordChoice,
) -> FluentVerbs {
    let lists = lists();
    let words = lists.contrary.of(theory.fluents[fluent].kinds.first().map(|kind| classes[*kind]));
    let strange = |words: FluentWords| FluentVerbs { words, up: None, down: None };
    match theory.fluents[fluent].kind {
        FluentKind::At | FluentKind::In | FluentKind::On => strange(FluentWords::None),
        FluentKind::State if theory.fluents[fluent].kinds.is_empty() => {
            let found = choice.noun(&lists.contrary.worlds).zip(choice.word(&words.states));
            let (noun, adjective) =
                found.unwrap_or_else(|| (plain_noun("world", "worlds"), "special".to_owned()));
            strange(FluentWords::World { noun, adjective })
        }
        FluentKind::State if !is_turned(theory, fluent) && choice.once_in(2) => {
            let found = choice.new_one(&lists.states, |entry| vec![&entry.word, &entry.begin, &entry.end]);
            found.map_or_else(
                || strange(FluentWords::Adjective("special".to_owned())),
                |entry| FluentVerbs {
                    words: FluentWords::Adjective(entry.word.clone()),
                    up: lists.phrase(&entry.end),
                    down: lists.phrase(&entry.begin),
                },
            )
        }
        FluentKind::State => {
            let word = choice.word(&words.states);
            strange(FluentWords::Adjective(word.unwrap_or_else(|| "special".to_owned())))
        }
        FluentKind::Has(_) if choice.once_in(2) => {
            let found = choice.new_one(&lists.counters, |entry| vec![&entry.noun, &entry.more, &entry.fewer]);
            found.map_or_else(
                || strange(FluentWords::Counted(plain_noun("thing", "things"))),
                |entry| FluentVerbs {
                    words: FluentWords::Counted(noun(&entry.noun)),
                    up: lists.phrase(&entry.fewer),
                    down: lists.phrase(&entry.more),
                },
            )
        }
        FluentKind::Has(_) => {
            let noun = choice.noun(&words.counters);
            strange(FluentWords::Counted(noun.unwrap_or_else(|| plain_noun("thing", "things"))))
        }
        FluentKind::Tied => {
            let word = choice.word(&words.ties);
            strange(FluentWords::Tie(word.unwrap_or_else(|| "bound".to_owned())))
        }
    }
}
