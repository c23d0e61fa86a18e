//! Stories to questions that list the actions of a plan: which one can be left out, or which two that follow one another?
//!
//! Plan and goal would often tell that without any situation, as what is not needed is about other objects, or comes last. So another
//! of the actions looks like the one that can be left out, and comes after it in half of the questions; of two there are two others.

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::further::gathering::SayableTerms;
use crate::factory::further::named_objects::NamedObjects;
use crate::factory::further::offers::{Given, Rivalry, numbered};
use crate::factory::further::option_lists::{OptionLister, TermShape, shape};
use crate::factory::further::proposals::{Fate, MOST_FACTS, Proposal, arguments, fate, length, lengths};
use crate::factory::further::searching::{SearchOffer, SearchedStory, changed};
use crate::simulate::search::goal;
use crate::simulate::search::surroundings::{PlayedOut, Surroundings};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Plans of which all is needed, that are drawn for each length and story.
const DRAWN: usize = 36;
/// One in so many of these has actions put in.
const ONE_LONGER: usize = 2;
/// How many of these are tried of one plan.
const TRIED: usize = 64;

/// A question, and which of two runs of actions that look alike can be left out; none where all of the plan is needed.
type ListedPlan = (SearchOffer, Option<Rivalry>);

/// Plans of which all is needed, and the same with so many actions put in that look like others.
pub(super) fn superfluous(
    (engine, named): (&TransitionSystem, &NamedObjects),
    story: &SearchedStory,
    left_out: usize,
    sayable: &SayableTerms,
    rng: &mut ChaCha8Rng,
) -> Vec<ListedPlan> {
    let now = &story.now;
    let start = &now.reached[0].situation;
    let mut asked = Vec::new();
    for most in lengths(now) {
        let layer: Vec<usize> = now.layer(most).collect();
        let may_grow = lengths(now).contains(&(most + left_out));
        for turn in 0..DRAWN {
            let Some(end) = layer.choose(rng) else { continue };
            let count = rng.random_range(1..MOST_FACTS);
            let goal = changed(start, &now.reached[*end].situation, count, sayable, rng);
            let needed = Proposal { actions: now.way(*end), goal };
            let told = needed.actions.iter().all(|action| sayable.actions.contains(*action));
            let is_needed = spare(now, &needed, 1).is_some_and(|all| all.is_empty());
            if needed.goal.len() < count || !told || !is_needed {
                continue;
            }
            let wanted = goal::term(&needed.goal, &engine.fluents);
            let lister = story.lister(engine, &engine.actions, vec![&wanted]);
            let grows = may_grow && turn.is_multiple_of(ONE_LONGER);
            let mut tried = match (grows, left_out) {
                (false, _) => Vec::new(),
                (true, 1) => longer(now, &needed, sayable),
                _ => longer_by_runs(now, (&needed, left_out), sayable, &lister),
            };
            tried.shuffle(rng);
            tried.truncate(TRIED);
            tried.push(needed);
            let mut seen: Vec<Option<Rivalry>> = Vec::new();
            for proposal in tried {
                let found = listed((engine, named), story, (&proposal, left_out), (&lister, &wanted));
                asked.extend(
                    found.filter(|(_, rivalry)| !seen.contains(rivalry)).inspect(|(_, own)| seen.push(*own)),
                );
            }
        }
    }
    asked
}

/// A plan with one more action.
fn longer(around: &Surroundings, needed: &Proposal, sayable: &SayableTerms) -> Vec<Proposal> {
    (0..=needed.actions.len()).flat_map(|step| longer_at(around, needed, step, sayable)).collect()
}

/// A plan with one more action at a place.
fn longer_at(around: &Surroundings, needed: &Proposal, step: usize, sayable: &SayableTerms) -> Vec<Proposal> {
    let PlayedOut::Ends(place) = around.course(&needed.actions[..step]) else { return Vec::new() };
    let all = around.reached[place].executable.iter();
    let told = all.filter(|more| sayable.actions.contains(**more) && !needed.actions.contains(more));
    let with = |more: &usize| {
        let mut longer = needed.clone();
        longer.actions.insert(step, *more);
        longer
    };
    told.map(with).collect()
}

