//! Stories to others that begin otherwise and in which other things are done, so that four of them cross: asked whether something
//! was so at first, two give one settled answer, and crosswise two leave it open.
//!
//! Each of the two beginnings has each answer once, and so has each of the two lists of actions: whoever sees the question and one
//! of them without the other is right half the time. They are found by two objects that change places: actions that settle
//! something must leave it open where they are done to the other object. Then the other beginning, which has the objects in each
//! other's places, and the other actions cross with them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};

use crate::factory::error::FactoryError;
use crate::factory::further::crossing::OPEN;
use crate::factory::further::partly::{MOST_COMPLETIONS, Modality};
use crate::factory::further::plan_twins::{TwinCourse, courses};
use crate::simulate::interchange::Interchange;
use crate::simulate::situation::Situation;
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How many lists of actions are drawn, and how many pairs of objects.
const PLANS: usize = 48;
const PAIRS: usize = 12;
/// How many times lists of actions are followed from situations, with objects in each other's places.
const FOLLOWED: usize = 6_000;
/// How many fours of one answer and kind are looked at to find such that the split may have, and how many of these are kept.
const LOOKED_AT: usize = 16;
const KEPT: usize = 4;

/// What some actions leave of the initial situations that the text allows.
struct Followed {
    /// Those that are left, by their places.
    left: Vec<usize>,
    /// What was so in them.
    sure: Modality,
}

/// By what a fluent is settled as, and its functor, actions by their places that settle it, with the fluent.
type SettledByKind = BTreeMap<(usize, String), Vec<(usize, usize)>>;

/// Tells which worlds a split may have.
type Keep<'k> = &'k dyn Fn(&str) -> bool;

/// Courses of a story that is told without some objects, of which four cross that are settled as yes, and four that are as no,
/// where there are such, or of the one answer that is sought. `starts` are the initial situations that the text allows, and `keep` tells which worlds the courses may
/// begin in beside that of the story.
pub(super) fn crossing_courses(
    stage: &mut Simulator,
    (story, left_out): (&Story, &[usize]),
    starts: &[Situation],
    (fluents, value, keep): (&[usize], Option<u32>, Keep),
    rng: &mut ChaCha8Rng,
) -> Result<Vec<TwinCourse>, FactoryError> {
    let pairs = interchanges(stage, left_out, rng);
    if pairs.is_empty() {
        return Ok(Vec::new());
    }
    let courses = courses(stage, story, left_out, (starts, PLANS), rng)?;
    let plans: Vec<Vec<usize>> = courses.into_iter().map(|(_, plan)| plan).collect();
    let followed = follow(stage, starts, &plans)?;
    let before = Modality::of(stage.engine.fluents.len(), starts.iter());
    let open: Vec<usize> = fluents.iter().copied().filter(|fluent| before.is_open(*fluent)).collect();
    let settled = settled(&stage.engine, (&plans, &followed), (&open, value), rng);
    let most = FOLLOWED / (starts.len() * if value.is_some() { 1 } else { OPEN as usize });
    let turned = to_be_turned(&settled, (&plans, &pairs), most, rng);
    let turned_plans: Vec<Vec<usize>> =
        turned.iter().map(|(plan, pair)| pairs[*pair].plan(&plans[*plan])).collect();
    let turned_followed = follow(stage, starts, &turned_plans)?;
    let open_when_turned = |place: usize, fluent: usize| {
        let is_open = |turned: &Followed| turned.sure.is_open(fluent);
        pairs[turned[place].1].fluent(fluent) == fluent
            && turned_followed[place].as_ref().is_some_and(is_open)
    };
    let mut wanted: BTreeSet<TwinCourse> = BTreeSet::new();
    for value in 0..OPEN as usize {
        // Of each kind, actions, and their places where they are done to other objects.
        let mut kinds: Vec<Vec<(usize, usize)>> = Vec::new();
        for (_, all) in settled.iter().filter(|((settled_as, _), _)| *settled_as == value) {
            let mut crossed = Vec::new();
            for (plan, fluent) in all {
                let places = (0..turned.len()).filter(|place| turned[*place].0 == *plan);
                let open = places.filter(|place| open_when_turned(*place, *fluent));
                crossed.extend(open.map(|place| (*plan, place)));
            }
            kinds.push(crossed);
        }
        // A kind of question as likely as any other; the next one where the split has no worlds for it.
        kinds.shuffle(rng);
        for mut kind in kinds {
            kind.shuffle(rng);
            let mut kept = 0;
            for (plan, place) in kind.into_iter().take(LOOKED_AT) {
                let ways = [
                    (&plans[plan], followed[plan].as_ref()),
                    (&turned_plans[place], turned_followed[place].as_ref()),
                ];
                let begun = ways.map(|(plan, followed)| {
                    let start = begin(stage, story, (starts, followed?), keep, rng)?;
                    Some((start, plan.clone()))
                });
                if let [Some(settled), Some(open)] = begun {
                    let (both, pair) = ([settled, open], &pairs[turned[place].1]);
                    let others = both.clone().map(|(start, plan)| (pair.situation(&start), pair.plan(&plan)));
                    wanted.extend(both.into_iter().chain(others));
                    kept += 1;
                }
                if kept == KEPT {
                    break;
                }
            }
            if kept > 0 {
                break;
            }
        }
    }
    Ok(wanted.into_iter().collect())
}

