//! What is around a situation to the ways through situations in all of which a fact is so: how far they lead, and a shortest one.

use std::sync::Arc;

use crate::simulate::search::goal::GoalFact;
use crate::simulate::search::surroundings::{NearSituation, Surroundings};
use crate::simulate::situation::BitSet;

/// How many actions lead to the places of some [`Surroundings`] while a fact stays so, where that is known.
#[derive(Clone, Debug)]
pub struct Distances {
    followed: Arc<FollowedFacts>,
    /// The fact, among those that were followed together.
    fact: usize,
}

/// How far it leads from a situation while one or another of some facts stays so.
#[derive(Clone, Debug)]
pub struct KeptWays {
    /// Ascending.
    facts: Vec<GoalFact>,
    /// Those of 64 facts each.
    followed: Vec<Arc<FollowedFacts>>,
}

impl KeptWays {
    /// How many actions lead to the places while a fact stays so; none where it was not followed.
    pub fn of(&self, fact: GoalFact) -> Option<Distances> {
        let place = self.facts.binary_search(&fact).ok()?;
        Some(Distances { followed: self.followed[place / 64].clone(), fact: place % 64 })
    }
}

/// Facts that were followed together, a bit of each word each.
#[derive(Debug)]
struct FollowedFacts {
    /// By place, the fewest actions that lead there, whatever stays so.
    shortest: Arc<[u16]>,
    /// By place, the facts that may stay so on the way there.
    reached: Vec<u64>,
    /// Where some of them take more actions than that: places in order, the facts, and how many actions.
    longer: Vec<(u32, u64, u16)>,
}

impl Distances {
    /// Is it known that they lead to a place?
    pub fn leads_to(&self, place: usize) -> bool {
        self.followed.reached[place] >> self.fact & 1 == 1
    }

    /// Where the fact takes more actions than are needed without it, and how many.
    fn longer(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let own = self.followed.longer.iter().filter(|(_, facts, _)| facts >> self.fact & 1 == 1);
        own.map(|(place, _, distance)| (*place as usize, usize::from(*distance)))
    }

    /// The fewest actions that lead to a place, as far as that is known.
    pub fn to(&self, place: usize) -> Option<usize> {
        let FollowedFacts { shortest, longer, .. } = &*self.followed;
        if !self.leads_to(place) {
            return None;
        }
        let first = longer.partition_point(|(there, ..)| (*there as usize) < place);
        let there = longer[first..].iter().take_while(|(there, ..)| *there as usize == place);
        let mut own = there.filter(|(_, facts, _)| facts >> self.fact & 1 == 1);
        Some(usize::from(own.next().map_or(shortest[place], |(.., distance)| *distance)))
    }

    /// The places to which so many actions lead, or fewer.
    pub fn within(&self, most: usize) -> BitSet {
        let FollowedFacts { shortest, reached, .. } = &*self.followed;
        let mut found = BitSet::new(reached.len());
        let is_near = |place: &usize| self.leads_to(*place) && usize::from(shortest[*place]) <= most;
        (0..reached.len()).filter(is_near).for_each(|place| found.insert(place));
        self.longer().filter(|(_, distance)| *distance > most).for_each(|(place, _)| found.remove(place));
        found
    }

    /// The most actions that are needed to any place that is known to be reached; none where there is no such.
    pub fn farthest(&self) -> Option<usize> {
        let last = (0..self.followed.reached.len()).rev().find(|place| self.leads_to(*place))?;
        let shortest = usize::from(self.followed.shortest[last]);
        Some(self.longer().map(|(_, distance)| distance).fold(shortest, usize::max))
    }
}

impl Surroundings {
    /// How many actions lead to the places.
    pub fn distances(&self) -> Distances {
        let followed = FollowedFacts {
            shortest: self.shortest(),
            reached: vec![1; self.reached.len()],
            longer: Vec::new(),
        };
        Distances { followed: Arc::new(followed), fact: 0 }
    }

    fn shortest(&self) -> Arc<[u16]> {
        self.reached.iter().map(|near| near.distance as u16).collect()
    }

    /// Of each of some facts, how many actions lead to the places through situations in all of which it is so, as far as that is known;
    /// nowhere where it is not so at the start.
    pub fn keeping(&self, mut facts: Vec<GoalFact>) -> KeptWays {
        facts.sort_unstable();
        let shortest = self.shortest();
        let followed = facts.chunks(64).map(|facts| Arc::new(self.followed(facts, shortest.clone())));
        KeptWays { followed: followed.collect(), facts }
    }

    /// How many actions lead to the places while one fact stays so.
    pub fn keeping_one(&self, fact: GoalFact) -> Distances {
        Distances { followed: Arc::new(self.followed(&[fact], self.shortest())), fact: 0 }
    }

