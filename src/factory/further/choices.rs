//! Stories to what they offer to families that list four things to choose from: which action begins a shortest way, and which
//! goal the told actions serve.

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::further::begun_ways::least;
use crate::factory::further::gathering::SayableTerms;
use crate::factory::further::offers::{Given, Offers, SearchArgument, kind_of};
use crate::factory::further::option_lists::OptionList;
use crate::factory::further::search_families::{LONGEST_WAY, SearchFamily};
use crate::factory::further::searching::{DrawnGoal, SearchOffer, SearchedStory};
use crate::simulate::search::goal;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Goals that are served, of each story, about which is asked.
const SERVED: usize = 6;

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
    let can: Vec<usize> = story.now.reached[0].executable.to_vec();
    let told = can.into_iter().filter(|action| sayable.actions.contains(*action));
    let (good, mut bad): (Vec<usize>, Vec<usize>) = told.partition(|action| firsts.contains(action));
    bad.shuffle(rng);
    let Some(right) = good.choose(rng).copied() else { return };
    if drawn.distance < 2 {
        return;
    }
    let wanted = goal::term(&drawn.goal, &engine.fluents);
    let before = story.initially.firsts(&drawn.goal);
    // What would have been right without the told actions comes first, or else the initial situation would mostly give the answer.
    bad.sort_by_key(|action| !before.contains(action));
    let lister = story.lister(engine, &engine.actions, vec![&wanted]);
    for OptionList { all, place, rivalry } in lister.alike(right, &bad, rng) {
        let then: Vec<usize> = all.iter().copied().filter(|action| before.contains(action)).collect();
        let arguments = vec![SearchArgument::Goal(drawn.goal.clone()), SearchArgument::Actions(all)];
        let offer = SearchOffer {
            detail: kind_of(&engine.actions[right]),
            arguments,
            answer: Given::Actions(vec![right]),
            class: place as u32,
            trivial: then == [right],
            plain: then == [right],
            effort: story.effort(drawn.distance),
        };
        story.add_listed(offers, family, (offer, Some(rivalry)));
    }
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
    let lister = story.lister(engine, &engine.fluents, told);
    let some: Vec<(usize, usize)> = served.sample(rng, SERVED).copied().collect();
    for (right, left) in some {
        for OptionList { all, place, rivalry } in lister.alike(right, &others, rng) {
            let offer = SearchOffer {
                detail: engine.fluents[right].functor().to_owned(),
                arguments: vec![SearchArgument::Fluents(all)],
                answer: Given::Fact((right, true)),
                class: place as u32,
                trivial: false,
                plain: false,
                effort: story.effort(left),
            };
            story.add_listed(offers, family, (offer, Some(rivalry)));
        }
    }
}
