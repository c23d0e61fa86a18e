//! Stories to questions that list the actions of a plan: which one can be left out?
//!
//! Plan and goal would often tell that without any situation, as what is not needed is about other objects, or comes last. So another
//! of the actions looks like the one that can be left out, and comes after it in half of the questions.

use std::collections::BTreeSet;

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::further::gathering::SayableTerms;
use crate::factory::further::guesses::{linked, shares_fewest};
use crate::factory::further::offers::Given;
use crate::factory::further::planning::{Fate, MOST_FACTS, Proposal, arguments, fate, length, lengths};
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::searching::{SearchOffer, SearchedStory, changed};
use crate::simulate::search::goal;
use crate::simulate::search::surroundings::{PlayedOut, Surroundings};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Plans that are drawn for each length and story, of half of which an action may be left out.
const DRAWN: usize = 32;

/// Where what looks like the action that can be left out stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twin {
    /// None of the actions can be left out, though two look alike.
    OfNone,
    Before,
    After,
}

/// Which action can be left out? Of half of the plans one can, an action that was put in somewhere.
pub(super) fn superfluous(
    engine: &TransitionSystem,
    story: &SearchedStory,
    sayable: &SayableTerms,
    rng: &mut ChaCha8Rng,
) -> Vec<(Twin, SearchOffer)> {
    let mut asked = Vec::new();
    let now = &story.now;
    let start = &now.reached[0].situation;
    for most in lengths(now).skip(1) {
        for turn in 0..DRAWN {
            let put_in = turn % 2;
            let layer: Vec<usize> = now.layer(most - put_in).collect();
            let Some(end) = layer.choose(rng) else { continue };
            let mut actions = now.way(*end);
            if put_in == 1 {
                let step = rng.random_range(0..=actions.len());
                let PlayedOut::Ends(place) = now.course(&actions[..step]) else { continue };
                let Some(more) = now.reached[place].executable.choose(rng) else { continue };
                actions.insert(step, *more);
            }
            let count = rng.random_range(1..MOST_FACTS);
            let goal = changed(start, &now.reached[*end].situation, count, sayable, rng);
            let twice = actions.iter().collect::<BTreeSet<_>>().len() < actions.len();
            let told = actions.iter().all(|action| sayable.actions.contains(*action));
            if goal.len() < count || twice || !told {
                continue;
            }
            let proposal = Proposal { actions, goal };
            let wanted = goal::term(&proposal.goal, &engine.fluents);
            let alike = alike(engine, story, &proposal.actions, &wanted);
            if alike.iter().all(Vec::is_empty) {
                continue;
            }
            let Some(found) = spare(now, &proposal) else { continue };
            let twin = match found.as_slice() {
                [] => Twin::OfNone,
                [only] if alike[*only].iter().any(|other| other > only) => Twin::After,
                [only] if !alike[*only].is_empty() => Twin::Before,
                _ => continue,
            };
            let listed: Vec<&Term> = proposal.actions.iter().map(|action| &engine.actions[*action]).collect();
            let guessed = shares_fewest(&listed, &[&wanted]);
            let offer = SearchOffer {
                detail: format!("{most} actions"),
                arguments: arguments(&proposal),
                class: found.first().map_or(0, |step| *step as u32 + 1),
                trivial: spare(&story.initially, &proposal).as_ref() == Some(&found),
                plain: found.first().copied() == guessed,
                answer: Given::Actions(found.iter().map(|step| proposal.actions[*step]).collect()),
                effort: length(&proposal.actions),
            };
            asked.push((twin, offer));
        }
    }
    asked
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

/// By place in a plan, the places of other actions that look the same beside the goal, the told actions and the rest of the plan.
fn alike(engine: &TransitionSystem, story: &SearchedStory, plan: &[usize], goal: &Term) -> Vec<Vec<usize>> {
    let lister = story.lister(engine, &engine.actions, vec![goal]);
    let terms: Vec<&Term> = plan.iter().map(|action| &engine.actions[*action]).collect();
    let looks: Vec<_> = plan.iter().map(|action| lister.look(*action)).zip(linked(&terms)).collect();
    let others = |place: usize| (0..plan.len()).filter(move |other| *other != place);
    (0..plan.len())
        .map(|place| others(place).filter(|other| looks[*other] == looks[place]).collect())
        .collect()
}

/// As many questions of plans in which the like of what can be left out comes before it as of such in which it comes after it, and no
/// more of plans of which nothing can.
pub(super) fn even<S>(
    mut asked: Vec<(S, (usize, SearchFamily), (Twin, SearchOffer))>,
    rng: &mut ChaCha8Rng,
) -> Vec<(S, (usize, SearchFamily), SearchOffer)> {
    asked.shuffle(rng);
    let count = |twin: Twin| asked.iter().filter(|(.., (own, _))| *own == twin).count();
    let most = count(Twin::Before).min(count(Twin::After));
    let mut found = Vec::new();
    let mut left = [(Twin::Before, most), (Twin::After, most), (Twin::OfNone, most)];
    for (story, family, (twin, offer)) in asked {
        for (of, left) in &mut left {
            if *of == twin && *left > 0 {
                *left -= 1;
                found.push((story, family, offer));
                break;
            }
        }
    }
    found
}
