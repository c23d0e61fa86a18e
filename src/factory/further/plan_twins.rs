//! Stories to others of whose beginning the text says the same, and in which other things are done: together they have three
//! questions with three answers.
//!
//! Who sees the question and all that is told of the beginning, but not the actions, is right about one of the three.

use std::collections::BTreeMap;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::error::FactoryError;
use crate::factory::further::matter::{AskedThing, AskedThings, PartMatter};
use crate::factory::further::partly::{MOST_COMPLETIONS, Modality};
use crate::simulate::narrative::partly::names_any;
use crate::simulate::situation::{BitSet, Outcome, Situation};
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How many lists of actions are drawn beside that of a story.
pub(super) const PLANS: usize = 32;
/// In how many situations of those that the text allows they begin.
const BEGUN: usize = 5;
/// How often an action is one that names what is left out, where there is such.
const TOUCHES: f64 = 0.5;
/// How many questions are looked at, each with how many choices of three lists of actions.
const QUESTIONS: usize = 8;
const CHOICES: usize = 16;

/// Tells which worlds a split may have.
pub(crate) type Keep<'k> = &'k dyn Fn(&str) -> bool;

/// By answer, the places of courses.
type ByAnswer = [Vec<usize>; 3];

/// What is sure of each matter that is asked about the end.
pub(super) type SureThings = [Modality; PartMatter::AT_THE_END.len()];

/// A beginning that the text allows, and what is done from there.
pub(super) type TwinCourse = (Situation, Vec<usize>);

/// One of those that go together, with what is asked about them.
pub(super) type AskedCourse = (TwinCourse, AskedThing);

/// Courses of as many actions as a story that is told without some objects, its own first: each begins in one of the initial
/// situations that the text allows. Beside it so many are drawn as is said.
pub(super) fn courses(
    stage: &mut Simulator,
    story: &Story,
    left_out: &[usize],
    (starts, count): (&[Situation], usize),
    keep: Keep,
    rng: &mut ChaCha8Rng,
) -> Result<Vec<TwinCourse>, FactoryError> {
    let ids: Vec<&str> = left_out.iter().map(|object| &*stage.layout().objects[*object].id).collect();
    let named: Vec<bool> = stage.engine.actions.iter().map(|action| names_any(action, &ids)).collect();
    let mut found = vec![(story.initial.clone(), story.plan.clone())];
    let mut starts: Vec<&Situation> = starts.iter().collect();
    starts.shuffle(rng);
    let may_be = |start: &&Situation| **start == story.initial || keep(&stage.key(start, &[]));
    let starts: Vec<&Situation> = starts.into_iter().filter(may_be).take(BEGUN).collect();
    if starts.is_empty() {
        return Ok(found);
    }
    let able = stage.executable(&starts)?;
    let mut walks: Vec<(usize, Outcome, Vec<usize>)> = Vec::new();
    for _ in 0..count {
        let start = rng.random_range(0..starts.len());
        let here = Outcome { situation: starts[start].clone(), executable: able[start].clone() };
        walks.push((start, here, Vec::new()));
    }
    for _ in 0..story.plan.len() {
        walks.retain_mut(|(_, here, plan)| {
            let touching: Vec<usize> = here.executable.iter().copied().filter(|a| named[*a]).collect();
            let pool =
                if rng.random_bool(TOUCHES) && !touching.is_empty() { &touching } else { &here.executable };
            plan.extend(pool.choose(rng));
            !pool.is_empty()
        });
        let steps = walks.iter().filter_map(|(_, here, plan)| Some((&here.situation, *plan.last()?)));
        let mut next = stage.engine.steps(&steps.collect::<Vec<_>>())?.into_iter();
        walks.retain_mut(|(_, here, _)| next.next().flatten().map(|outcome| *here = outcome).is_some());
    }
    found.extend(walks.into_iter().map(|(start, _, plan)| (starts[start].clone(), plan)));
    let mut met: Vec<Vec<usize>> = Vec::new();
    found.retain(|(_, plan)| {
        let is_new = !met.contains(plan);
        met.push(plan.clone());
        is_new
    });
    Ok(found)
}

