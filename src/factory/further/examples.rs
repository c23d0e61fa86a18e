//! Stories to what they offer to families that show ways to goals and ask for a way to another: to one that a part of the shown
//! way reaches, or that is told in full or in part (PlanBench's t4 and t8), to one that another end of the way reaches, or to one
//! that is the same but for the names of objects (its t5).
//!
//! Whoever repeats the shown way is right only where the goal is told in full or in part.

use std::collections::BTreeSet;

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::further::gathering::{Gatherer, SayableTerms};
use crate::factory::further::named_objects::NamedObjects;
use crate::factory::further::offers::{Given, Offers, SearchArgument};
use crate::factory::further::proposals::{Fate, Proposal, fate};
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::searching::{DrawnGoal, SearchOffer, SearchedStory, changed, told_way};
use crate::simulate::search::goal::{GoalFact, is_met};
use crate::simulate::search::surroundings::PlayedOut;
use crate::simulate::story::Simulator;

/// The most facts of the goal that a way is asked for.
const MOST_FACTS: usize = 4;
/// How many goals are drawn until the shown way does not reach one.
const GOALS_TRIED: usize = 4;
/// How often the objects of a way are renamed, and how many objects change names at most.
const RENAMINGS: usize = 12;
const MOST_SWAPS: usize = 2;

/// How the goal asked for differs from the one whose way is shown.
#[derive(Clone, Copy)]
enum Variation {
    /// A part of the way reaches it, and the rest undoes it.
    Prefix,
    /// It is reached by turning off the way.
    Turn,
    /// It has the other's facts, and more.
    Full,
    /// It has some of the other's facts.
    Part,
}

impl Variation {
    const ALL: [Variation; 4] = [Variation::Prefix, Variation::Turn, Variation::Full, Variation::Part];

    fn name(self) -> &'static str {
        match self {
            Variation::Prefix => "a part of the way",
            Variation::Turn => "another end",
            Variation::Full => "told in full",
            Variation::Part => "told in part",
        }
    }
}

/// A goal that a shown way reaches, a part of it or another end, and that is not the one it is shown for.
fn varied(
    story: &SearchedStory,
    shown: &Proposal,
    variation: Variation,
    sayable: &SayableTerms,
    rng: &mut ChaCha8Rng,
) -> Option<Vec<GoalFact>> {
    let now = &story.now;
    let start = &now.reached[0].situation;
    let ends = |actions: &[usize]| match now.course(actions) {
        PlayedOut::Ends(end) => Some(end),
        _ => None,
    };
    let last = ends(&shown.actions)?;
    let last = &now.reached[last].situation;
    let mut goal = match variation {
        Variation::Prefix | Variation::Turn => {
            let steps = (1..shown.actions.len()).collect::<Vec<_>>().choose(rng).copied()?;
            let mut end = ends(&shown.actions[..steps])?;
            if let Variation::Turn = variation {
                let others = now.steps(end).filter(|(action, _)| *action != shown.actions[steps]);
                end = others.map(|(_, next)| next).collect::<Vec<_>>().choose(rng).copied()?;
            }
            let there = &now.reached[end].situation;
            let mut drawn = (0..GOALS_TRIED).map(|_| changed(start, there, 2, sayable, rng));
            drawn.find(|goal| !is_met(goal, last))?
        }
        Variation::Full => {
            let more = changed(start, last, MOST_FACTS, sayable, rng);
            let new = more.into_iter().filter(|fact| !shown.goal.contains(fact));
            let room = MOST_FACTS.saturating_sub(shown.goal.len());
            shown.goal.iter().copied().chain(new.take(room)).collect()
        }
        Variation::Part => {
            let mut facts = shown.goal.clone();
            facts.shuffle(rng);
            facts.truncate(shown.goal.len() - 1);
            facts
        }
    };
    goal.sort_unstable();
    (!goal.is_empty() && goal != shown.goal).then_some(goal)
}

/// Ways to other goals, each with its goal, as a question tells them.
fn shown(ways: &[&Proposal]) -> Vec<SearchArgument> {
    let pair = |way: &&Proposal| {
        [SearchArgument::Actions(way.actions.clone()), SearchArgument::Goal(way.goal.clone())]
    };
    ways.iter().flat_map(pair).collect()
}

/// Offers the question for a way to a goal that is no longer than those that are shown.
fn offer(
    story: &SearchedStory,
    family: (usize, SearchFamily),
    (ways, goal): (&[&Proposal], Vec<GoalFact>),
    detail: &str,
    sayable: &SayableTerms,
    offers: &mut Offers,
) {
    let Some(distance) = story.now.distance(&goal).filter(|distance| *distance > 0) else { return };
    let drawn = DrawnGoal { goal, distance };
    let Some(way) = told_way(&story.now, &drawn, sayable) else { return };
    let before = &story.initially;
    let same = ways.iter().all(|shown| fate(before, shown) == Fate::Reaches)
        && matches!(before.course(&way), PlayedOut::Ends(place)
            if is_met(&drawn.goal, &before.reached[place].situation));
    let mut arguments = shown(ways);
    arguments.push(SearchArgument::Goal(drawn.goal));
    story.add(
        offers,
        family,
        SearchOffer {
            detail: detail.to_owned(),
            arguments,
            answer: Given::Plan(way),
            class: distance as u32,
            trivial: same,
            plain: same,
            effort: story.effort(distance),
        },
    );
}

impl Gatherer<'_> {
    /// How is a goal reached, where a way to a like one is shown?
    pub(super) fn reuse(
        &self,
        story: &SearchedStory,
        family: (usize, SearchFamily),
        own: &[Proposal],
        sayable: &SayableTerms,
        (offers, rng): (&mut Offers, &mut ChaCha8Rng),
    ) {
        for way in own {
            for variation in Variation::ALL {
                if let Some(goal) = varied(story, way, variation, sayable, rng) {
                    offer(story, family, (&[way], goal), variation.name(), sayable, offers);
                }
            }
        }
    }

    /// How is a goal reached, where ways to two goals are shown that are the same but for the names of objects?
    pub(super) fn generalise(
        &self,
        layout: (&Simulator, &NamedObjects),
        story: &SearchedStory,
        family: (usize, SearchFamily),
        own: &[Proposal],
        sayable: &SayableTerms,
        (offers, rng): (&mut Offers, &mut ChaCha8Rng),
    ) {
        let start = &story.now.reached[0].situation;
        for way in own {
            let mut alike = BTreeSet::from([way.clone()]);
            for turn in 0..RENAMINGS {
                let mut other = Some(way.clone());
                for _ in 0..=turn % MOST_SWAPS {
                    other = other.and_then(|other| self.renamed(layout, &other, rng));
                }
                let is_told = |way: &Proposal| {
                    way.actions.iter().all(|action| sayable.actions.contains(*action))
                        && way
                            .goal
                            .iter()
                            .all(|(f, truth)| sayable.statable.contains(*f) && start.contains(*f) != *truth)
                };
                alike
                    .extend(other.filter(|other| is_told(other) && fate(&story.now, other) == Fate::Reaches));
            }
            let mut alike: Vec<Proposal> = alike.into_iter().collect();
            alike.shuffle(rng);
            let [first, second, third, ..] = alike.as_slice() else { continue };
            // Goals may be the same, told of the same objects in other places.
            if third.goal != first.goal && third.goal != second.goal && first.goal != second.goal {
                let detail = format!("{} actions", way.actions.len());
                let asked = (&[first, second][..], third.goal.clone());
                offer(story, family, asked, &detail, sayable, offers);
            }
        }
    }
}
