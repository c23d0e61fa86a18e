//! What is around a situation to a shortest way through situations in all of which a fact is so.

use crate::simulate::search::goal::GoalFact;
use crate::simulate::search::surroundings::{NearSituation, Surroundings};

impl Surroundings {
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
