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
use crate::factory::further::crossing_twins::{Keep, crossing_courses};
use crate::factory::further::gathering::sayable;
use crate::factory::further::likewise::{likewise, others};
use crate::factory::further::matter::{PartMatter, is_of_three_answers};
use crate::factory::further::partly::{
    MOST_COMPLETIONS, MOST_STARTS, Modality, free_objects, left_out_count, told_fluents,
};
use crate::factory::further::plan_twins::{PLANS, TwinCourse, at_the_end, courses, modality, three_courses};
use crate::factory::further::threes::ToldApart;
use crate::language::words::lexicon::Lexicon;
use crate::phrases::book::FamilyPhrases;
use crate::simulate::narrative::completions::ToldStart;
use crate::simulate::narrative::partly::{has_invariants, names_any, naming};
use crate::simulate::situation::{BitSet, Outcome, Situation};
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Objects left out together that are tried for each story.
const LEFT_OUT_TRIED: usize = 2;
/// The same where questions are to cross, which few do; and how many objects are left out then, each number as often as it stands
/// here: in blocks, without three the text allows too much, and without one actions settle all or nothing.
const CROSSED_TRIED: usize = 6;
const CROSSED_OUT: [usize; 5] = [1, 2, 2, 2, 3];
/// Among how many.
const LEFT_OUT_DRAWN: usize = 8;
/// For how many questions of one story three twins are kept, where there are so many.
const HARVESTED: usize = 3;

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

/// A story that begins otherwise, told without some objects.
struct TwinTelling {
    initial: Situation,
    /// How many statements the text makes.
    stated: usize,
    /// The initial situations that the text allows, where they lead if the actions can be carried out, and what can be then.
    starts: Vec<Outcome>,
    ends: Vec<Outcome>,
}

/// What is asked about: the matter, and which actions or fluents.
type AskedThings = (PartMatter, Vec<usize>);

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
    let moved = match apart {
        ToldApart::Actions | ToldApart::Both => Vec::new(),
        ToldApart::Beginnings => others(stage, stories, rngs)?,
    };
    let things = |matter: PartMatter| match matter {
        PartMatter::Action => sayable.actions.iter().collect(),
        _ => sayable.fluents.clone(),
    };
    let sorts = PartMatter::AT_THE_END.into_iter().filter(|matter| sought.has(*matter));
    let sorts: Vec<AskedThings> = sorts.map(|matter| (matter, things(matter))).collect();
    let mut found: BTreeMap<usize, (Vec<usize>, Vec<TwinCourse>)> = BTreeMap::new();
    // One telling of each story after the other, until there are twins.
    loop {
        let open = tellings.iter_mut().enumerate();
        let open = open.filter(|(story, _)| tried[*story] < most && !found.contains_key(story));
        let round: Vec<Untold> = open.filter_map(|(_, tellings)| tellings.pop_front()).collect();
        if round.is_empty() {
            break;
        }
        let round = open_tellings(stage, round, stories)?;
        round.iter().for_each(|telling| tried[telling.story] += 1);
        let twins = match apart {
            ToldApart::Beginnings => {
                twins_of_beginnings(stage, &round, stories, (&moved, (&sorts, sought)), rngs)?
            }
            ToldApart::Actions | ToldApart::Both => {
                let mut twins = Vec::new();
                for Untold { story, left_out, all, .. } in &round {
                    let (of, rng) = ((stories[*story], &**left_out), &mut rngs[*story]);
                    twins.push(match apart {
                        ToldApart::Both => {
                            crossing_courses(stage, of, all, (&sayable.fluents, value, keep), rng)?
                        }
                        _ => other_courses(stage, of, (all, keep), &sorts, rng)?,
                    });
                }
                twins
            }
        };
        for (telling, courses) in round.into_iter().zip(twins) {
            if !courses.is_empty() {
                found.insert(telling.story, (telling.left_out, courses));
            }
        }
    }
    let mut twins: Vec<Vec<Story>> = vec![Vec::new(); stories.len()];
    for (number, (left_out, courses)) in found {
        let story = stories[number];
        for (initial, plan) in courses {
            let told = match initial == story.initial && plan == story.plan {
                true => Some(story.clone()),
                false => stage.retell(&initial, &plan, &[])?,
            };
            let told =
                told.filter(|told| told.initial == story.initial || keep(&stage.key(&told.initial, &[])));
            if let Some(mut told) = told {
                told.told_without = left_out.clone();
                twins[number].push(told);
            }
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
    let completed = stage.completer()?.completions(&told, MOST_STARTS)?;
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
    let free = free_objects(stage.layout());
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
            let id = |object: &usize| &*stage.layout().objects[*object].id;
            let ids: Vec<&str> = left_out.iter().map(id).collect();
            let others: Vec<&str> = free.iter().filter(|object| !left_out.contains(object)).map(id).collect();
            let naming = naming(&stage.engine.fluents, &ids);
            // What is left out of others as well.
            let hidden = naming.intersection(&stories[story].initial);
            let hidden = hidden.iter().filter(|f| names_any(&stage.engine.fluents[*f], &others)).count();
            let mut known = told.clone();
            known.take_out(&naming);
            drawn.push((hidden, left_out, known));
        }
        // What may have become of others is open where nothing is told of what has them.
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
) -> Result<Vec<TwinCourse>, FactoryError> {
    let may_be = |start: &&Situation| **start == story.initial || keep(&stage.key(start, &[]));
    let begun: Vec<Situation> = all.iter().filter(may_be).cloned().collect();
    let courses = courses(stage, story, left_out, (&begun, PLANS), rng)?;
    let seen = at_the_end(stage, &courses, all)?;
    let mut wanted: BTreeSet<usize> = BTreeSet::new();
    for (matter, things) in sorts {
        wanted.extend(three_courses(&stage.engine, (&courses, &seen), (*matter, things), rng));
    }
    Ok(wanted.into_iter().map(|place| courses[place].clone()).collect())
}

