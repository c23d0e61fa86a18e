//! Stories to others that begin otherwise and in which other things are done, so that four of them cross: asked whether something
//! was so at first, two give one settled answer, and crosswise two leave it open.
//!
//! Each of the two beginnings has each answer once, and so has each of the two lists of actions: whoever sees the question and one
//! of them without the other is right half the time.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::error::FactoryError;
use crate::factory::further::crossing::OPEN;
use crate::factory::further::partly::{MOST_COMPLETIONS, Modality, played};
use crate::factory::further::plan_twins::{TwinCourse, courses};
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How many beginnings and lists of actions of one story are compared.
const BEGINNINGS: usize = 16;
const PLANS: usize = 48;
/// How many times a list of actions is followed from a situation, unless fewer lists than some would be left.
const FOLLOWED: usize = 24_000;
const LEAST_PLANS: usize = 8;
/// How many fours of one answer are looked at to find such that the split may have, and how many of these are kept.
const LOOKED_AT: usize = 16;
const KEPT: usize = 4;

/// A beginning of which the same objects are left out as of others.
pub(super) struct ToldBeginning<'b> {
    /// What is told of it.
    pub(super) stated: BitSet,
    /// How it was.
    pub(super) initial: &'b Situation,
    /// The initial situations that the text allows.
    pub(super) starts: Vec<Situation>,
}

/// What the actions that are told leave of the initial situations that the text allows.
struct Followed {
    /// Those that are left, by their places.
    left: Vec<usize>,
    /// What was so in them.
    sure: Modality,
}

/// By beginning and list of actions; none where too little is left, or too much.
type AllFollowed = Vec<Vec<Option<Followed>>>;

/// Two beginnings, by their places, and a fluent about which questions cross.
type Crossed = (usize, usize, usize);

/// Tells which worlds a split may have.
type Keep<'k> = &'k dyn Fn(&str) -> bool;

/// Courses of a story that is told without some objects, of which four cross that are settled as yes, and four that are as no,
/// where there are such. `keep` tells which worlds they may begin in beside that of the story.
pub(super) fn crossing_courses(
    stage: &mut Simulator,
    (story, left_out): (&Story, &[usize]),
    mut told: Vec<ToldBeginning>,
    (fluents, keep): (&[usize], Keep),
    rng: &mut ChaCha8Rng,
) -> Result<Vec<TwinCourse>, FactoryError> {
    let mut met: BTreeSet<BitSet> = BTreeSet::new();
    told.retain(|one| met.insert(one.stated.clone()));
    // The first is that of the story.
    if let Some((_, others)) = told.split_first_mut() {
        others.shuffle(rng);
    }
    told.truncate(BEGINNINGS);
    if told.len() < 2 {
        return Ok(Vec::new());
    }
    let starts: Vec<Situation> = told.iter().map(|one| one.initial.clone()).collect();
    let situations: usize = told.iter().map(|one| one.starts.len()).sum();
    let count = (FOLLOWED / situations.max(1)).clamp(LEAST_PLANS, PLANS);
    let courses = courses(stage, story, left_out, (&starts, count), rng)?;
    let plans: Vec<Vec<usize>> = courses.into_iter().map(|(_, plan)| plan).collect();
    let followed = follow(stage, &told, &plans)?;
    let found = crossed(&stage.engine, &told, (&followed, plans.len()), fluents);
    let mut wanted: BTreeSet<TwinCourse> = BTreeSet::new();
    for (value, by_functor) in found.iter().enumerate() {
        // A kind of question as likely as any other.
        let kinds: Vec<&Vec<Crossed>> = by_functor.values().collect();
        let Some(kind) = kinds.choose(rng) else { continue };
        let mut kept = 0;
        for (one, two, fluent) in kind.sample(rng, LOOKED_AT) {
            let first = apart(&followed, (*one, *two), *fluent, value);
            let second = apart(&followed, (*two, *one), *fluent, value);
            let (Some(first), Some(second)) = (first.choose(rng), second.choose(rng)) else { continue };
            let mut begun = |(beginning, plan): (usize, usize)| {
                let followed = followed[beginning][plan].as_ref()?;
                let begin = begin(stage, (story, &told[beginning]), followed, keep, rng)?;
                Some((begin, plans[plan].clone()))
            };
            let four = [(*one, *first), (*two, *first), (*one, *second), (*two, *second)];
            let four: Option<Vec<TwinCourse>> = four.into_iter().map(&mut begun).collect();
            if let Some(four) = four {
                wanted.extend(four);
                kept += 1;
            }
            if kept == KEPT {
                break;
            }
        }
    }
    Ok(wanted.into_iter().collect())
}

