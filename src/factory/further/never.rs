//! What can ever be so after a story, and what cannot, to questions that list four things of which one at most cannot.

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rustc_hash::FxHashSet as HashSet;

use crate::factory::further::aims::SettledAim;
use crate::factory::further::offers::{Given, Offers, Rivalry, SearchArgument, SearchEffort};
use crate::factory::further::option_lists::{CHOICES, OptionList, OptionLook};
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::searching::{SearchOffer, SearchedStory};
use crate::simulate::story::Simulator;

/// Questions with an answer that are asked of what can be while a fact, if any, stays true.
const LISTS: usize = 8;

/// Four options, and the place of the right one, if there is one, with its rival.
type ListAsked = (Vec<usize>, Option<(usize, Rivalry)>);

/// Which of four statements can never become true, or which of four actions can never be carried out, while a fact, if any,
/// stays true? Nothing is asked where all answers are those that the initial situation gives.
pub(super) fn never(
    stage: &Simulator,
    story: &SearchedStory,
    family: (usize, SearchFamily),
    (held, settled): (Option<usize>, &[SettledAim]),
    (offers, rng): (&mut Offers, &mut ChaCha8Rng),
) {
    let engine = &stage.engine;
    let (terms, is_about_actions): (&[Term], bool) = match family.1.is_about_actions() {
        true => (&engine.actions, true),
        false => (&engine.fluents, false),
    };
    let of = |yes: bool| -> Vec<usize> {
        settled.iter().filter(|found| found.yes == yes).filter_map(|found| found.aim.single()).collect()
    };
    let (mut can, mut cannot) = (of(true), of(false));
    let could = |one: &usize| settled.iter().any(|found| found.aim.single() == Some(*one) && found.before);
    // What looks like something that can be comes first, and of that what the told actions put an end to, or else the initial situation
    // would mostly give the answer.
    cannot.shuffle(rng);
    let besides: Vec<&Term> = held.iter().map(|held| &engine.fluents[*held]).collect();
    let then = &story.initially.reached[0].situation;
    let is_held_then = held.is_none_or(|held| then.contains(held));
    let lister = story.lister(engine, terms, besides.clone());
    let looks: HashSet<OptionLook> = can.iter().map(|one| lister.look(*one)).collect();
    cannot.sort_by_key(|one| (!looks.contains(&lister.look(*one)), !could(one)));
    let mut asked: Vec<ListAsked> = Vec::new();
    for right in cannot.iter().take(LISTS) {
        can.shuffle(rng);
        // So does what they make possible, in half of the lists.
        if rng.random_bool(0.5) {
            can.sort_by_key(&could);
        }
        let found = lister.alike(*right, &can, rng);
        asked.extend(
            found.into_iter().map(|OptionList { all, place, rivalry }| (all, Some((place, rivalry)))),
        );
    }
    if can.len() >= CHOICES {
        let mut all: Vec<usize> = can.sample(rng, CHOICES).copied().collect();
        all.shuffle(rng);
        asked.push((all, None));
    }
    for (all, listed) in asked {
        let place = listed.map(|(place, _)| place);
        let right: Vec<usize> = place.iter().map(|place| all[place - 1]).collect();
        // Without the told actions the same is right where that stays so then, too, unless a way is known to it; ways to the others may be
        // longer than what was searched.
        let same = match right.as_slice() {
            [only] => is_held_then && !could(only),
            _ => all.iter().all(&could),
        };
        let mut arguments: Vec<SearchArgument> = held.map(SearchArgument::Fluent).into_iter().collect();
        let answer = match is_about_actions {
            true => {
                arguments.push(SearchArgument::Actions(all));
                Given::Actions(right.clone())
            }
            false => {
                arguments.push(SearchArgument::Fluents(all));
                Given::Fluents(right.clone())
            }
        };
        let offer = SearchOffer {
            detail: besides.first().map_or("", |held| held.functor()).to_owned(),
            arguments,
            answer,
            class: place.unwrap_or(0) as u32,
            trivial: same,
            plain: same,
            effort: SearchEffort::default(),
        };
        story.add_listed(offers, family, (offer, listed.map(|(_, rivalry)| rivalry)));
    }
}
