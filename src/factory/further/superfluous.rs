//! Stories to questions that list the actions of a plan: which one can be left out?
//!
//! Plan and goal would often tell that without any situation, as what is not needed is about other objects, or comes last. So another
//! of the actions looks like the one that can be left out, and comes after it in half of the questions.

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
/// One in so many of these has an action put in.
const ONE_LONGER: usize = 2;

/// A question, and which of two actions that look alike can be left out; none where all of the plan is needed.
type ListedPlan = (SearchOffer, Option<Rivalry>);

/// Plans of which all is needed, and the same with an action put in that looks like another one.
pub(super) fn superfluous(
    (engine, named): (&TransitionSystem, &NamedObjects),
    story: &SearchedStory,
    sayable: &SayableTerms,
    rng: &mut ChaCha8Rng,
) -> Vec<ListedPlan> {
    let now = &story.now;
    let start = &now.reached[0].situation;
    let mut asked = Vec::new();
    for most in lengths(now) {
        let layer: Vec<usize> = now.layer(most).collect();
        let may_grow = lengths(now).contains(&(most + 1));
        for turn in 0..DRAWN {
            let Some(end) = layer.choose(rng) else { continue };
            let count = rng.random_range(1..MOST_FACTS);
            let goal = changed(start, &now.reached[*end].situation, count, sayable, rng);
            let needed = Proposal { actions: now.way(*end), goal };
            let told = needed.actions.iter().all(|action| sayable.actions.contains(*action));
            if needed.goal.len() < count || !told || spare(now, &needed).is_none_or(|all| !all.is_empty()) {
                continue;
            }
            let wanted = goal::term(&needed.goal, &engine.fluents);
            let lister = story.lister(engine, &engine.actions, vec![&wanted]);
            let grows = may_grow && turn.is_multiple_of(ONE_LONGER);
            let mut tried = if grows { longer(now, &needed, sayable) } else { Vec::new() };
            tried.shuffle(rng);
            tried.push(needed);
            let mut seen: Vec<Option<Rivalry>> = Vec::new();
            for proposal in tried {
                let found = listed((engine, named), story, &proposal, (&lister, &wanted));
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
    let mut found = Vec::new();
    for step in 0..=needed.actions.len() {
        let PlayedOut::Ends(place) = around.course(&needed.actions[..step]) else { continue };
        let all = around.reached[place].executable.iter();
        let told = all.filter(|more| sayable.actions.contains(**more) && !needed.actions.contains(more));
        found.extend(told.map(|more| {
            let mut longer = needed.clone();
            longer.actions.insert(step, *more);
            longer
        }));
    }
    found
}

/// The question which of these actions can be left out, if it is one of two that look alike, or none where there are such.
fn listed(
    (engine, named): (&TransitionSystem, &NamedObjects),
    story: &SearchedStory,
    proposal: &Proposal,
    (lister, goal): (&OptionLister, &Term),
) -> Option<ListedPlan> {
    let terms: Vec<&Term> = proposal.actions.iter().map(|action| &engine.actions[*action]).collect();
    let alike = alike(lister, named, &proposal.actions);
    if alike.is_empty() {
        return None;
    }
    let found = spare(&story.now, proposal)?;
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
    let same = spare(&story.initially, proposal).as_ref() == Some(&found);
    let offer = SearchOffer {
        detail: format!("{} actions", terms.len()),
        arguments: arguments(proposal),
        class: found.first().map_or(0, |step| *step as u32 + 1),
        trivial: same,
        plain: same,
        answer: Given::Actions(found.iter().map(|step| proposal.actions[*step]).collect()),
        effort: length(&proposal.actions),
    };
    Some((offer, rivalry))
}

/// The actions of a plan that can be left out, by their places; none where the plan is none.
fn spare(around: &Surroundings, proposal: &Proposal) -> Option<Vec<usize>> {
    if fate(around, proposal) != Fate::Reaches {
        return None;
    }
    let mut found = Vec::new();
    for step in 0..proposal.actions.len() {
        let mut shorter = proposal.clone();
        shorter.actions.remove(step);
        match fate(around, &shorter) {
            Fate::Reaches => found.push(step),
            Fate::Unknown => return None,
            _ => {}
        }
    }
    Some(found)
}

/// The places of any two actions of a plan that look the same beside the goal, the told actions and the rest of the plan.
fn alike(lister: &OptionLister, named: &NamedObjects, plan: &[usize]) -> Vec<[usize; 2]> {
    let looks: Vec<_> = plan.iter().map(|action| lister.look(*action)).zip(named.linked(plan)).collect();
    let pairs = (0..plan.len()).flat_map(|one| (one + 1..plan.len()).map(move |other| [one, other]));
    pairs.filter(|[one, other]| looks[*one] == looks[*other]).collect()
}
