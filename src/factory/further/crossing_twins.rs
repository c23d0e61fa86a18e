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
use crate::factory::further::matter::PartMatter;
use crate::factory::further::partly::{MOST_COMPLETIONS, Modality};
use crate::factory::further::plan_twins::{AskedCourse, Keep, TwinCourse, courses};
use crate::simulate::interchange::Interchange;
use crate::simulate::situation::Situation;
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How many lists of actions are drawn, and how many pairs of objects.
const PLANS: usize = 128;
const PAIRS: usize = 28;
/// How many times lists of actions are followed from situations with objects in each other's places, at most.
const FOLLOWED: usize = 24_000;
/// How many fours of one answer and kind are looked at to find such that the split may have, and how many of these are kept.
const LOOKED_AT: usize = 16;
const KEPT: usize = 4;

/// Actions, and what they leave of the initial situations that the text allows; nothing where that is too little, or too much.
struct TriedPlan {
    plan: Vec<usize>,
    left: Option<StartsLeft>,
}

/// Initial situations from which actions can be carried out, by their places, and what was so in them.
struct StartsLeft {
    starts: Vec<usize>,
    sure: Modality,
}

impl TriedPlan {
    fn leaves_open(&self, fluent: usize) -> bool {
        self.left.as_ref().is_some_and(|left| left.sure.is_open(fluent))
    }
}

/// Actions that are done to two objects in each other's places, both by their places, and what they leave then.
struct Turned {
    of: usize,
    pair: usize,
    done: TriedPlan,
}

/// By what a fluent is settled as, and its functor, actions by their places that settle it, with the fluent.
type SettledByKind = BTreeMap<(usize, String), Vec<(usize, usize)>>;

/// Courses of a story that is told without some objects, of which four cross that are settled as yes, and four that are as no,
/// where there are such, or of the one answer that is sought. `starts` are the initial situations that the text allows, and `keep`
/// tells which worlds the courses may begin in beside that of the story.
pub(super) fn crossing_courses(
    stage: &mut Simulator,
    (story, left_out): (&Story, &[usize]),
    starts: &[Situation],
    (fluents, value, keep): (&[usize], Option<u32>, Keep),
    rng: &mut ChaCha8Rng,
) -> Result<Vec<AskedCourse>, FactoryError> {
    let pairs = interchanges(stage, left_out, rng);
    if pairs.is_empty() {
        return Ok(Vec::new());
    }
    let courses = courses(stage, story, left_out, (starts, PLANS), keep, rng)?;
    let able = AbleStarts::of(stage, starts)?;
    let done = follow(stage, (starts, &able), courses.into_iter().map(|(_, plan)| plan).collect())?;
    let before = Modality::of(stage.engine.fluents.len(), starts.iter());
    let open: Vec<usize> = fluents.iter().copied().filter(|fluent| before.is_open(*fluent)).collect();
    let settled = settled(&stage.engine, &done, (&open, value), rng);
    let most = FOLLOWED / (starts.len() * if value.is_some() { 1 } else { OPEN as usize });
    let asked = to_be_turned(&settled, (&done, &pairs), (starts, &able), most, rng);
    let plans = asked.iter().map(|(of, pair)| pairs[*pair].plan(&done[*of].plan)).collect();
    let all = asked.into_iter().zip(follow(stage, (starts, &able), plans)?);
    let turned: Vec<Turned> = all.map(|((of, pair), done)| Turned { of, pair, done }).collect();
    let mut wanted: Vec<AskedCourse> = Vec::new();
    let pairs = &pairs;
    let turned = &turned;
    for value in 0..OPEN as usize {
        let crossed = |(_, all): (_, &Vec<(usize, usize)>)| {
            let open = |(of, fluent): &(usize, usize)| {
                let (of, fluent) = (*of, *fluent);
                let own =
                    turned.iter().filter(move |turned| turned.of == of && turned.done.leaves_open(fluent));
                let own = own.filter(move |turned| pairs[turned.pair].fluent(fluent) == fluent);
                own.map(move |turned| (turned, fluent))
            };
            all.iter().flat_map(open).collect::<Vec<(&Turned, usize)>>()
        };
        let of_value = settled.iter().filter(|((settled_as, _), _)| *settled_as == value);
        let mut kinds: Vec<Vec<(&Turned, usize)>> = of_value.map(crossed).collect();
        // A kind of question as likely as any other; the next one where the split has no worlds for it.
        kinds.shuffle(rng);
        for mut kind in kinds {
            kind.shuffle(rng);
            let mut kept: Vec<[AskedCourse; 4]> = Vec::new();
            let mut met: BTreeSet<(usize, usize)> = BTreeSet::new();
            // Once for each list of actions and fluent, or the same question would be asked twice.
            kind.retain(|(turned, fluent)| met.insert((turned.of, *fluent)));
            for (turned, fluent) in kind.into_iter().take(LOOKED_AT) {
                if kept.len() < KEPT {
                    let both = [&done[turned.of], &turned.done];
                    let four = four(stage, story, (starts, both, &pairs[turned.pair]), keep, rng);
                    let asked = |course: TwinCourse| (course, (PartMatter::Beginning, fluent));
                    kept.extend(four.map(|four| four.map(asked)));
                }
            }
            if !kept.is_empty() {
                wanted.extend(kept.into_iter().flatten());
                break;
            }
        }
    }
    Ok(wanted)
}

