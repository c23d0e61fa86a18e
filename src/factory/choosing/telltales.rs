//! Pairs of yes/no questions to whether the kinds of the told actions, whatever these name, tell their answers.
//!
//! In such a pair, the told actions do much the same to the things that are asked about. But where an action needs what a law says
//! of two things, what is done to one may tell of the other; and an action that turns off the power of a house tells of each
//! lamp in it.

use std::collections::{BTreeMap, BTreeSet};

use crate::factory::choosing::selection::{Profiled, loosest};
use crate::simulate::story::Story;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Which share of many answers may be told, and how many standard errors more of few.
const TOLD: f64 = 0.55;
const ERRORS: f64 = 1.0;
/// The fewest answers by which that is judged.
const LEAST: usize = 20;

/// How often the answer was no and yes, in each half of the layouts.
type Labels = [[usize; 2]; 2];

/// What was seen of the actions of stories that pairs are from.
#[derive(Default)]
pub(super) struct OtherKinds {
    all: Labels,
    /// By the kind of the last action.
    last: BTreeMap<String, Labels>,
    /// By a kind that some action is of.
    any: BTreeMap<String, Labels>,
}

impl OtherKinds {
    /// Looks at the questions of a layout which one story answers no and another yes, and which may be matched.
    pub(super) fn see(
        &mut self,
        layout: usize,
        engine: &TransitionSystem,
        stories: &[Story],
        [no, yes]: [&[Profiled]; 2],
    ) {
        let mut alike: BTreeMap<u64, [Vec<usize>; 2]> = BTreeMap::new();
        for (label, questions) in [no, yes].into_iter().enumerate() {
            for question in questions {
                let (told, ..) = question.asked;
                alike.entry(question.profile.near[loosest(false)]).or_default()[label].push(told);
            }
        }
        for [no, yes] in alike.into_values() {
            for (no, yes) in no.into_iter().zip(yes).filter(|(no, yes)| no != yes) {
                for (label, told) in [no, yes].into_iter().enumerate() {
                    let kind = |action: &usize| engine.actions[*action].functor();
                    let kinds = stories[told].plan.iter().map(kind);
                    self.count(kinds.collect(), (layout % 2, label));
                }
            }
        }
    }

    fn count(&mut self, kinds: Vec<&str>, (half, label): (usize, usize)) {
        self.all[half][label] += 1;
        if let Some(last) = kinds.last() {
            self.last.entry((*last).to_owned()).or_default()[half][label] += 1;
        }
        for kind in kinds.into_iter().collect::<BTreeSet<_>>() {
            self.any.entry(kind.to_owned()).or_default()[half][label] += 1;
        }
    }

    /// May they tell the answers? They may, where too few answers were seen to judge.
    pub(super) fn may_tell(&self) -> bool {
        let count: usize = self.all.iter().flatten().sum();
        let with_and_without = |some: &Labels| {
            let rest = |half: usize, label: usize| self.all[half][label] - some[half][label];
            told(some) + told(&[[rest(0, 0), rest(0, 1)], [rest(1, 0), rest(1, 1)]])
        };
        let by_last = self.last.values().map(told).sum::<f64>();
        let most = self.any.values().map(with_and_without).fold(by_last, f64::max);
        let error = 0.5 / (count.max(1) as f64).sqrt();
        count < LEAST || most > (TOLD + ERRORS * error) * count as f64
    }
}

/// How many answers are those that the other half of the layouts has most of.
fn told(counts: &Labels) -> f64 {
    let right = |half: usize| {
        let [no, yes] = counts[1 - half];
        match no.cmp(&yes) {
            std::cmp::Ordering::Less => counts[half][1] as f64,
            std::cmp::Ordering::Greater => counts[half][0] as f64,
            std::cmp::Ordering::Equal => (counts[half][0] + counts[half][1]) as f64 / 2.0,
        }
    };
    right(0) + right(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(plans: &[(&[&str], [usize; 4])]) -> OtherKinds {
        let mut kinds = OtherKinds::default();
        for (plan, counts) in plans {
            for (place, count) in counts.iter().enumerate() {
                (0..*count).for_each(|_| kinds.count(plan.to_vec(), (place / 2, place % 2)));
            }
        }
        kinds
    }

    #[test]
    fn what_one_half_shows_is_told_of_the_other() {
        assert!(seen(&[(&["go"], [5, 25, 5, 25]), (&["stay"], [25, 5, 25, 5])]).may_tell());
        assert!(
            !seen(&[(&["go"], [5, 25, 25, 5]), (&["stay"], [25, 5, 5, 25])]).may_tell(),
            "so in one half only"
        );
        assert!(!seen(&[(&["go"], [15, 15, 15, 15]), (&["stay"], [15, 15, 15, 15])]).may_tell());
        assert!(seen(&[(&["go"], [1, 9, 1, 9]), (&["stay"], [9, 1, 9, 1])]).may_tell());
        assert!(seen(&[(&["go"], [2, 2, 2, 2]), (&["stay"], [2, 2, 2, 2])]).may_tell(), "too few");
        assert!(!seen(&[(&["go"], [4, 6, 4, 6]), (&["stay"], [6, 4, 6, 4])]).may_tell(), "may be chance");
    }

    #[test]
    fn an_action_before_the_last_tells_too() {
        let off: &[(&[&str], [usize; 4])] =
            &[(&["off", "go"], [25, 1, 25, 1]), (&["on", "go"], [5, 29, 5, 29])];
        assert!(seen(off).may_tell());
        let even: &[(&[&str], [usize; 4])] = &[(&["off", "go"], [15; 4]), (&["on", "go"], [15; 4])];
        assert!(!seen(even).may_tell());
    }
}
