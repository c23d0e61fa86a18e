//! Stories to what they offer to families that list four things to choose from: which action begins a shortest way, and which
//! goal the told actions serve.

use std::borrow::Cow;

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::further::begun_ways::least;
use crate::factory::further::gathering::SayableTerms;
use crate::factory::further::offers::{Given, Offers, SearchArgument, kind_of};
use crate::factory::further::search_families::{LONGEST_WAY, SearchFamily};
use crate::factory::further::searching::{DrawnGoal, SearchOffer, SearchedStory};
use crate::simulate::search::goal;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How many things there are to choose from.
pub(super) const CHOICES: usize = 4;
/// Goals that are served, of each story, about which is asked.
const SERVED: usize = 6;

/// What is right among others, in any order.
pub(super) struct Options {
    pub(super) all: Vec<usize>,
    /// The place of the right one, counted from 1.
    pub(super) place: usize,
}

/// What can be seen of a term by names alone: its functor, and of each argument where others name it, or else its kind. Of a
/// term without arguments that is nothing, as the fluents of theories are but numbered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TermShape<'t> {
    functor: &'t str,
    /// Of each argument what its name begins with, and the numbers of the parts of the others that are the same.
    arguments: Vec<(Cow<'t, str>, Vec<u32>)>,
}

/// The shape of a term beside others.
pub(super) fn shape<'t>(term: &'t Term, besides: &[&Term]) -> TermShape<'t> {
    let of_argument = |argument: &'t Term| {
        let kind: Cow<'t, str> = match argument {
            Term::Function(name, own) if own.is_empty() => Cow::Borrowed(without_number(name)),
            other => Cow::Owned(without_number(&other.to_string()).to_owned()),
        };
        let (mut number, mut places) = (0, Vec::new());
        besides.iter().for_each(|other| seen(other, argument, &mut number, &mut places));
        (kind, places)
    };
    let arguments: Vec<(Cow<'t, str>, Vec<u32>)> = term.args().iter().map(of_argument).collect();
    TermShape { functor: if arguments.is_empty() { "" } else { term.functor() }, arguments }
}

/// A name without the digits at its end.
fn without_number(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Counts the parts of a term, and adds the numbers of those that are the same as another.
fn seen(term: &Term, part: &Term, number: &mut u32, places: &mut Vec<u32>) {
    if term == part {
        places.push(*number);
    }
    *number += 1;
    term.args().iter().for_each(|argument| seen(argument, part, number, places));
}

/// The right one among wrong ones, the first of those that look like it to whoever goes by names alone and then the first others.
/// None where no wrong one does, or there are too few in all.
pub(super) fn choice(
    right: usize,
    wrong: &[usize],
    (terms, besides): (&[Term], &[&Term]),
    rng: &mut ChaCha8Rng,
) -> Option<Options> {
    let own = shape(&terms[right], besides);
    let (alike, others): (Vec<usize>, Vec<usize>) =
        wrong.iter().partition(|one| shape(&terms[**one], besides) == own);
    if alike.is_empty() || wrong.len() < CHOICES - 1 {
        return None;
    }
    let mut all: Vec<usize> = alike.into_iter().chain(others).take(CHOICES - 1).chain([right]).collect();
    all.shuffle(rng);
    let place = all.iter().position(|one| *one == right)? + 1;
    Some(Options { all, place })
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
    let (good, mut bad): (Vec<usize>, Vec<usize>) = told.partition(|action| firsts.contains(action));
    bad.shuffle(rng);
    let Some(right) = good.choose(rng).copied() else { return };
    if drawn.distance < 2 {
        return;
    }
    let wanted = goal::term(&drawn.goal, &engine.fluents);
    let found = choice(right, &bad, (&engine.actions, &[&wanted]), rng);
    let Some(Options { all, place }) = found else { return };
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
    let open = |fluent: &&usize| {
        let places = [&now.reached[0], &then.reached[0]];
        places.iter().all(|near| !near.situation.contains(**fluent))
    };
    let (mut served, mut others) = (Vec::new(), Vec::new());
    for fluent in sayable.fluents.iter().filter(open) {
        let fact = [(*fluent, true)];
        let Some(left) = now.distance(&fact).filter(|left| *left <= LONGEST_WAY) else { continue };
        // The told actions and that way lead there; they are a shortest way where nothing nearer is known to do.
        let by_plan = plan.len() + left;
        match then.distance(&fact) {
            Some(all) if all < by_plan => others.push(*fluent),
            _ if by_plan <= least(engine, then, *fluent) => served.push((*fluent, left)),
            _ => {}
        }
    }
    let told: Vec<&Term> = plan.iter().map(|action| &engine.actions[*action]).collect();
    let some: Vec<(usize, usize)> = served.sample(rng, SERVED).copied().collect();
    for (right, left) in some {
        let functor = engine.fluents[right].functor();
        let found = choice(right, &others, (&engine.fluents, &told), rng);
        let Some(Options { all, place }) = found else { continue };
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
