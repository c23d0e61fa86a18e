//! Stories to others that go with them, of which the same is left out: together they have three questions with three answers.
//!
//! Among stories that were drawn for themselves such questions are found by chance, which in large worlds hardly happens. Some
//! twins do the same, and name the same, so that nothing but what is told of the initial situation makes their answers others.
//! Of other twins the same is told, and they do other things. Of some others there are four, of two beginnings and two lists of
//! actions, whose questions cross.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, IteratorRandom};

use crate::domain::package::Package;
use crate::factory::error::FactoryError;
use crate::factory::further::crossing_twins::crossing_courses;
use crate::factory::further::gathering::sayable;
use crate::factory::further::matter::{AskedThing, AskedThings, PartMatter, is_of_three_answers};
use crate::factory::further::partly::{MOST_STARTS, free_objects, left_out_count, told_fluents};
use crate::factory::further::plan_twins::{
    AskedCourse, Keep, PLANS, TwinCourse, at_the_end, courses, three_courses,
};
use crate::factory::further::threes::ToldApart;
use crate::factory::further::turned_twins::turned_courses;
use crate::language::words::lexicon::Lexicon;
use crate::phrases::book::FamilyPhrases;
use crate::simulate::narrative::completions::ToldStart;
use crate::simulate::narrative::partly::has_invariants;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::story::{Simulator, Story, TwinTelling};

/// Objects left out together that are tried for each story.
const LEFT_OUT_TRIED: usize = 2;
/// The same where questions are to cross, which few do; and how many objects are left out then, each number as often as it stands
/// here: in blocks, without three the text allows too much, and without one actions settle all or nothing.
const CROSSED_TRIED: usize = 6;
const CROSSED_OUT: [usize; 8] = [1, 2, 2, 2, 2, 2, 2, 3];
/// Among how many.
const LEFT_OUT_DRAWN: usize = 8;

/// Which twins are sought: for questions about which matters, by their numbers.
#[derive(Clone, Copy, Default)]
pub(crate) struct TwinsSought([bool; PartMatter::ALL.len()]);

impl TwinsSought {
    /// What some families of a package are asked about, if stories of it may be told in part at all.
    pub(crate) fn of<'f>(
        package: &Package,
        families: impl Iterator<Item = &'f FamilyPhrases>,
    ) -> Option<TwinsSought> {
        let mut sought = TwinsSought::default();
        for family in families.filter(|family| is_of_three_answers(family)) {
            sought.0[PartMatter::of(family) as usize] = true;
        }
        (sought.0.contains(&true) && has_invariants(package) && !package.has_outcomes).then_some(sought)
    }

    fn has(self, matter: PartMatter) -> bool {
        self.0[matter as usize]
    }
}

/// A story told without some objects, and what is told then.
struct Untold {
    /// The story, by its place.
    story: usize,
    left_out: Vec<usize>,
    known: BitSet,
    /// The initial situations that the text allows.
    all: Vec<Situation>,
}

/// For each story the twins among which there are three questions with different answers, or four that cross, told without the
/// same objects, and told apart as is said: of each sort that is sought three, and of fours those whose settled answer is `value`,
/// if that is said. The story itself, where it is among them, comes once more, since it is then told without these objects, too.
pub(crate) fn part_twins(
    stage: &mut Simulator,
    (package, lexicon): (&Package, &Lexicon),
    stories: &[&Story],
    (sought, apart, value): (TwinsSought, ToldApart, Option<u32>),
    keep: Keep,
    rngs: &mut [ChaCha8Rng],
) -> Result<Vec<Vec<Story>>, FactoryError> {
    let sayable = sayable(package, lexicon, &stage.engine);
    let mut tellings = untold(stage, &told_fluents(package, &sayable), stories, apart, rngs);
    let most = if apart == ToldApart::Both { CROSSED_TRIED } else { LEFT_OUT_TRIED };
    let mut tried = vec![0; stories.len()];
    let things = |matter: PartMatter| match matter {
        PartMatter::Action => sayable.actions.iter().collect(),
        _ => sayable.fluents.clone(),
    };
    let sorts = PartMatter::AT_THE_END.into_iter().filter(|matter| sought.has(*matter));
    let sorts: Vec<AskedThings> = sorts.map(|matter| (matter, things(matter))).collect();
    let mut found: BTreeMap<usize, (Vec<usize>, Vec<AskedCourse>)> = BTreeMap::new();
    // One telling of each story after the other, until there are twins.
    loop {
        let open = tellings.iter_mut().enumerate();
        let open = open.filter(|(story, _)| tried[*story] < most && !found.contains_key(story));
        let round: Vec<Untold> = open.filter_map(|(_, tellings)| tellings.pop_front()).collect();
        if round.is_empty() {
            break;
        }
        for Untold { story, left_out, all, .. } in open_tellings(stage, round, stories)? {
            tried[story] += 1;
            let (of, rng) = ((stories[story], &*left_out), &mut rngs[story]);
            let twins = match apart {
                ToldApart::Beginnings => turned_courses(stage, of, (&all, keep), &sorts, rng)?,
                ToldApart::Actions => other_courses(stage, of, (&all, keep), &sorts, rng)?,
                ToldApart::Both => crossing_courses(stage, of, &all, (&sayable.fluents, value, keep), rng)?,
            };
            if !twins.is_empty() {
                found.insert(story, (left_out, twins));
            }
        }
    }
    let mut wanted: Vec<(usize, Vec<usize>, TwinCourse, BTreeSet<AskedThing>)> = Vec::new();
    for (number, (left_out, courses)) in found {
        let mut asked: BTreeMap<TwinCourse, BTreeSet<AskedThing>> = BTreeMap::new();
        for (course, thing) in courses {
            asked.entry(course).or_default().insert(thing);
        }
        wanted.extend(asked.into_iter().map(|(course, things)| (number, left_out.clone(), course, things)));
    }
    let tales: Vec<(&Situation, &[usize])> =
        wanted.iter().map(|(_, _, (initial, plan), _)| (initial, &**plan)).collect();
    let told = stage.retell_all(&tales, &[])?;
    let mut twins: Vec<Vec<Story>> = vec![Vec::new(); stories.len()];
    for ((number, left_out, _, things), told) in wanted.into_iter().zip(told) {
        let story = stories[number];
        let told = told.map(|told| match told.initial == story.initial && told.plan == story.plan {
            true => story.clone(),
            false => told,
        });
        let told = told.filter(|told| told.initial == story.initial || keep(&told.world));
        if let Some(mut told) = told {
            // Lists of actions that come after one beginning are told apart by other questions as well.
            let things = if apart == ToldApart::Actions { BTreeSet::new() } else { things };
            let (actions, fluents): (Vec<AskedThing>, Vec<AskedThing>) =
                things.into_iter().partition(|(matter, _)| *matter == PartMatter::Action);
            let [actions, fluents] = [actions, fluents].map(|all| all.into_iter().map(|(_, n)| n).collect());
            told.twin = Some(TwinTelling { left_out, fluents, actions });
            twins[number].push(told);
        }
    }
    Ok(twins)
}

