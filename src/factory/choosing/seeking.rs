//! A rare answer to stories that have it, each with one that looks like it from outside and has the other answer.
//!
//! Some questions are hardly ever answered yes by themselves, as whether all blocks stand on the table. A package names
//! them (`seek` in `questions.lp`); then many plans are drawn, and those few are kept that end where the answer is yes,
//! with others of equal profile that end where it is no.

use rand::rngs::ChaCha8Rng;

use crate::factory::choosing::offered::Setting;
use crate::factory::choosing::profile::{CLOSENESS, Shapes};
use crate::simulate::error::SimulationError;
use crate::simulate::story::{Simulator, Story, Timepoint};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How many plans are drawn to find some. Their steps are evaluated together.
pub const DRAWN: usize = 128;
/// So many come first; if none of them ends with the rare answer, the layout is left alone.
const AT_FIRST: usize = 24;
/// How many pairs of stories are kept.
const KEPT: usize = 3;

/// The stories of some random numbers in which a question may be asked in pairs, with their random numbers; none where
/// there are no such pairs. `keep` accepts the keys of worlds, of which `tries` are drawn for a story.
pub fn seek(
    stage: &mut Simulator,
    shapes: &Shapes,
    question: usize,
    (depth, by_instance): (usize, bool),
    keep: impl Fn(&str) -> bool,
    tries: usize,
    mut rngs: Vec<ChaCha8Rng>,
) -> Result<Vec<(Story, ChaCha8Rng)>, SimulationError> {
    let mut stories = Vec::new();
    for part in [0..AT_FIRST.min(rngs.len()), AT_FIRST.min(rngs.len())..rngs.len()] {
        stories.extend(stage.tell_persistently(depth, by_instance, &keep, tries, &mut rngs[part])?);
        if !stories.iter().flatten().any(|story| is_yes(&stage.engine, story, question)) {
            return Ok(Vec::new());
        }
    }
    let kept = pairs(&stage.engine, shapes, question, &stories);
    let all = stories.into_iter().zip(rngs).enumerate();
    Ok(all.filter(|(n, _)| kept.contains(n)).filter_map(|(_, (story, rng))| Some((story?, rng))).collect())
}

/// Is the question answered yes after the plan?
fn is_yes(engine: &TransitionSystem, story: &Story, question: usize) -> bool {
    let offer = Setting::new(engine, story, Timepoint::Now).and_then(|setting| setting.offer(question));
    offer.is_some_and(|offer| offer.yes)
}

/// A story as the question looks in it.
struct Answered {
    number: usize,
    trivial: bool,
    near: [u64; CLOSENESS],
}

/// The numbers of the stories of the first pairs, the closest first, that the initial situation answers one of rightly.
fn pairs(
    engine: &TransitionSystem,
    shapes: &Shapes,
    question: usize,
    stories: &[Option<Story>],
) -> Vec<usize> {
    let mut labels: [Vec<Answered>; 2] = [Vec::new(), Vec::new()];
    for (number, story) in stories.iter().enumerate() {
        let Some(story) = story else { continue };
        let offer = Setting::new(engine, story, Timepoint::Now).and_then(|setting| setting.offer(question));
        if let Some(offer) = offer {
            let near = shapes.profile((number, story), Timepoint::Now, question).near;
            labels[usize::from(offer.yes)].push(Answered { number, trivial: offer.trivial, near });
        }
    }
    let [mut no, yes] = labels;
    let mut kept = Vec::new();
    for one in yes {
        let mut others = (1..CLOSENESS - 1).filter_map(|closeness| {
            no.iter().position(|n| n.trivial != one.trivial && n.near[closeness] == one.near[closeness])
        });
        if let Some(place) = others.next() {
            kept.extend([one.number, no.swap_remove(place).number]);
        }
        if kept.len() == 2 * KEPT {
            break;
        }
    }
    kept
}
