//! Stories to other situations that they may begin in and of which as much is told; of some, their actions can be carried out there.

use std::collections::BTreeSet;

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::error::FactoryError;
use crate::simulate::error::SimulationError;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How many walks away from an initial situation are begun, and how many actions each has.
const WALKS: usize = 8;
const WALKED: usize = 3;
/// How many situations are looked at in which something is elsewhere: one fluent is true in place of another; and how many in
/// which two things are.
const MOVED: usize = 384;
const MOVED_TWICE: usize = 64;
/// How many initial situations of one story are compared.
const COMPARED: usize = 28;

/// For each story other situations that may be initial ones: those to which walks lead, and those in which something is
/// elsewhere. Its actions may be impossible there.
pub(super) fn others(
    stage: &mut Simulator,
    stories: &[&Story],
    rngs: &mut [ChaCha8Rng],
) -> Result<Vec<Vec<Situation>>, FactoryError> {
    let inertial = stage.engine.inertial.clone();
    let mut begun: Vec<(usize, Situation)> = Vec::new();
    for (number, (story, rng)) in stories.iter().zip(rngs.iter_mut()).enumerate() {
        let start = story.initial.intersection(&inertial);
        begun.extend(elsewhere(&stage.engine, &start, rng).into_iter().map(|moved| (number, moved)));
    }
    // Walks away from the beginning, all at once.
    let mut walks: Vec<(usize, Situation, Vec<usize>)> = Vec::new();
    for (number, story) in stories.iter().enumerate() {
        walks.extend((0..WALKS).map(|_| (number, story.initial.clone(), story.possible.clone())));
    }
    for _ in 0..WALKED {
        let drawn: Vec<Option<usize>> =
            walks.iter().map(|(number, _, can)| can.choose(&mut rngs[*number]).copied()).collect();
        let going: Vec<(&Situation, usize)> =
            walks.iter().zip(&drawn).filter_map(|((_, here, _), action)| Some((here, (*action)?))).collect();
        let mut outcomes = stage.engine.steps(&going)?.into_iter();
        for ((number, here, can), action) in walks.iter_mut().zip(&drawn) {
            if action.is_some()
                && let Some(outcome) = outcomes.next().flatten()
            {
                (*here, *can) = (outcome.situation, outcome.executable);
                begun.push((*number, here.intersection(&inertial)));
            }
        }
    }
    let mut met: BTreeSet<(usize, Situation)> = BTreeSet::new();
    begun.retain(|one| met.insert(one.clone()));
    let whole = legal(stage, begun.iter().map(|(_, start)| start.clone()).collect())?;
    let mut found: Vec<Vec<Situation>> = vec![Vec::new(); stories.len()];
    for ((number, _), whole) in begun.iter().zip(whole) {
        found[*number].extend(whole.filter(|whole| *whole != stories[*number].initial));
    }
    Ok(found)
}

/// All that is true in situations that may be initial ones, given what persists in them; none for others.
fn legal(stage: &mut Simulator, starts: Vec<Situation>) -> Result<Vec<Option<Situation>>, FactoryError> {
    let legal = stage.legality()?.of(&starts).map_err(SimulationError::from)?;
    let asked: Vec<(&Situation, Option<usize>)> =
        starts.iter().zip(&legal).filter(|(_, legal)| **legal).map(|(start, _)| (start, None)).collect();
    let mut whole = stage.engine.sheets(&asked)?.into_iter();
    let mut next = |legal: bool| if legal { whole.next().flatten() } else { None };
    Ok(legal.into_iter().map(|legal| next(legal).map(|(outcome, _)| outcome.situation)).collect())
}

/// Initial situations of a story, its own first, from which its actions can be carried out, and of which the text makes as many
/// statements.
pub(super) fn likewise(
    stage: &mut Simulator,
    (story, known): (&Story, &BitSet),
    moved: &[Situation],
    rng: &mut ChaCha8Rng,
) -> Result<Vec<Situation>, FactoryError> {
    let all = alike(stage, (story, known), moved, rng)?;
    let tales: Vec<(&Situation, &[usize])> = all.iter().map(|start| (start, story.plan.as_slice())).collect();
    let ends = stage.engine.plays(&tales)?;
    let mut able: Vec<Situation> =
        all.into_iter().zip(ends).filter(|(_, end)| end.is_some()).map(|(start, _)| start).collect();
    able.dedup();
    able.truncate(2 * COMPARED);
    Ok(able)
}

/// Initial situations of which the text makes as many statements as of that of a story, which is the first of them, but others:
/// those in which something is elsewhere, or two things, of which one adds a statement and the other takes one away.
pub(super) fn alike(
    stage: &mut Simulator,
    (story, known): (&Story, &BitSet),
    moved: &[Situation],
    rng: &mut ChaCha8Rng,
) -> Result<Vec<Situation>, FactoryError> {
    let stated = |situation: &Situation| known.intersection(situation).iter().count();
    let own = stated(&story.initial);
    let mut same: Vec<Situation> = moved.iter().filter(|other| stated(other) == own).cloned().collect();
    let more: Vec<&Situation> = moved.iter().filter(|other| stated(other) > own).collect();
    let fewer: Vec<&Situation> = moved.iter().filter(|other| stated(other) < own).collect();
    let inertial = stage.engine.inertial.clone();
    let mut both: Vec<Situation> = Vec::new();
    for _ in 0..MOVED_TWICE {
        let (Some(one), Some(other)) = (more.choose(rng), fewer.choose(rng)) else { break };
        // What either changes.
        let mut start = story.initial.intersection(&inertial);
        for changed in [one, other] {
            for fluent in inertial.iter().filter(|f| changed.contains(*f) != story.initial.contains(*f)) {
                if changed.contains(fluent) { start.insert(fluent) } else { start.remove(fluent) }
            }
        }
        both.push(start);
    }
    both.sort_unstable();
    both.dedup();
    let both = legal(stage, both)?.into_iter().flatten().filter(|other| stated(other) == own);
    let mut both: Vec<Situation> = both.collect();
    both.shuffle(rng);
    same.shuffle(rng);
    let mut met: BTreeSet<BitSet> = BTreeSet::from([known.intersection(&story.initial)]);
    let mut is_new = |other: &Situation| met.insert(known.intersection(other));
    both.retain(&mut is_new);
    same.retain(&mut is_new);
    both.truncate(COMPARED);
    same.truncate(COMPARED);
    Ok(std::iter::once(story.initial.clone()).chain(both).chain(same).collect())
}

/// Situations in which one fluent is true in place of another that shares an object with it.
fn elsewhere(engine: &TransitionSystem, start: &Situation, rng: &mut ChaCha8Rng) -> Vec<Situation> {
    let falsely: Vec<usize> = engine.inertial.iter().filter(|fluent| !start.contains(*fluent)).collect();
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    for from in start.iter() {
        let own = engine.fluents[from].args();
        let shares = |to: &&usize| engine.fluents[**to].args().iter().any(|object| own.contains(object));
        pairs.extend(falsely.iter().filter(shares).map(|to| [from, *to]));
    }
    let (some, _) = pairs.partial_shuffle(rng, MOVED);
    let moved = |[from, to]: &[usize; 2]| {
        let mut moved = start.clone();
        moved.remove(*from);
        moved.insert(*to);
        moved
    };
    some.iter().map(moved).collect()
}
