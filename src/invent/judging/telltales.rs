//! Pairs of yes/no questions of equal profile to whether the kind of the last told action tells their answers.
//!
//! In a pair, the told actions do the same to the things that are asked about, so that only what is done to others can tell:
//! where an action needs what a law says of one of two things, it may tell of the other as well.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashSet;

use crate::factory::choosing::offered::KnownOffers;
use crate::factory::choosing::profile::{CLOSENESS, KnownSteps};
use crate::factory::choosing::schedule::FormCell;
use crate::factory::choosing::selection::{Candidates, pairs};
use crate::factory::context::LayoutText;
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Which share of a family's answers may be told.
const TOLD: f64 = 0.6;
/// The fewest questions of a family by which it is judged.
const LEAST: usize = 100;

/// By level and kind of last action, how often the answer was no and yes, in each half of the layouts.
type LabelCounts = BTreeMap<(i32, String), [[usize; 2]; 2]>;

/// What was seen, by family.
#[derive(Default)]
pub(super) struct LastActions(BTreeMap<String, LabelCounts>);

impl LastActions {
    /// Looks at stories of one layout.
    pub(super) fn see(
        &mut self,
        (level, layout): (i32, u64),
        engine: &TransitionSystem,
        text: &LayoutText,
        stories: &[Story],
        rng: &mut ChaCha8Rng,
    ) {
        let candidates = Candidates {
            engine,
            lexicon: &text.lexicon,
            stories: stories.iter().collect(),
            used: &FxHashSet::default(),
            shapes: &text.shapes,
            named: &KnownSteps::default(),
            offers: &KnownOffers::default(),
            sayable: &|_, _, _| true,
        };
        let verify =
            engine.questions.iter().enumerate().filter(|(_, question)| question.kind == Kind::Verify);
        let voices: BTreeSet<_> = verify.filter_map(|(index, _)| text.lexicon.form(index)).collect();
        for voice in voices {
            let [no, yes] = candidates.profiled(FormCell { scene: Timepoint::Now, voice }, rng);
            let matched = |closeness: usize| {
                let trivial = [(true, false), (false, true), (true, true), (false, false)];
                trivial.into_iter().flat_map(|(y, n)| pairs(&yes, &no, (closeness, y, n))).collect::<Vec<_>>()
            };
            let nearest = (0..CLOSENESS - 1).map(matched).find(|pairs| !pairs.is_empty());
            for (y, n) in nearest.unwrap_or_default() {
                for (label, (told, _, question)) in [no[n].asked, yes[y].asked].into_iter().enumerate() {
                    let last = stories[told].plan.last().map(|action| engine.actions[*action].functor());
                    let family = engine.questions[question].term.functor().to_owned();
                    let key = (level, last.unwrap_or_default().to_owned());
                    let counts = self.0.entry(family).or_default().entry(key).or_default();
                    counts[(layout % 2) as usize][label] += 1;
                }
            }
        }
    }

    /// Is there a family whose answers the last action tells?
    pub(super) fn tell(&self) -> bool {
        self.0.values().any(|counts| {
            let all: usize = counts.values().flatten().flatten().sum();
            all >= LEAST && told(counts) > TOLD * all as f64
        })
    }
}

/// How many answers are those that the other half of the layouts has most of after the same action.
fn told(counts: &LabelCounts) -> f64 {
    let of = |halves: &[[usize; 2]; 2]| -> f64 {
        let right = |half: usize| {
            let [no, yes] = halves[1 - half];
            match no.cmp(&yes) {
                std::cmp::Ordering::Less => halves[half][1] as f64,
                std::cmp::Ordering::Greater => halves[half][0] as f64,
                std::cmp::Ordering::Equal => (halves[half][0] + halves[half][1]) as f64 / 2.0,
            }
        };
        right(0) + right(1)
    };
    counts.values().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_half_shows_is_told_of_the_other() {
        let family = |halves: [[usize; 2]; 2]| {
            LastActions(BTreeMap::from([("f".to_owned(), BTreeMap::from([((1, "go".to_owned()), halves)]))]))
        };
        assert!(family([[10, 50], [10, 50]]).tell());
        assert!(!family([[10, 50], [50, 10]]).tell(), "what is so in one half only is chance");
        assert!(!family([[30, 30], [30, 30]]).tell());
        assert!(!family([[1, 9], [1, 9]]).tell(), "too few");
        assert_eq!(told(&BTreeMap::from([((1, "go".to_owned()), [[3, 7], [0, 0]])])), 5.0);
    }
}
