//! Stories to others in which the same is done after other beginnings, told without the same objects: together they have three
//! questions with three answers.
//!
//! The other beginnings are that of a story with two objects in each other's places, neither of which the actions name. So much is
//! known of them without a search: as much is told of them, the same actions can be carried out, and what is sure then of one
//! object is what was sure of the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedMutRandom, IndexedRandom, IteratorRandom};

use crate::factory::error::FactoryError;
use crate::factory::further::crossing_twins::interchanges;
use crate::factory::further::matter::{AskedThings, PartMatter};
use crate::factory::further::partly::Modality;
use crate::factory::further::plan_twins::{
    AskedCourse, Keep, PLANS, TwinCourse, at_the_end, courses, modality,
};
use crate::factory::further::threes::Classes;
use crate::simulate::interchange::Interchange;
use crate::simulate::situation::{Outcome, Situation};
use crate::simulate::story::{Simulator, Story};

/// For how many questions of one story three twins are kept, where there are so many.
const HARVESTED: usize = 3;

/// A course, by its place, that begins with two objects in each other's places, if any.
type TurnedCourse<'p> = (usize, Option<&'p Arc<Interchange>>);

/// A question, by the number of its fluent or action, and three that answer it.
type ThreeTurned<'p> = (usize, [TurnedCourse<'p>; 3]);

/// Courses of a story that is told without some objects, so that three which do the same after other beginnings answer a question
/// in three ways, one of them at least otherwise than at the beginning: of a few questions three each. `starts` are the initial
/// situations that the text allows, and `keep` tells which worlds the courses may begin in beside that of the story.
pub(super) fn turned_courses(
    stage: &mut Simulator,
    (story, left_out): (&Story, &[usize]),
    (starts, keep): (&[Situation], Keep),
    sorts: &[AskedThings],
    rng: &mut ChaCha8Rng,
) -> Result<Vec<AskedCourse>, FactoryError> {
    let pairs = interchanges(stage, left_out, rng);
    if pairs.len() < 2 {
        return Ok(Vec::new());
    }
    let courses = courses(stage, story, left_out, (starts, PLANS), keep, rng)?;
    // Three beginnings are needed after which a course does the same.
    let keeping = |(_, plan): &TwinCourse| -> Vec<&Arc<Interchange>> {
        pairs.iter().filter(|pair| plan.iter().all(|action| pair.action(*action) == *action)).collect()
    };
    let (courses, kept): (Vec<TwinCourse>, Vec<Vec<&Arc<Interchange>>>) = courses
        .into_iter()
        .map(|course| (keeping(&course), course))
        .filter(|(kept, _)| kept.len() >= 2)
        .map(|(kept, course)| (course, kept))
        .unzip();
    if courses.is_empty() {
        return Ok(Vec::new());
    }
    let seen = at_the_end(stage, &courses, starts, sorts)?;
    let able = stage.executable(&starts.iter().collect::<Vec<&Situation>>())?;
    let first: Vec<Outcome> = starts
        .iter()
        .zip(able)
        .map(|(start, executable)| Outcome { situation: start.clone(), executable })
        .collect();
    let first = PartMatter::AT_THE_END.map(|matter| modality(&stage.engine, matter, &first));
    let mut found: BTreeMap<(PartMatter, &str), Vec<ThreeTurned>> = BTreeMap::new();
    for (place, seen) in seen.iter().enumerate() {
        let Some(seen) = seen else { continue };
        let turned = kept[place].iter().copied().map(Some);
        let turned: Vec<Option<&Arc<Interchange>>> = std::iter::once(None).chain(turned).collect();
        for (matter, things) in sorts {
            let terms = matter.terms(&stage.engine);
            let sure = [&seen[*matter as usize], &first[*matter as usize]];
            for thing in things {
                if let Some(three) = three(&turned, (*matter, *thing), sure, rng) {
                    let three = three.map(|turned| (place, turned));
                    found.entry((*matter, terms[*thing].functor())).or_default().push((*thing, three));
                }
            }
        }
    }
    // A kind of question as likely as any other.
    let mut kinds: Vec<(PartMatter, Vec<ThreeTurned>)> =
        found.into_iter().map(|((matter, _), all)| (matter, all)).collect();
    let mut wanted: Vec<AskedCourse> = Vec::new();
    for _ in 0..HARVESTED {
        let Some((matter, kind)) = kinds.choose_mut(rng) else { break };
        if let Some(place) = (0..kind.len()).choose(rng) {
            let (thing, three) = kind.swap_remove(place);
            wanted.extend(three.map(|(place, pair)| {
                let (start, plan) = courses[place].clone();
                let start = pair.map_or_else(|| start.clone(), |pair| pair.situation(&start));
                ((start, plan), (*matter, thing))
            }));
        }
        kinds.retain(|(_, all)| !all.is_empty());
    }
    Ok(wanted)
}

/// Of some beginnings three that answer a question in three ways, given what is sure at the end and at the beginning of the one that
/// the others come from.
fn three<'p>(
    turned: &[Option<&'p Arc<Interchange>>],
    (matter, thing): (PartMatter, usize),
    [now, before]: [&Modality; 2],
    rng: &mut ChaCha8Rng,
) -> Option<[Option<&'p Arc<Interchange>>; 3]> {
    let class_of = |pair: &Option<&Arc<Interchange>>| {
        let own = pair.map_or(thing, |pair| match matter {
            PartMatter::Action => pair.action(thing),
            PartMatter::Statement | PartMatter::Beginning => pair.fluent(thing),
        });
        let class = now.class(own);
        (class, before.class(own) != class)
    };
    let mut classes = Classes::default();
    turned.iter().map(class_of).for_each(|(class, is_changed)| classes.add(class, is_changed));
    if !classes.are_all() || classes.changed == 0 {
        return None;
    }
    let mut by_class: [Vec<Option<&Arc<Interchange>>>; 3] = Default::default();
    let mut changed: [Vec<Option<&Arc<Interchange>>>; 3] = Default::default();
    for pair in turned {
        let (class, is_changed) = class_of(pair);
        by_class[class].push(*pair);
        if is_changed {
            changed[class].push(*pair);
        }
    }
    let mut one = |class: usize| {
        let pool = if changed[class].is_empty() { &by_class[class] } else { &changed[class] };
        pool.choose(rng).copied()
    };
    Some([one(0)?, one(1)?, one(2)?])
}