/// For some tellings, courses that do the same after other beginnings.
fn twins_of_beginnings(
    stage: &mut Simulator,
    round: &[Untold],
    stories: &[&Story],
    (moved, asked): (&[Vec<Situation>], (&[AskedThings], TwinsSought)),
    rngs: &mut [ChaCha8Rng],
) -> Result<Vec<Vec<TwinCourse>>, FactoryError> {
    let mut starts: Vec<Vec<Situation>> = Vec::new();
    for Untold { story, known, .. } in round {
        starts.push(likewise(stage, (stories[*story], known), &moved[*story], &mut rngs[*story])?);
    }
    let told: Vec<ToldStart> = round
        .iter()
        .zip(&starts)
        .flat_map(|(telling, starts)| starts.iter().map(|start| (telling.known.clone(), start)))
        .collect();
    let mut completed = stage.completer()?.completions(&told, MOST_STARTS)?.into_iter();
    let mut twins = Vec::new();
    for (Untold { story, known, .. }, starts) in round.iter().zip(&starts) {
        let completed: Vec<(&Situation, Vec<Situation>)> = starts
            .iter()
            .zip(completed.by_ref())
            .filter_map(|(start, all)| Some((start, all.filter(|all| all.len() > 1)?)))
            .collect();
        twins.push(other_beginnings(stage, (stories[*story], known), completed, asked, &mut rngs[*story])?);
    }
    Ok(twins)
}

/// Courses that do the same after other beginnings, so that three answer a question in three ways.
fn other_beginnings(
    stage: &mut Simulator,
    (story, known): (&Story, &BitSet),
    completed: Vec<(&Situation, Vec<Situation>)>,
    (sorts, sought): (&[AskedThings], TwinsSought),
    rng: &mut ChaCha8Rng,
) -> Result<Vec<TwinCourse>, FactoryError> {
    if completed.len() < 3 {
        return Ok(Vec::new());
    }
    let variants = variants(stage, (story, known), completed, sought)?;
    let own = variants.iter().position(|variant| variant.initial == story.initial);
    let mut wanted: BTreeSet<usize> = BTreeSet::new();
    for (matter, things) in sorts {
        wanted.extend(threes(&stage.engine, (&variants, own), (*matter, things), rng));
    }
    Ok(wanted.into_iter().map(|place| (variants[place].initial.clone(), story.plan.clone())).collect())
}

