//! What can ever be so after a story, and what cannot, to questions that list four things of which one at most cannot.

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::further::aims::{Aim, SettledAim};
use crate::factory::further::choices::{CHOICES, Options, choice};
use crate::factory::further::offers::{Given, Offers, SearchArgument, SearchEffort};
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::searching::{SearchOffer, SearchedStory};
use crate::simulate::story::Simulator;

/// Questions with an answer that are asked of what can be while a fact, if any, stays true.
const LISTS: usize = 3;

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
    let single = |found: &SettledAim| match found.aim {
        Aim::Fact(number) | Aim::Action(number) => Some(number),
        Aim::Goal(_) => None,
    };
    let of = |yes: bool| -> Vec<usize> {
        settled.iter().filter(|found| found.yes == yes).filter_map(single).collect()
    };
    let (mut can, mut cannot) = (of(true), of(false));
    let could = |one: &usize| settled.iter().any(|found| single(found) == Some(*one) && found.before);
    // What the told actions put an end to comes first, or else the initial situation would mostly give the answer.
    cannot.shuffle(rng);
    cannot.sort_by_key(|one| !could(one));
    let besides: Vec<&Term> = held.iter().map(|held| &engine.fluents[*held]).collect();
    let mut asked: Vec<(Vec<usize>, Option<usize>)> = Vec::new();
    for right in cannot.iter().take(LISTS) {
        can.shuffle(rng);
        // So does what they make possible, in half of the lists.
        if rng.random_bool(0.5) {
            can.sort_by_key(&could);
        }
        let found = choice(*right, &can, (terms, &besides), rng);
        asked.extend(found.map(|Options { all, place }| (all, Some(place))));
    }
    if can.len() >= CHOICES {
        let mut all: Vec<usize> = can.sample(rng, CHOICES).copied().collect();
        all.shuffle(rng);
        asked.push((all, None));
    }
    for (all, place) in asked {
        let right: Vec<usize> = place.iter().map(|place| all[place - 1]).collect();
        let before: Vec<usize> = all.iter().copied().filter(|one| !could(one)).collect();
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
        story.add(
            offers,
            family,
            SearchOffer {
                detail: besides.first().map_or("", |held| held.functor()).to_owned(),
                arguments,
                answer,
                class: place.unwrap_or(0) as u32,
                trivial: before == right,
                plain: before == right,
                effort: SearchEffort::default(),
            },
        );
    }
}