/// What is sure at the end of each of some courses, whichever of the initial situations that the text allows was the true one.
/// None where that is too little or too much.
pub(super) fn at_the_end(
    stage: &mut Simulator,
    courses: &[TwinCourse],
    starts: &[Situation],
    sorts: &[AskedThings],
) -> Result<Vec<Option<SureThings>>, FactoryError> {
    let tales: Vec<(&Situation, &[usize])> =
        courses.iter().flat_map(|(_, plan)| starts.iter().map(|start| (start, plan.as_slice()))).collect();
    let of_actions = sorts.iter().any(|(matter, _)| *matter == PartMatter::Action);
    let bare = |situation: Situation| Outcome { situation, executable: Vec::new() };
    let ends: Vec<Option<Outcome>> = match of_actions {
        true => stage.engine.plays(&tales)?,
        false => stage.engine.plays_to(&tales)?.into_iter().map(|end| end.map(bare)).collect(),
    };
    let mut ends = ends.into_iter();
    let engine = &stage.engine;
    let seen = courses.iter().map(|_| {
        let ends: Vec<Outcome> = ends.by_ref().take(starts.len()).flatten().collect();
        let sure = |matter: PartMatter| modality(engine, matter, &ends);
        (2..=MOST_COMPLETIONS).contains(&ends.len()).then(|| PartMatter::AT_THE_END.map(sure))
    });
    Ok(seen.collect())
}

/// What is so in all of some situations, in some, and in none: of fluents, or of what can be carried out.
pub(super) fn modality(engine: &TransitionSystem, matter: PartMatter, all: &[Outcome]) -> Modality {
    let size = matter.terms(engine).len();
    match matter {
        PartMatter::Statement | PartMatter::Beginning => {
            Modality::of(size, all.iter().map(|outcome| &outcome.situation))
        }
        PartMatter::Action => {
            let sets: Vec<BitSet> = all.iter().map(|outcome| BitSet::of(size, &outcome.executable)).collect();
            Modality::of(size, sets.iter())
        }
    }
}

/// A question that three courses answer in three ways, with their places; none where there are no such. Where there is a choice
/// they do things of the same kinds, and name what is asked about equally often.
pub(super) fn three_courses(
    engine: &TransitionSystem,
    (courses, seen): (&[TwinCourse], &[Option<SureThings>]),
    (matter, things): (PartMatter, &[usize]),
    rng: &mut ChaCha8Rng,
) -> Option<(usize, [usize; 3])> {
    let terms = matter.terms(engine);
    let mut by_functor: BTreeMap<&str, Vec<(usize, ByAnswer)>> = BTreeMap::new();
    for thing in things {
        let mut by_class: ByAnswer = Default::default();
        for (place, seen) in seen.iter().enumerate() {
            if let Some(seen) = seen {
                by_class[seen[matter as usize].class(*thing)].push(place);
            }
        }
        if by_class.iter().all(|places| !places.is_empty()) {
            by_functor.entry(terms[*thing].functor()).or_default().push((*thing, by_class));
        }
    }
    // A kind of question as likely as any other.
    let kinds: Vec<&Vec<(usize, ByAnswer)>> = by_functor.values().collect();
    let kind = kinds.choose(rng)?;
    let mut best: Option<(usize, (usize, [usize; 3]))> = None;
    for (thing, by_class) in kind.sample(rng, QUESTIONS) {
        let objects = terms[*thing].args();
        let names = |place: usize| {
            let own =
                |action: &&usize| engine.actions[**action].args().iter().any(|arg| objects.contains(arg));
            courses[place].1.iter().filter(own).count()
        };
        let kinds = |place: usize| {
            let mut kinds: Vec<&str> =
                courses[place].1.iter().map(|action| engine.actions[*action].functor()).collect();
            kinds.sort_unstable();
            kinds
        };
        for _ in 0..CHOICES {
            let [Some(yes), Some(no), Some(open)] = by_class.each_ref().map(|places| places.choose(rng))
            else {
                continue;
            };
            let three = [*yes, *no, *open];
            let named = three.map(names);
            let spread = named.iter().max().zip(named.iter().min()).map_or(0, |(most, least)| most - least);
            let other = three[1..].iter().filter(|place| kinds(**place) != kinds(three[0])).count();
            let cost = spread + other;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, (*thing, three)));
            }
        }
    }
    best.map(|(_, three)| three)
}