/// What all lists of actions leave of all beginnings.
fn follow(
    stage: &mut Simulator,
    told: &[ToldBeginning],
    plans: &[Vec<usize>],
) -> Result<AllFollowed, FactoryError> {
    let tales: Vec<(&Situation, &[usize])> = told
        .iter()
        .flat_map(|one| plans.iter().flat_map(|plan| one.starts.iter().map(|start| (start, plan.as_slice()))))
        .collect();
    let mut ends = played(&mut stage.engine, &tales)?.into_iter();
    let size = stage.engine.fluents.len();
    let mut follow = |one: &ToldBeginning| {
        let able = (0..one.starts.len()).zip(ends.by_ref()).filter(|(_, end)| end.is_some());
        let left: Vec<usize> = able.map(|(start, _)| start).collect();
        let sure = Modality::of(size, left.iter().map(|start| &one.starts[*start]));
        (2..=MOST_COMPLETIONS).contains(&left.len()).then_some(Followed { left, sure })
    };
    Ok(told.iter().map(|one| plans.iter().map(|_| follow(one)).collect()).collect())
}

/// By the answer that is settled and the functor, all that crosses.
fn crossed<'e>(
    engine: &'e TransitionSystem,
    told: &[ToldBeginning],
    (followed, plans): (&AllFollowed, usize),
    fluents: &[usize],
) -> [BTreeMap<&'e str, Vec<Crossed>>; OPEN as usize] {
    let open: Vec<Modality> =
        told.iter().map(|one| Modality::of(engine.fluents.len(), one.starts.iter())).collect();
    let mut found: [BTreeMap<&str, Vec<Crossed>>; OPEN as usize] = Default::default();
    for one in 0..told.len() {
        for two in one + 1..told.len() {
            // What two beginnings are good for together: lists of actions that leave something of both.
            if !(0..plans).any(|plan| followed[one][plan].is_some() && followed[two][plan].is_some()) {
                continue;
            }
            for fluent in fluents.iter().copied().filter(|f| open[one].is_open(*f) && open[two].is_open(*f)) {
                for (value, found) in found.iter_mut().enumerate() {
                    let crosses = [(one, two), (two, one)]
                        .into_iter()
                        .all(|pair| !apart(followed, pair, fluent, value).is_empty());
                    if crosses {
                        let functor = engine.fluents[fluent].functor();
                        found.entry(functor).or_default().push((one, two, fluent));
                    }
                }
            }
        }
    }
    found
}

/// The lists of actions that settle something of one beginning, and leave it open of another.
fn apart(followed: &AllFollowed, (one, two): (usize, usize), fluent: usize, value: usize) -> Vec<usize> {
    let class = |all: &Option<Followed>| all.as_ref().map(|followed| followed.sure.class(fluent));
    let both = followed[one].iter().zip(&followed[two]).enumerate();
    let apart =
        both.filter(|(_, (here, there))| class(here) == Some(value) && class(there) == Some(OPEN as usize));
    apart.map(|(plan, _)| plan).collect()
}

/// A situation for a story to begin in of which the same is told, and in which its actions can be carried out: that of the
/// beginning, if it will do.
fn begin(
    stage: &Simulator,
    (story, told): (&Story, &ToldBeginning),
    followed: &Followed,
    keep: Keep,
    rng: &mut ChaCha8Rng,
) -> Option<Situation> {
    let may_be = |start: &&Situation| **start == story.initial || keep(&stage.key(start, &[]));
    let left = || followed.left.iter().map(|start| &told.starts[*start]);
    let own = left().find(|start| *start == told.initial).filter(may_be);
    own.cloned().or_else(|| {
        let others: Vec<&Situation> = left().filter(may_be).collect();
        others.choose(rng).map(|start| (*start).clone())
    })
}