    /// Follows 64 facts at most, a bit of a word each.
    fn followed(&self, held: &[GoalFact], shortest: Arc<[u16]>) -> FollowedFacts {
        let so = self.places.of_each(held);
        let mut reached = vec![0_u64; so.len()];
        let mut longer = Vec::new();
        // The places of a layer with the facts that are met there for the first time.
        let (mut layer, mut fresh) = (vec![0], vec![0_u64; so.len()]);
        (fresh[0], reached[0]) = (so[0], so[0]);
        let mut distance = 0;
        while !layer.is_empty() {
            distance += 1;
            let mut next: Vec<(usize, u64)> = Vec::new();
            for here in layer.drain(..) {
                let facts = std::mem::take(&mut fresh[here]);
                for to in self.leads(here).iter().map(|to| *to as usize) {
                    let new = facts & so[to] & !reached[to];
                    if new != 0 {
                        reached[to] |= new;
                        next.push((to, new));
                    }
                }
            }
            for (to, new) in next {
                if distance > shortest[to] {
                    longer.push((to as u32, new, distance));
                }
                if fresh[to] == 0 {
                    layer.push(to);
                }
                fresh[to] |= new;
            }
        }
        longer.sort_unstable();
        FollowedFacts { shortest, reached, longer }
    }

    /// A shortest way to a situation that is sought, by such actions only as may be taken, through situations in all of which
    /// a fact, if one is given, is so; none where none is known.
    pub fn way_keeping(
        &self,
        held: Option<GoalFact>,
        may: &dyn Fn(usize) -> bool,
        is_sought: &dyn Fn(&NearSituation) -> bool,
    ) -> Option<Vec<usize>> {
        let keeps = |place: usize| {
            held.is_none_or(|(fluent, truth)| self.reached[place].situation.contains(fluent) == truth)
        };
        let mut before: Vec<Option<(usize, usize)>> = vec![None; self.reached.len()];
        let mut layer = if keeps(0) { vec![0] } else { Vec::new() };
        while !layer.is_empty() {
            if let Some(end) = layer.iter().find(|place| is_sought(&self.reached[**place])) {
                let (mut way, mut here) = (Vec::new(), *end);
                while let Some((last, action)) = before[here] {
                    way.push(action);
                    here = last;
                }
                way.reverse();
                return Some(way);
            }
            let mut next = Vec::new();
            for place in layer {
                for (action, to) in self.steps(place).filter(|(action, _)| may(*action)) {
                    if to != 0 && before[to].is_none() && keeps(to) {
                        before[to] = Some((place, action));
                        next.push(to);
                    }
                }
            }
            layer = next;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::*;
    use crate::domain::package::Package;
    use crate::simulate::layout::Layout;
    use crate::simulate::plans::sampling::Sampling;
    use crate::simulate::story::Simulator;

    #[test]
    fn facts_that_are_followed_together_lead_as_far_as_each_alone() {
        let limit = Duration::from_secs(60);
        let (mut reached, mut missed, mut longer, mut most_facts) = (0, 0, 0, 0);
        for (domain, level) in [("blocks", 3), ("dwr", 1), ("logistics", 1)] {
            let mut rng = racgen_logic::seed::stream(9, &["kept ways", domain]);
            let package = Package::load(domain).unwrap();
            let layout = Layout::sample(&package, level, &BTreeMap::new(), &mut rng, limit).unwrap();
            let mut stage = Simulator::new(&package, layout, Sampling::Walk, limit, &mut rng).unwrap();
            let (start, _) = stage.draw_world(&mut rng).unwrap();
            let (here, _) = stage.engine.consider(&start, None).unwrap().unwrap();
            let near = Surroundings::of(&mut stage.engine, &here.situation, here.executable).unwrap();
            let facts: Vec<GoalFact> =
                (0..stage.engine.fluents.len()).flat_map(|f| [(f, true), (f, false)]).collect();
            most_facts = most_facts.max(facts.len());
            let kept = near.keeping(facts.clone());
            assert!(kept.of((stage.engine.fluents.len(), true)).is_none());
            for fact in &facts {
                let found = kept.of(*fact).unwrap();
                let all: Vec<Option<usize>> = (0..near.reached.len()).map(|place| found.to(place)).collect();
                for place in (0..all.len()).step_by(17) {
                    let wanted = &near.reached[place].situation;
                    let is_it = |one: &NearSituation| one.situation == *wanted;
                    let way = near.way_keeping(Some(*fact), &|_| true, &is_it);
                    assert_eq!(all[place], way.map(|way| way.len()), "{domain}: {fact:?}");
                    *(if all[place].is_some() { &mut reached } else { &mut missed }) += 1;
                }
                assert_eq!(found.farthest(), all.iter().flatten().max().copied());
                for most in [0, 1, near.radius] {
                    let right = (0..all.len()).filter(|place| all[*place].is_some_and(|d| d <= most));
                    assert_eq!(found.within(most).listed(), right.collect::<Vec<usize>>());
                }
                longer += found.longer().count();
            }
            assert_eq!(near.distances().to(1), Some(1));
            assert_eq!(near.distances().farthest(), Some(near.radius));
        }
        println!("{reached} reached, {missed} not, {longer} by longer ways");
        assert!(most_facts > 64, "{most_facts}");
        assert!(reached > 100 && missed > 100 && longer > 0, "{reached} {missed} {longer}");
    }
}
