//! Stories to what they offer to families that give kinds of actions costs: the least cost of reaching a goal, and a cheapest
//! plan.
//!
//! Costs matter to each question: not every shortest way is a cheapest one, or the least cost is not the number of actions.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::further::gathering::SayableTerms;
use crate::factory::further::offers::{Given, Offers, SearchArgument, facts};
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::searching::{DrawnGoal, SearchOffer, SearchedStory};
use crate::simulate::search::costs::{CheapestWays, KindCost, most_actions, prices, total};
use crate::simulate::search::goal::is_met;
use crate::simulate::search::surroundings::PlayedOut;

/// Lists of costs of each story, and goals that are tried with each.
const LISTS: usize = 3;
const TRIED: usize = 10;
/// The least cost of a kind, the greatest, and how many kinds have one of their own.
const LEAST: usize = 1;
const MOST: usize = 4;
const MOST_KINDS: usize = 2;
/// The most actions that the least cost may pay for: clingo looks at all such ways.
const MOST_ACTIONS: usize = 8;

/// The actions of a layout, by kind.
pub(super) struct ActionKinds {
    /// By action, its kind.
    pub(super) kinds: Vec<Option<usize>>,
    /// By functor, and by kind, the actions that can be told.
    functors: BTreeMap<String, BTreeMap<usize, Vec<usize>>>,
}

impl ActionKinds {
    /// Sorts actions by their kinds.
    pub(super) fn new(kinds: Vec<Option<usize>>, actions: &[Term], sayable: &SayableTerms) -> ActionKinds {
        let mut functors: BTreeMap<String, BTreeMap<usize, Vec<usize>>> = BTreeMap::new();
        for (action, term) in
            actions.iter().enumerate().filter(|(action, _)| sayable.actions.contains(*action))
        {
            if let Some(kind) = kinds[action] {
                let of = functors.entry(term.functor().to_owned()).or_default();
                of.entry(kind).or_default().push(action);
            }
        }
        ActionKinds { kinds, functors }
    }

    /// Costs of one or two kinds, each with an action of it. Kinds of one functor are told together, as moves to the table and
    /// moves onto a block are: whoever reads might take them for one.
    fn draw(&self, rng: &mut ChaCha8Rng) -> Option<Vec<KindCost>> {
        let all: BTreeSet<usize> = self.functors.values().flat_map(|kinds| kinds.keys().copied()).collect();
        if all.len() < 2 {
            return None;
        }
        let mut few: Vec<&BTreeMap<usize, Vec<usize>>> =
            self.functors.values().filter(|kinds| kinds.len() <= MOST_KINDS).collect();
        few.shuffle(rng);
        let first = few.first()?;
        let alone = first.len() == 1;
        let second = few[1..].iter().find(|kinds| kinds.len() == 1 && alone && rng.random_bool(0.5));
        let mut costs: Vec<usize> = (if alone { LEAST + 1 } else { LEAST }..=MOST).collect();
        costs.shuffle(rng);
        let kinds = first.values().chain(second.into_iter().flat_map(|kinds| kinds.values()));
        kinds.zip(costs).map(|(actions, cost)| Some((*actions.choose(rng)?, cost))).collect()
    }
}

/// The questions that a story offers.
pub(super) fn priced(
    story: &SearchedStory,
    families: &[(usize, SearchFamily)],
    goals: &[DrawnGoal],
    (all, sayable): (&ActionKinds, &SayableTerms),
    (offers, rng): (&mut Offers, &mut ChaCha8Rng),
) {
    for _ in 0..LISTS {
        let Some(listed) = all.draw(rng) else { return };
        let prices = prices(&all.kinds, &listed);
        let now = CheapestWays::of(&story.now, &prices);
        let then = CheapestWays::of(&story.initially, &prices);
        for drawn in goals.sample(rng, TRIED) {
            let (Some(least), Some(dearest)) = (now.least(&drawn.goal), now.dearest(&drawn.goal)) else {
                continue;
            };
            if most_actions(&prices, least) > MOST_ACTIONS || dearest == drawn.distance {
                continue;
            }
            for family in families {
                let offer = |answer: Given, plain: bool, trivial: bool| SearchOffer {
                    detail: facts(drawn.goal.len()),
                    arguments: vec![
                        SearchArgument::Goal(drawn.goal.clone()),
                        SearchArgument::Costs(listed.clone()),
                    ],
                    answer,
                    class: least as u32,
                    trivial,
                    plain,
                    effort: story.effort(drawn.distance),
                };
                match family.1 {
                    SearchFamily::Cost if least != drawn.distance => {
                        let same = then.least(&drawn.goal) == Some(least);
                        let number = Given::Term(Term::Number(least as i32));
                        story.add(offers, *family, offer(number, dearest == least, same));
                    }
                    SearchFamily::CheapestPlan => {
                        let is_told = |way: &Vec<usize>| way.iter().all(|a| sayable.actions.contains(*a));
                        let Some(way) = now.ways(&drawn.goal).into_iter().filter(is_told).min() else {
                            continue;
                        };
                        let same = total(&way, &prices) == least
                            && matches!(story.initially.course(&way), PlayedOut::Ends(place)
                                if is_met(&drawn.goal, &story.initially.reached[place].situation));
                        story.add(offers, *family, offer(Given::Plan(way), dearest == least, same));
                    }
                    _ => {}
                }
            }
        }
    }
}
