//! Questions whether something is sure, or possible, or was so at first, to four that cross: one question, two initial situations
//! and two lists of actions, which lead to different answers crosswise.
//!
//! Each of the two situations has each answer once, and so has each of the two lists of actions: whoever knows the one without
//! the other knows nothing.

use std::collections::BTreeMap;

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::further::offers::{OfferedQuestion, PartAsked, Subject};
use crate::factory::further::outcomes::{concerned, is_asked};
use crate::simulate::crossed::CrossedEnds;
use crate::simulate::error::SimulationError;
use crate::simulate::narrative::outcomes::OpenEnd;
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How many fours are looked at to find one of which nothing was asked yet.
const LOOKED_AT: usize = 64;

/// How many plans are drawn for each story to find such that cross.
pub(crate) const CROSSED_PLANS: usize = 32;

/// The class of an answer that is neither yes nor no.
pub(super) const OPEN: u32 = 2;

/// Two questions, the one answered yes first, or the one that is settled.
type Edge = (usize, usize);

/// Stories whose questions cross with each other, from the initial situation of a story whose actions have several outcomes and
/// from such as are like it; where there are none, twins of the story.
pub(crate) fn companions(
    stage: &mut Simulator,
    story: &Story,
    keep: &dyn Fn(&str) -> bool,
    rngs: &mut [ChaCha8Rng],
) -> Result<Vec<Story>, SimulationError> {
    let crossed = stage.crossed(story, keep, rngs)?;
    let wanted = match rngs.first_mut() {
        Some(rng) => crossing(&stage.engine, &crossed, rng),
        None => Vec::new(),
    };
    if wanted.is_empty() {
        return stage.twins(story);
    }
    let mut found = Vec::new();
    for (start, plan) in wanted.into_iter().filter(|place| *place != (0, 0)) {
        found.extend(stage.some_course(&crossed.starts[start], &crossed.plans[plan])?);
    }
    Ok(found)
}