/// What some initial situations of a story come to, told without some objects: those that leave something open.
fn variants(
    stage: &mut Simulator,
    (story, known): (&Story, &BitSet),
    told: Vec<(&Situation, Vec<Situation>)>,
    sought: TwinsSought,
) -> Result<Vec<TwinTelling>, FactoryError> {
    let starts: Vec<&Situation> = told.iter().flat_map(|(_, starts)| starts).collect();
    let mut can = match sought.has(PartMatter::Action) {
        true => stage.executable(&starts)?,
        false => vec![Vec::new(); starts.len()],
    }
    .into_iter();
    let tales: Vec<(&Situation, &[usize])> = told
        .iter()
        .flat_map(|(_, starts)| starts.iter().map(|start| (start, story.plan.as_slice())))
        .collect();
    let mut ends = stage.engine.plays(&tales)?.into_iter();
    let mut found = Vec::new();
    for (initial, starts) in &told {
        let count = starts.len();
        let able = starts.iter().cloned().zip(can.by_ref().take(count));
        let starts = able.map(|(situation, executable)| Outcome { situation, executable }).collect();
        let ends: Vec<Outcome> = ends.by_ref().take(count).flatten().collect();
        if (2..=MOST_COMPLETIONS).contains(&ends.len()) {
            let stated = known.intersection(initial).iter().count();
            found.push(TwinTelling { initial: (*initial).clone(), stated, starts, ends });
        }
    }
    Ok(found)
}

/// The places of variants of which three answer a question in three ways, as many statements being told of each, and one of them
/// at least otherwise than at the beginning: of a few questions three each. None where there are no such.
fn threes(
    engine: &TransitionSystem,
    (variants, own): (&[TwinTelling], Option<usize>),
    (matter, things): (PartMatter, &[usize]),
    rng: &mut ChaCha8Rng,
) -> Vec<usize> {
    let seen: Vec<[Modality; 2]> =
        variants.iter().map(|v| [&v.ends, &v.starts].map(|all| modality(engine, matter, all))).collect();
    let mut counts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    variants.iter().enumerate().for_each(|(place, v)| counts.entry(v.stated).or_default().push(place));
    let terms = matter.terms(engine);
    let mut found: BTreeMap<&str, Vec<Vec<usize>>> = BTreeMap::new();
    for places in counts.values().filter(|places| places.len() > 2) {
        for thing in things {
            let mut by_class: [Vec<usize>; 3] = Default::default();
            let mut changed: [Vec<usize>; 3] = Default::default();
            for place in places {
                let [now, before] = &seen[*place];
                let class = now.class(*thing);
                by_class[class].push(*place);
                if before.class(*thing) != class {
                    changed[class].push(*place);
                }
            }
            if by_class.iter().any(Vec::is_empty) || changed.iter().all(Vec::is_empty) {
                continue;
            }
            let chosen = (0..3).filter_map(|class| {
                let pool = if changed[class].is_empty() { &by_class[class] } else { &changed[class] };
                // The story itself, where it will do.
                own.filter(|own| pool.contains(own)).or_else(|| pool.choose(rng).copied())
            });
            found.entry(terms[*thing].functor()).or_default().push(chosen.collect());
        }
    }
    // A kind of question as likely as any other.
    let mut kinds: Vec<Vec<Vec<usize>>> = found.into_values().collect();
    let mut wanted = Vec::new();
    for _ in 0..HARVESTED {
        let Some(kind) = (0..kinds.len()).choose(rng) else { break };
        let three = (0..kinds[kind].len()).choose(rng).map(|place| kinds[kind].swap_remove(place));
        wanted.extend(three.into_iter().flatten());
        kinds.retain(|all| !all.is_empty());
    }
    wanted
}
