//! Stories to what they offer to families that list four things to choose from: which action begins a shortest way, and which
//! goal the told actions serve.

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::further::gathering::SayableTerms;
use crate::factory::further::guesses::shared;
use crate::factory::further::offers::{Given, Offers, SearchArgument};
use crate::factory::further::search_families::{LONGEST_WAY, SearchFamily};
use crate::factory::further::searching::{DrawnGoal, SearchOffer, SearchedStory, kind_of};
use crate::simulate::search::goal;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How many things there are to choose from.
const CHOICES: usize = 4;
/// Goals that are served, of each story, about which is asked.
const SERVED: usize = 6;

/// What is right among others, in any order.
struct Choice {
    all: Vec<usize>,
    /// The place of the right one, counted from 1.
    place: usize,
}

/// The right one with wrong ones that name about as many of some objects, and are of its kind, where there are such: names
/// and kinds shall not tell. None where there are too few, or names tell all the same.
fn choice(
    right: usize,
    wrong: &[usize],
    (terms, besides): (&[Term], &[&Term]),
    rng: &mut ChaCha8Rng,
) -> Option<Choice> {
    let of = |one: usize| shared(&[&terms[one]], besides)[0];
    let own = of(right);
    let mut others = wrong.to_vec();
    others.shuffle(rng);
    others.sort_by_key(|one| (of(*one).abs_diff(own), terms[*one].functor() != terms[right].functor()));
    others.truncate(CHOICES - 1);
    if others.len() < CHOICES - 1 {
        return None;
    }
    // Where it alone shares the most names with what the text has besides, these tell it.
    if others.iter().all(|one| of(*one) < own) {
        return None;
    }
    let mut all: Vec<usize> = others.into_iter().chain([right]).collect();
    all.shuffle(rng);
    let place = all.iter().position(|one| *one == right)? + 1;
    Some(Choice { all, place })
}

/// Which of four actions, all of which can be carried out, begins a shortest way to a goal?
pub(super) fn next_choice(
    engine: &TransitionSystem,
    story: &SearchedStory,
    family: (usize, SearchFamily),
    drawn: &DrawnGoal,
    sayable: &SayableTerms,
    (offers, rng): (&mut Offers, &mut ChaCha8Rng),
) {
    let firsts = story.now.firsts(&drawn.goal);
    let can: Vec<usize> = story.now.reached[0].executable.clone();
    let told = can.into_iter().filter(|action| sayable.actions.contains(*action));
    let (good, bad): (Vec<usize>, Vec<usize>) = told.partition(|action| firsts.contains(action));
    let Some(right) = good.choose(rng).copied() else { return };
    if drawn.distance < 2 {
        return;
    }
    let wanted = goal::term(&drawn.goal, &engine.fluents);
    let found = choice(right, &bad, (&engine.actions, &[&wanted]), rng);
    let Some(Choice { all, place }) = found else { return };
    let before = story.initially.firsts(&drawn.goal);
    let then: Vec<usize> = all.iter().copied().filter(|action| before.contains(action)).collect();
    story.add(
        offers,
        family,
        SearchOffer {
            detail: kind_of(&engine.actions[right]),
            arguments: vec![SearchArgument::Goal(drawn.goal.clone()), SearchArgument::Actions(all.clone())],
            answer: Given::Actions(vec![right]),
            class: place as u32,
            trivial: then == [right],
            plain: then == [right],
            effort: story.effort(drawn.distance),
        },
    );
}

/// Which of four facts is such that the told actions begin a shortest way to it from the initial situation?
pub(super) fn recognise(
    engine: &TransitionSystem,
    story: &SearchedStory,
    (family, plan): ((usize, SearchFamily), &[usize]),
    sayable: &SayableTerms,
    (offers, rng): (&mut Offers, &mut ChaCha8Rng),
) {
    let (now, then) = (&story.now, &story.initially);
    let known = if then.exhausted { usize::MAX } else { then.radius };
    let open = |fluent: &&usize| {
        let places = [&now.reached[0], &then.reached[0]];
        places.iter().all(|near| !near.situation.contains(**fluent))
    };
    let (mut served, mut others) = (Vec::new(), Vec::new());
    for fluent in sayable.fluents.iter().filter(open) {
        let fact = [(*fluent, true)];
        let Some(left) = now.distance(&fact).filter(|left| *left <= LONGEST_WAY) else { continue };
        if plan.len() + left > known {
            continue;
        }
        match then.distance(&fact) {
            Some(all) if all == plan.len() + left => served.push((*fluent, left)),
            Some(_) => others.push(*fluent),
            None => {}
        }
    }
    let told: Vec<&Term> = plan.iter().map(|action| &engine.actions[*action]).collect();
    let some: Vec<(usize, usize)> = served.sample(rng, SERVED).copied().collect();
    for (right, left) in some {
        let functor = engine.fluents[right].functor();
        let found = choice(right, &others, (&engine.fluents, &told), rng);
        let Some(Choice { all, place }) = found else { continue };
        story.add(
            offers,
            family,
            SearchOffer {
                detail: functor.to_owned(),
                arguments: vec![SearchArgument::Fluents(all.clone())],
                answer: Given::Fact((right, true)),
                class: place as u32,
                trivial: false,
                plain: false,
                effort: story.effort(left),
            },
        );
    }
}