/// Which initial situations go with which plans for four questions that cross, by their places; of each family and functor one
/// four, where there is any.
fn crossing(engine: &TransitionSystem, crossed: &CrossedEnds, rng: &mut ChaCha8Rng) -> Vec<(usize, usize)> {
    let followed = |end: &Option<OpenEnd>| end.as_ref().is_some_and(|end| end.courses() > 1);
    let mut of: BTreeMap<(bool, &str), Vec<[usize; 3]>> = BTreeMap::new();
    for other in 1..crossed.starts.len() {
        let [here, there] = [&crossed.ends[0], &crossed.ends[other]];
        // By family and fluent, a plan for each way in which the answers differ, those drawn first before others.
        let mut ways: BTreeMap<(bool, usize), [Option<usize>; 2]> = BTreeMap::new();
        for plan in 0..crossed.plans.len() {
            let (one, two) = match (&here[plan], &there[plan]) {
                (Some(one), Some(two)) if followed(&here[plan]) && followed(&there[plan]) => (one, two),
                _ => continue,
            };
            if one.ends.len().max(two.ends.len()) < 2 {
                continue;
            }
            let asked = concerned(engine, &crossed.plans[plan], one);
            let asked = asked.intersection(&concerned(engine, &crossed.plans[plan], two));
            for fluent in asked.iter() {
                for is_must in [true, false] {
                    let [first, second] = [one, two].map(|end| verdict(is_must, end, fluent));
                    if let (Some(first), Some(second)) = (first, second)
                        && first != second
                    {
                        let ways = ways.entry((is_must, fluent)).or_default();
                        ways[usize::from(first)].get_or_insert(plan);
                    }
                }
            }
        }
        for ((is_must, fluent), [no, yes]) in ways {
            if let (Some(no), Some(yes)) = (no, yes) {
                of.entry((is_must, engine.fluents[fluent].functor())).or_default().push([other, no, yes]);
            }
        }
    }
    let mut found = Vec::new();
    for fours in of.into_values() {
        if let Some([other, no, yes]) = fours.choose(rng) {
            found.extend([(0, *no), (*other, *no), (0, *yes), (*other, *yes)]);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The answer to a question, where it is asked.
fn verdict(is_must: bool, end: &OpenEnd, fluent: usize) -> Option<bool> {
    let having = end.ends.iter().filter(|(situation, _)| situation.contains(fluent)).count();
    let all = end.ends.len();
    is_asked(is_must, having, all).then_some(if is_must { having == all } else { having > 0 })
}

/// Is the question one of those with three answers that are asked four by four?
pub(super) fn is_of_four(offer: &OfferedQuestion) -> bool {
    matches!(&offer.subject, Subject::Partly(part) if matches!(part.asked, PartAsked::First(_)))
}

/// What two questions about one fluent after the same actions, and after different beginnings, have for answers: which of the two
/// comes first in a four, and a number for what it is answered. None where they cannot be a half of a four.
fn apart(one: &OfferedQuestion, two: &OfferedQuestion) -> Option<(bool, u32)> {
    if !is_of_four(one) {
        return (one.yes != two.yes).then_some((one.yes, 0));
    }
    let settled = [one, two].map(|offer| offer.class != OPEN);
    (settled[0] != settled[1] && told_alike(one, two)).then_some((settled[0], one.class.min(two.class)))
}

/// Are two stories told without the same objects, in as many statements?
fn told_alike(one: &OfferedQuestion, two: &OfferedQuestion) -> bool {
    match (&one.subject, &two.subject) {
        (Subject::Partly(one), Subject::Partly(two)) => {
            one.telling == two.telling && one.stated == two.stated
        }
        _ => false,
    }
}

/// Four questions of a cell that cross, as yes, no, no and yes; the first two are about the same actions, and so are the others.
/// Of questions with three answers, settled, open, open and settled, as is `wanted` if anything is.
pub(super) fn four<'o>(
    offers: &'o [OfferedQuestion],
    free: &dyn Fn(&OfferedQuestion) -> bool,
    wanted: Option<u32>,
    rng: &mut ChaCha8Rng,
) -> Option<[&'o OfferedQuestion; 4]> {
    // By fluent and plan, the initial situations, each with the question's place.
    let mut told: BTreeMap<(usize, u64), BTreeMap<u64, usize>> = BTreeMap::new();
    for (place, offer) in offers.iter().enumerate() {
        let (Subject::Partly(part), Some([start, plan])) = (&offer.subject, offer.crossing) else { continue };
        let (PartAsked::Truth(fluent) | PartAsked::First(fluent)) = part.asked else { continue };
        told.entry((fluent, plan)).or_default().entry(start).or_insert(place);
    }
    // By fluent, two initial situations and what is answered, pairs of questions of which the first situation has the first answer,
    // and the other one.
    let mut edges: BTreeMap<(usize, u64, u64, u32), [Vec<Edge>; 2]> = BTreeMap::new();
    for ((fluent, _), starts) in &told {
        let starts: Vec<(u64, usize)> = starts.iter().map(|(start, place)| (*start, *place)).collect();
        for (number, (first, one)) in starts.iter().enumerate() {
            for (second, two) in &starts[number + 1..] {
                let Some((is_first, value)) = apart(&offers[*one], &offers[*two]) else { continue };
                if wanted.is_none_or(|wanted| wanted == value) {
                    let edge = if is_first { (*one, *two) } else { (*two, *one) };
                    let key = (*fluent, *first, *second, value);
                    edges.entry(key).or_default()[usize::from(is_first)].push(edge);
                }
            }
        }
    }
    let mut fours: Vec<(Edge, Edge)> = Vec::new();
    for [no, yes] in edges.values() {
        fours.extend(no.iter().flat_map(|one| yes.iter().map(move |other| (*one, *other))));
    }
    let (some, _) = fours.partial_shuffle(rng, LOOKED_AT);
    let all = |(one, other): &(Edge, Edge)| {
        let mut two = [*one, *other];
        two.shuffle(rng);
        let [(first, second), (fourth, third)] = two;
        [first, second, third, fourth].map(|place| &offers[place])
    };
    some.iter().map(all).find(|four| four.iter().all(|offer| free(offer)))
}