/// A plan with so many more actions one after the other, which by themselves look like as many of its own.
fn longer_by_runs(
    around: &Surroundings,
    (needed, count): (&Proposal, usize),
    sayable: &SayableTerms,
    lister: &OptionLister,
) -> Vec<Proposal> {
    let mut found = Vec::new();
    for run in needed.actions.windows(count) {
        for step in 0..=needed.actions.len() {
            let mut grown = vec![needed.clone()];
            for (more, like) in run.iter().enumerate() {
                let look = lister.look(*like);
                let fits = |proposal: &Proposal| lister.look(proposal.actions[step + more]) == look;
                let all = grown.iter().flat_map(|one| longer_at(around, one, step + more, sayable));
                grown = all.filter(fits).collect();
            }
            found.append(&mut grown);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The question which of these actions, so many one after the other, can be left out, if they are one of two runs that look alike, or none
/// where there are such.
fn listed(
    (engine, named): (&TransitionSystem, &NamedObjects),
    story: &SearchedStory,
    (proposal, left_out): (&Proposal, usize),
    (lister, goal): (&OptionLister, &Term),
) -> Option<ListedPlan> {
    let terms: Vec<&Term> = proposal.actions.iter().map(|action| &engine.actions[*action]).collect();
    let alike = alike(lister, named, &proposal.actions, left_out);
    if alike.is_empty() {
        return None;
    }
    let found = spare(&story.now, proposal, left_out)?;
    let rivalry = match found.as_slice() {
        [] => None,
        [only] => {
            let pair = alike.iter().find(|pair| pair.contains(only))?;
            let all: Vec<&Term> = [goal].into_iter().chain(terms.iter().copied()).collect();
            let shapes: Vec<TermShape> = terms.iter().map(|action| shape(action, &all)).collect();
            Some(Rivalry { between: numbered(&(shapes, pair)), side: Some(u64::from(pair[0] == *only)) })
        }
        _ => return None,
    };
    let same = spare(&story.initially, proposal, left_out).as_ref() == Some(&found);
    let offer = SearchOffer {
        detail: format!("{} actions", terms.len()),
        arguments: arguments(proposal),
        class: found.first().map_or(0, |step| *step as u32 + 1),
        trivial: same,
        plain: same,
        answer: Given::Actions(
            found.iter().flat_map(|step| proposal.actions[*step..*step + left_out].iter().copied()).collect(),
        ),
        effort: length(&proposal.actions),
    };
    Some((offer, rivalry))
}

/// Where so many actions of a plan, one after the other, can be left out; none where the plan is none.
fn spare(around: &Surroundings, proposal: &Proposal, count: usize) -> Option<Vec<usize>> {
    if fate(around, proposal) != Fate::Reaches {
        return None;
    }
    let mut found = Vec::new();
    for step in 0..(proposal.actions.len() + 1).saturating_sub(count) {
        let mut shorter = proposal.clone();
        shorter.actions.drain(step..step + count);
        match fate(around, &shorter) {
            Fate::Reaches => found.push(step),
            Fate::Unknown => return None,
            _ => {}
        }
    }
    Some(found)
}

/// The places of any two actions of a plan, or runs of so many, that look the same beside the goal, the told actions and the rest of the
/// plan.
fn alike(lister: &OptionLister, named: &NamedObjects, plan: &[usize], count: usize) -> Vec<[usize; 2]> {
    let looks: Vec<_> = plan.iter().map(|action| lister.look(*action)).zip(named.linked(plan)).collect();
    let starts = (plan.len() + 1).saturating_sub(count);
    let pairs = (0..starts).flat_map(|one| (one + 1..starts).map(move |other| [one, other]));
    let run = |start: usize| &looks[start..start + count];
    pairs.filter(|[one, other]| run(*one) == run(*other)).collect()
}