/// The courses of four questions that cross: two lists of actions, and the same with two objects in each other's places. None where
/// the split has no worlds for them.
fn four(
    stage: &Simulator,
    story: &Story,
    (starts, both, pair): (&[Situation], [&TriedPlan; 2], &Interchange),
    keep: Keep,
    rng: &mut ChaCha8Rng,
) -> Option<[TwinCourse; 4]> {
    let mut begun = |done: &TriedPlan| {
        let start = begin(stage, story, (starts, done.left.as_ref()?), keep, rng)?;
        Some((start, done.plan.clone()))
    };
    let [one, two] = [begun(both[0])?, begun(both[1])?];
    let [three, four] = [&one, &two].map(|(start, plan)| (pair.situation(start), pair.plan(plan)));
    Some([one, two, three, four])
}

/// What actions settle of what is open before them, as `value` if that is said: first such as do not name what is asked about, since
/// those that do settle it wherever they are done.
fn settled(
    engine: &TransitionSystem,
    done: &[TriedPlan],
    (open, value): (&[usize], Option<u32>),
    rng: &mut ChaCha8Rng,
) -> SettledByKind {
    let mut settled = SettledByKind::new();
    for fluent in open.iter().copied() {
        for (place, TriedPlan { left, .. }) in done.iter().enumerate() {
            let Some(left) = left.as_ref().filter(|left| !left.sure.is_open(fluent)) else { continue };
            let settled_as = left.sure.class(fluent);
            if value.is_none_or(|value| value as usize == settled_as) {
                let functor = engine.fluents[fluent].functor().to_owned();
                settled.entry((settled_as, functor)).or_default().push((place, fluent));
            }
        }
    }
    let named = |(place, fluent): &(usize, usize)| {
        let of_actions = done[*place].plan.iter().flat_map(|action| engine.actions[*action].args());
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
/// settled that they are `most` in all. They name one of the objects, and what they settle names neither, and is true in a situation
/// in which the first of them can be carried out, and false in another.
fn to_be_turned(
    settled: &SettledByKind,
    (done, pairs): (&[TriedPlan], &[Arc<Interchange>]),
    (starts, able): (&[Situation], &AbleStarts),
    most: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<(usize, usize)> {
    let most = most / settled.len().max(1);
    let mut turned: BTreeSet<(usize, usize)> = BTreeSet::new();
    for all in settled.values() {
        let mut own: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (place, fluent) in all {
            if own.len() >= most {
                break;
            }
            let plan = &done[*place].plan;
            let turns = |pair: &Interchange| {
                let changed = pair.plan(plan);
                let truths = able.of_first(&changed).iter().map(|start| starts[*start].contains(*fluent));
                let [mut yes, mut no] = [false; 2];
                truths.for_each(|is_true| if is_true { yes = true } else { no = true });
                pair.fluent(*fluent) == *fluent && changed != *plan && yes && no
            };
            let pair = (0..pairs.len()).choose(rng).filter(|pair| turns(&pairs[*pair]));
            own.extend(pair.map(|pair| (*place, pair)));
        }
        turned.extend(own);
    }
    turned.into_iter().collect()
}

/// Pairs of objects that may change places, of which the text tells.
pub(super) fn interchanges(
    stage: &Simulator,
    left_out: &[usize],
    rng: &mut ChaCha8Rng,
) -> Vec<Arc<Interchange>> {
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

/// By action, the situations in which it can be carried out, by their places.
struct AbleStarts(Vec<Vec<usize>>);

impl AbleStarts {
    fn of(stage: &mut Simulator, starts: &[Situation]) -> Result<AbleStarts, FactoryError> {
        let mut able = vec![Vec::new(); stage.engine.actions.len()];
        let all = stage.executable(&starts.iter().collect::<Vec<&Situation>>())?;
        for (start, executable) in all.into_iter().enumerate() {
            executable.into_iter().for_each(|action| able[action].push(start));
        }
        Ok(AbleStarts(able))
    }

    /// Those in which the first of some actions can be carried out.
    fn of_first(&self, plan: &[usize]) -> &[usize] {
        plan.first().map_or(&[], |action| &self.0[*action])
    }
}

/// What lists of actions leave of some initial situations.
fn follow(
    stage: &mut Simulator,
    (starts, able): (&[Situation], &AbleStarts),
    plans: Vec<Vec<usize>>,
) -> Result<Vec<TriedPlan>, FactoryError> {
    let tales: Vec<(&Situation, &[usize])> = plans
        .iter()
        .flat_map(|plan| able.of_first(plan).iter().map(|start| (&starts[*start], plan.as_slice())))
        .collect();
    let mut possible = stage.engine.possible(&tales)?.into_iter();
    let size = stage.engine.fluents.len();
    let left = |plan: &Vec<usize>| {
        let tried = able.of_first(plan).iter().copied().zip(possible.by_ref());
        let left: Vec<usize> = tried.filter(|(_, possible)| *possible).map(|(start, _)| start).collect();
        (2..=MOST_COMPLETIONS).contains(&left.len()).then(|| {
            let sure = Modality::of(size, left.iter().map(|start| &starts[*start]));
            StartsLeft { starts: left, sure }
        })
    };
    let all: Vec<Option<StartsLeft>> = plans.iter().map(left).collect();
    Ok(all.into_iter().zip(plans).map(|(left, plan)| TriedPlan { plan, left }).collect())
}

/// A situation for a story to begin in of which the same is told, and in which its actions can be carried out: that of the story
/// itself, if it will do.
fn begin(
    stage: &Simulator,
    story: &Story,
    (starts, left): (&[Situation], &StartsLeft),
    keep: Keep,
    rng: &mut ChaCha8Rng,
) -> Option<Situation> {
    let begun = || left.starts.iter().map(|start| &starts[*start]);
    if let Some(own) = begun().find(|start| **start == story.initial) {
        return Some(own.clone());
    }
    let others: Vec<&Situation> = begun().filter(|start| keep(&stage.key(start, &[]))).collect();
    others.choose(rng).map(|start| (*start).clone())
}
