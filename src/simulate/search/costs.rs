//! Kinds of actions with costs to the cheapest ways: Dijkstra's search over what is around a situation, and clingo's program
//! for ways within a budget.
//!
//! A kind of action is an entry of the phrase book. Whatever is unknown takes more actions than the radius, so that a way is
//! sure to be cheapest if it costs no more than that many of the cheapest actions and one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write as _;
use std::time::Duration;

use racgen_logic::clingo::{Program, Source};
use racgen_logic::error::LogicError;
use racgen_logic::term::Term;

use crate::domain::embedded::axioms;
use crate::domain::package::Package;
use crate::simulate::search::by_clingo::{PlanSearch, TermLiteral};
use crate::simulate::search::goal::GoalFact;
use crate::simulate::search::surroundings::{Surroundings, back};
use crate::simulate::situation::BitSet;

/// What an action costs whose kind has no cost of its own.
pub const USUAL: usize = 1;
/// The functors of costs in a query: `costs(cost(move(b1,table),3))`.
pub const COSTS: &str = "costs";
/// Likewise.
pub const COST: &str = "cost";

/// An action, and what all of its kind cost.
pub type KindCost = (usize, usize);

/// By action, its kind; none where the phrase book does not know it.
pub fn kinds(package: &Package, actions: &[Term]) -> Vec<Option<usize>> {
    let entries = &package.book.actions;
    let kind = |action: &Term| entries.iter().position(|entry| package.fits(&entry.pattern, action));
    actions.iter().map(kind).collect()
}

/// By action, what it costs.
pub fn prices(kinds: &[Option<usize>], listed: &[KindCost]) -> Vec<usize> {
    let price = |kind: &Option<usize>| {
        let own = listed.iter().find(|(action, _)| kind.is_some() && kinds[*action] == *kind);
        own.map_or(USUAL, |(_, cost)| *cost)
    };
    kinds.iter().map(price).collect()
}

/// What each of some actions costs.
pub fn costs(actions: &[usize], prices: &[usize]) -> Vec<usize> {
    actions.iter().map(|action| prices[*action]).collect()
}

/// What actions cost together.
pub fn total(actions: &[usize], prices: &[usize]) -> usize {
    costs(actions, prices).iter().sum()
}

/// The most actions that a budget may pay for.
pub fn most_actions(prices: &[usize], budget: usize) -> usize {
    budget / prices.iter().min().copied().unwrap_or(USUAL).max(1)
}

/// Costs as a term.
pub fn term(listed: &[KindCost], actions: &[Term]) -> Term {
    let one = |(action, cost): &KindCost| {
        Term::function(COST, vec![actions[*action].clone(), Term::Number(*cost as i32)])
    };
    Term::function(COSTS, listed.iter().map(one).collect())
}

/// Can a situation become one with a goal by actions that cost no more than a budget? `program` is that over so many steps.
///
/// # Errors
/// Those of [`PlanSearch::new`] and [`PlanSearch::reaches`].
pub fn is_affordable(
    program: impl Fn(usize) -> Program,
    (actions, prices): (&[Term], &[usize]),
    (situation, goal): (&[Term], &[TermLiteral]),
    budget: usize,
    limit: Duration,
) -> Result<bool, LogicError> {
    let steps = most_actions(prices, budget);
    let program = within_budget(program(steps), (actions, prices), budget);
    PlanSearch::new(&program, limit)?.reaches(situation, goal, steps, None)
}

/// A program over several steps, of the ways that cost no more than a budget.
fn within_budget(mut program: Program, (actions, prices): (&[Term], &[usize]), budget: usize) -> Program {
    let mut text = String::new();
    for (action, price) in actions.iter().zip(prices) {
        let _ = writeln!(text, "price({action},{price}).");
    }
    program.sources.extend([axioms("cost.lp"), Source::new("costs", text)]);
    program.constants.push(("budget".to_owned(), budget as i64));
    program
}

/// The cheapest ways from a situation to those around it.
pub struct CheapestWays<'s> {
    around: &'s Surroundings,
    /// By place, the least cost of the ways that are known, and the place and action before it.
    costs: Vec<usize>,
    before: Vec<Option<(usize, usize)>>,
    /// By place, the greatest cost of a way with as few actions as possible.
    dearest: Vec<usize>,
    /// Nothing that costs more is sure to be cheapest.
    sure: usize,
}

impl<'s> CheapestWays<'s> {
    /// Finds the cheapest ways, where actions have these costs.
    pub fn of(around: &'s Surroundings, prices: &[usize]) -> CheapestWays<'s> {
        let count = around.reached.len();
        let mut found = CheapestWays {
            around,
            costs: vec![usize::MAX; count],
            before: vec![None; count],
            dearest: vec![0; count],
            sure: match around.exhausted {
                true => usize::MAX,
                false => (around.radius + 1) * prices.iter().min().copied().unwrap_or(USUAL),
            },
        };
        let mut open = BinaryHeap::from([Reverse((0, 0))]);
        found.costs[0] = 0;
        while let Some(Reverse((cost, place))) = open.pop() {
            if cost > found.costs[place] {
                continue;
            }
            for (action, to) in around.steps(place) {
                let next = cost + prices[action];
                if next < found.costs[to] {
                    (found.costs[to], found.before[to]) = (next, Some((place, action)));
                    open.push(Reverse((next, to)));
                }
            }
        }
        for (place, near) in around.reached.iter().enumerate() {
            for (action, to) in around.steps(place) {
                if around.reached[to].distance == near.distance + 1 {
                    found.dearest[to] = found.dearest[to].max(found.dearest[place] + prices[action]);
                }
            }
        }
        found
    }

    /// The least cost of reaching a goal; none where that is not known.
    pub fn least(&self, goal: &[GoalFact]) -> Option<usize> {
        self.ends(goal).iter().map(|place| self.costs[place]).min().filter(|cost| *cost <= self.sure)
    }

    /// The greatest cost of reaching it by as few actions as possible.
    pub fn dearest(&self, goal: &[GoalFact]) -> Option<usize> {
        let fewest = self.around.distance(goal)?;
        let ends = self.ends(goal);
        let ends = ends.iter().filter(|place| self.around.reached[*place].distance == fewest);
        ends.map(|place| self.dearest[place]).max()
    }

    /// A cheapest way to each situation with the goal that is as cheap to reach as any.
    pub fn ways(&self, goal: &[GoalFact]) -> Vec<Vec<usize>> {
        let Some(least) = self.least(goal) else { return Vec::new() };
        let ends = self.ends(goal);
        ends.iter().filter(|place| self.costs[*place] == least).map(|place| self.way(place)).collect()
    }

    fn ends(&self, goal: &[GoalFact]) -> BitSet {
        self.around.places.of_goal(goal)
    }

    fn way(&self, place: usize) -> Vec<usize> {
        back(place, |here| self.before[here])
    }
}