/// What actions settle of what is open before them, as `value` if that is said: first such as do not name what is asked about, since
/// those that do settle it wherever they are done.
fn settled(
    engine: &TransitionSystem,
    (plans, followed): (&[Vec<usize>], &[Option<Followed>]),
    (open, value): (&[usize], Option<u32>),
    rng: &mut ChaCha8Rng,
) -> SettledByKind {
    let mut settled = SettledByKind::new();
    for fluent in open.iter().copied() {
        for (plan, followed) in followed.iter().enumerate() {
            let Some(followed) = followed.as_ref().filter(|all| !all.sure.is_open(fluent)) else { continue };
            let settled_as = followed.sure.class(fluent);
            if value.is_none_or(|value| value as usize == settled_as) {
                let functor = engine.fluents[fluent].functor().to_owned();
                settled.entry((settled_as, functor)).or_default().push((plan, fluent));
            }
        }
    }
    let named = |(plan, fluent): &(usize, usize)| {
        let of_actions = plans[*plan].iter().flat_map(|action| engine.actions[*action].args());
        let objects = engine.fluents[*fluent].args();
        objects.iter().filter(|object| of_actions.clone().any(|other| other == *object)).count()
    };
    for all in settled.values_mut() {
        all.shuffle(rng);
        all.sort_by_cached_key(named);
    }
    settled
}

/// Actions that are to be followed with two objects in each other's places, by their places: so many for each kind of what is
/// settled that they are `most` in all. They name one of the objects, and what they settle names neither.
fn to_be_turned(
    settled: &SettledByKind,
    (plans, pairs): (&[Vec<usize>], &[Arc<Interchange>]),
    most: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<(usize, usize)> {
    let most = most / settled.len().max(1);
    let mut turned: BTreeSet<(usize, usize)> = BTreeSet::new();
    for all in settled.values() {
        let mut own: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (plan, fluent) in all {
            if own.len() >= most {
                break;
            }
            let pair = (0..pairs.len()).choose(rng).filter(|pair| {
                pairs[*pair].fluent(*fluent) == *fluent && pairs[*pair].plan(&plans[*plan]) != plans[*plan]
            });
            own.extend(pair.map(|pair| (*plan, pair)));
        }
        turned.extend(own);
    }
    turned.into_iter().collect()
}

/// Pairs of objects that may change places, of which the text tells.
fn interchanges(stage: &Simulator, left_out: &[usize], rng: &mut ChaCha8Rng) -> Vec<Arc<Interchange>> {
    let objects = &stage.layout().objects;
    let told: Vec<usize> = (0..objects.len()).filter(|object| !left_out.contains(object)).collect();
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    for (place, one) in told.iter().enumerate() {
        let others = told[place + 1..].iter().filter(|other| objects[**other].kind == objects[*one].kind);
        pairs.extend(others.map(|other| [*one, *other]));
    }
    pairs.shuffle(rng);
    pairs.into_iter().filter_map(|pair| stage.interchange(pair)).take(PAIRS).collect()
}

/// What lists of actions leave of some initial situations; none where that is too little, or too much.
fn follow(
    stage: &mut Simulator,
    starts: &[Situation],
    plans: &[Vec<usize>],
) -> Result<Vec<Option<Followed>>, FactoryError> {
    let tales: Vec<(&Situation, &[usize])> =
        plans.iter().flat_map(|plan| starts.iter().map(|start| (start, plan.as_slice()))).collect();
    let possible = stage.engine.possible(&tales)?;
    let size = stage.engine.fluents.len();
    let of = |able: &[bool]| {
        let left: Vec<usize> = (0..starts.len()).filter(|start| able[*start]).collect();
        (2..=MOST_COMPLETIONS).contains(&left.len()).then(|| {
            let sure = Modality::of(size, left.iter().map(|start| &starts[*start]));
            Followed { left, sure }
        })
    };
    Ok(possible.chunks(starts.len().max(1)).map(of).collect())
}

/// A situation for a story to begin in of which the same is told, and in which its actions can be carried out: that of the story
/// itself, if it will do.
fn begin(
    stage: &Simulator,
    story: &Story,
    (starts, followed): (&[Situation], &Followed),
    keep: Keep,
    rng: &mut ChaCha8Rng,
) -> Option<Situation> {
    let left = || followed.left.iter().map(|start| &starts[*start]);
    if let Some(own) = left().find(|start| **start == story.initial) {
        return Some(own.clone());
    }
    let others: Vec<&Situation> = left().filter(|start| keep(&stage.key(start, &[]))).collect();
    others.choose(rng).map(|start| (*start).clone())
}
