//! Stories to what they offer to families that ask how far a goal is after something has changed by itself, and for a plan.

use rand::rngs::ChaCha8Rng;
use rand::seq::IteratorRandom;

use crate::factory::further::gathering::SayableTerms;
use crate::factory::further::offers::{Given, Offers, SearchArgument, SearchEffort, facts};
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::searching::{DrawnGoal, SearchOffer, SearchedStory};
use crate::simulate::search::goal::GoalFact;
use crate::simulate::search::surroundings::{PlayedOut, Surroundings};
use crate::simulate::transitions::transition_system::TransitionSystem;
use racgen_logic::term::Term;

/// Changed situations of each story and distance, and goals that are tried in each.
const CHANGED: usize = 2;
const TRIED: usize = 8;
/// How many actions would bring a change about, at most, and how many facts change.
const FARTHEST: usize = 3;
const MOST_CHANGES: usize = 5;

/// All facts in which one situation differs from another, as they are in the other; none where one of them cannot be told,
/// or where there are too many.
fn change(
    engine: &TransitionSystem,
    around: &Surroundings,
    place: usize,
    sayable: &SayableTerms,
) -> Option<Vec<GoalFact>> {
    let (from, to) = (&around.reached[0].situation, &around.reached[place].situation);
    let differ = (0..engine.fluents.len()).filter(|fluent| from.contains(*fluent) != to.contains(*fluent));
    let mut told = Vec::new();
    for fluent in differ {
        match sayable.fluents.binary_search(&fluent) {
            // What follows from the others need not be told, and is not where it would deny a denial.
            Ok(_)
                if !to.contains(fluent)
                    && !sayable.deniable.contains(fluent)
                    && !engine.inertial.contains(fluent) => {}
            Ok(_) => told.push((fluent, to.contains(fluent))),
            Err(_) if !engine.inertial.contains(fluent) => {}
            Err(_) => return None,
        }
    }
    (!told.is_empty() && told.len() <= MOST_CHANGES).then_some(told)
}

/// How many further actions reach a goal, and which, if before them something changes without any action?
pub(super) fn replan(
    engine: &TransitionSystem,
    story: &SearchedStory,
    families: &[(usize, SearchFamily)],
    goals: &[DrawnGoal],
    sayable: &SayableTerms,
    (offers, rng): (&mut Offers, &mut ChaCha8Rng),
) {
    let now = &story.now;
    // The farther a change leads, the shorter are the ways from there that are known.
    let mut near: Vec<usize> = Vec::new();
    for distance in 1..=FARTHEST.min(now.radius) {
        near.extend(now.layer(distance).sample(rng, CHANGED));
    }
    for place in near {
        let Some(changed) = change(engine, now, place, sayable) else { continue };
        let ways = now.ways_from(place);
        for drawn in goals.iter().sample(rng, TRIED) {
            let met: Vec<usize> = now.places.of_goal(&drawn.goal).iter().collect();
            let left = met.iter().filter_map(|place| ways.distances[*place]).min();
            let Some(left) = left.filter(|left| *left > 0) else { continue };
            for family in families {
                let (answer, plain) = match family.1 {
                    SearchFamily::NewPlan => {
                        let nearest = met.iter().filter(|place| ways.distances[**place] == Some(left));
                        let told = |way: &Vec<usize>| way.iter().all(|a| sayable.actions.contains(*a));
                        let Some(way) = nearest.map(|place| ways.way(*place)).filter(told).min() else {
                            continue;
                        };
                        // Who overlooks the change may find a plan that does as well without it.
                        let plain = left == drawn.distance
                            && matches!(now.course(&way), PlayedOut::Ends(end) if met.contains(&end));
                        (Given::Plan(way), plain)
                    }
                    _ => (Given::Term(Term::Number(left as i32)), left == drawn.distance),
                };
                let offer = SearchOffer {
                    detail: facts(drawn.goal.len()),
                    arguments: vec![
                        SearchArgument::Goal(changed.clone()),
                        SearchArgument::Goal(drawn.goal.clone()),
                    ],
                    answer,
                    class: left as u32,
                    trivial: false,
                    plain,
                    effort: SearchEffort { plan_length: Some(left), searched: None },
                };
                story.add(offers, *family, offer);
            }
        }
    }
}