/// Those of some tellings whose text leaves something open, but not too much: then it is likely that other texts with the same left
/// out do, too.
fn open_tellings(
    stage: &mut Simulator,
    tellings: Vec<Untold>,
    stories: &[&Story],
) -> Result<Vec<Untold>, FactoryError> {
    let told: Vec<ToldStart> =
        tellings.iter().map(|telling| (telling.known.clone(), &stories[telling.story].initial)).collect();
    let completed = stage.completer()?.few_completions(&told, MOST_STARTS)?;
    let both = tellings.into_iter().zip(completed);
    let open =
        both.filter_map(|(telling, all)| Some(Untold { all: all.filter(|all| all.len() > 1)?, ..telling }));
    Ok(open.collect())
}

/// For each story ways to tell it without some objects, those first that leave more open.
fn untold(
    stage: &Simulator,
    told: &BitSet,
    stories: &[&Story],
    apart: ToldApart,
    rngs: &mut [ChaCha8Rng],
) -> Vec<VecDeque<Untold>> {
    let (free, naming) = (free_objects(stage.layout()), stage.naming());
    let mut tellings = Vec::new();
    for (story, rng) in rngs.iter_mut().enumerate() {
        let mut drawn: Vec<(usize, Vec<usize>, BitSet)> = Vec::new();
        for _ in 0..LEFT_OUT_DRAWN {
            let count = match apart {
                ToldApart::Both => CROSSED_OUT.choose(rng).copied().unwrap_or(2),
                _ => left_out_count(rng),
            };
            let mut left_out: Vec<usize> = free.iter().copied().sample(rng, count);
            left_out.sort_unstable();
            if left_out.is_empty() || drawn.iter().any(|(_, known, _)| *known == left_out) {
                continue;
            }
            // What is left out of others as well.
            let (own, others): (Vec<usize>, Vec<usize>) =
                free.iter().partition(|object| left_out.contains(object));
            let names = |all: &[usize], fluent: usize| all.iter().any(|one| naming[*one].contains(fluent));
            let hidden =
                stories[story].initial.iter().filter(|f| names(&own, *f) && names(&others, *f)).count();
            let mut known = told.clone();
            left_out.iter().for_each(|object| known.take_out(&naming[*object]));
            drawn.push((hidden, left_out, known));
        }
        // What may have become of others is open where nothing is told of what has them. Of these alone other beginnings tell
        // otherwise.
        if apart == ToldApart::Beginnings {
            drawn.retain(|(hidden, ..)| *hidden > 0);
        }
        drawn.sort_by_key(|(hidden, ..)| usize::MAX - hidden);
        let untold = |(_, left_out, known)| Untold { story, left_out, known, all: Vec::new() };
        tellings.push(drawn.into_iter().map(untold).collect());
    }
    tellings
}

/// Courses of which the same is told of the beginning, so that three answer a question in three ways; they begin in some of all the
/// situations that the text allows.
fn other_courses(
    stage: &mut Simulator,
    (story, left_out): (&Story, &[usize]),
    (all, keep): (&[Situation], Keep),
    sorts: &[AskedThings],
    rng: &mut ChaCha8Rng,
) -> Result<Vec<AskedCourse>, FactoryError> {
    let courses = courses(stage, story, left_out, (all, PLANS), keep, rng)?;
    let seen = at_the_end(stage, &courses, all, sorts)?;
    let mut wanted: Vec<AskedCourse> = Vec::new();
    for (matter, things) in sorts {
        if let Some((thing, three)) = three_courses(&stage.engine, (&courses, &seen), (*matter, things), rng)
        {
            wanted.extend(three.map(|place| (courses[place].clone(), (*matter, thing))));
        }
    }
    Ok(wanted)
}
