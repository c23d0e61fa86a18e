//! A theory to whether it makes a domain worth having, or to the reason why not.
//!
//! clingo grounds a world of the theory once, with each condition, effect and case of a law to be switched off; what can
//! be reached is then read off these ground rules.

use std::collections::BTreeSet;

use racgen_logic::seed::stream;
use rand::RngExt;

use crate::invent::reach::{NoWorld, ReachedWorld, TheoryWorld};
use crate::invent::theory::couplings::mechanisms_of_law;
use crate::invent::theory::parts::{Action, ConditionSubject, InventedTheory, KindNumber, TheoryMechanism};
use crate::simulate::situation::Situation;

/// Why a theory is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The choices of the grammar led nowhere.
    Unfinished,
    /// Its length is not among those asked for.
    Length,
    /// Its parts do not touch each other.
    Apart,
    /// Two actions are the same.
    Alike,
    /// No layout or no situation.
    Contradiction,
    /// The solver took too long.
    Solver,
    /// An executable action has no successor.
    NoSuccessor,
    /// An action is hardly ever executable, or nearly always.
    Executability,
    /// A fluent never changes.
    Unchanging,
    /// A condition, an effect or a law makes no difference.
    Idle,
    /// Static laws hardly ever take effect.
    IdleLaws,
    /// There are too few situations, or they are too near each other.
    Small,
    /// No goal of two literals needs five steps of two mechanisms.
    Shallow,
    /// Walks come to an end.
    DeadEnds,
    /// A domain before it in the range asked for is the same, or nearly.
    Clone,
}

impl Reason {
    /// All of them, in the order in which they are looked for.
    pub const ALL: [Reason; 15] = [
        Reason::Unfinished,
        Reason::Length,
        Reason::Apart,
        Reason::Alike,
        Reason::Contradiction,
        Reason::Solver,
        Reason::NoSuccessor,
        Reason::DeadEnds,
        Reason::Executability,
        Reason::Unchanging,
        Reason::Small,
        Reason::IdleLaws,
        Reason::Idle,
        Reason::Shallow,
        Reason::Clone,
    ];

    /// What it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Unfinished => "the choices lead nowhere",
            Reason::Length => "too short or too long",
            Reason::Apart => "mechanisms that do not touch",
            Reason::Alike => "two actions alike",
            Reason::Contradiction => "no layout or situation",
            Reason::Solver => "the solver took too long",
            Reason::NoSuccessor => "an action without a successor",
            Reason::Executability => "an action hardly ever or nearly always executable",
            Reason::Unchanging => "a fluent that never changes",
            Reason::Idle => "a condition, effect or law that makes no difference",
            Reason::IdleLaws => "static laws that hardly ever take effect",
            Reason::Small => "too few situations, or too near",
            Reason::Shallow => "no goal of five steps with two mechanisms",
            Reason::DeadEnds => "walks that come to an end",
            Reason::Clone => "a repeat or clone of an earlier number",
        }
    }
}

/// How many situations are looked at of the world in which goals are sought.
const GOAL_SITUATIONS: usize = 2500;
/// How many situations each switch is tried in.
const SWITCH_SITUATIONS: usize = 64;
/// The level whose worlds are judged.
const LEVEL: i64 = 3;
/// The level in whose worlds goals are sought.
const GOAL_LEVEL: i64 = 2;
/// The fewest situations that must be reached, however short a theory is.
const FEW: f64 = 60.0;
/// How many situations are looked at first.
const GLANCE: usize = 150;
/// Between which shares of an action's ground instances are executable, on average.
const EXECUTABLE: (f64, f64) = (0.05, 0.6);
/// In which share of the transitions static laws take effect.
const LAWS: f64 = 0.2;
/// Walks, their length, how many actions must be executable at their end, and in which share of them.
const WALKS: (usize, usize, usize, f64) = (40, 20, 3, 0.9);

/// The mechanisms that each action belongs to or reads, tied to those that it changes: all in one piece?
fn is_connected(theory: &InventedTheory) -> bool {
    let mut ties: Vec<(TheoryMechanism, TheoryMechanism)> = Vec::new();
    for action in &theory.actions {
        for effect in &action.effects {
            let changed = theory.fluents[effect.change.fluent()].mechanism;
            ties.extend(read_by(theory, action, effect).into_iter().map(|read| (read, changed)));
        }
    }
    let all = theory.mechanisms();
    let mut found: BTreeSet<TheoryMechanism> = all.iter().take(1).copied().collect();
    loop {
        let before = found.len();
        for (one, other) in &ties {
            if found.contains(one) || found.contains(other) {
                found.extend([*one, *other]);
            }
        }
        if found.len() == before {
            return found.len() == all.len();
        }
    }
}

/// The mechanisms of the fluents on which it depends whether an action has an effect.
fn read_by(
    theory: &InventedTheory,
    action: &Action,
    effect: &crate::invent::theory::parts::Effect,
) -> Vec<TheoryMechanism> {
    let kinds: Vec<KindNumber> = action.params.iter().chain(&effect.each).copied().collect();
    let conditions = action.requires.iter().chain(&effect.when);
    let subjects = conditions.flat_map(|condition| condition.reads(theory, &kinds));
    let mechanisms = subjects.flat_map(|subject| match subject {
        ConditionSubject::Fluent(fluent) => vec![theory.fluents[fluent].mechanism],
        ConditionSubject::Law(law) => mechanisms_of_law(theory, law),
    });
    mechanisms.collect()
}

/// Are two actions the same but for the order of what they require?
fn has_twins(theory: &InventedTheory) -> bool {
    let sorted = |action: &Action| {
        let mut requires = action.requires.clone();
        requires.sort_unstable();
        (action.params.clone(), requires, format!("{:?}", action.effects))
    };
    let all: BTreeSet<String> = theory.actions.iter().map(|action| format!("{:?}", sorted(action))).collect();
    all.len() < theory.actions.len()
}

/// Judges a theory of so many bits; the words say which random numbers its worlds are drawn with.
///
/// # Errors
/// Why it is left out.
pub fn judge(theory: &InventedTheory, bits: f64, words: &[&str]) -> Result<(), Reason> {
    if !is_connected(theory) {
        return Err(Reason::Apart);
    }
    if has_twins(theory) {
        return Err(Reason::Alike);
    }
    let failed = |why: NoWorld| match why {
        NoWorld::Contradiction => Reason::Contradiction,
        NoWorld::Solver => Reason::Solver,
    };
    let mut world = TheoryWorld::of(theory, LEVEL, words).map_err(failed)?;
    let needed = (bits / 8.0).exp2().clamp(FEW, 1000.0);
    // A glance is enough for most of those that are left out.
    let glance = ReachedWorld::explore(&mut world, GLANCE).map_err(failed)?;
    if glance.stuck.is_some() {
        return Err(Reason::NoSuccessor);
    }
    judge_executability(theory, &world, &glance, (EXECUTABLE.0 / 4.0, (1.0 + EXECUTABLE.1) / 2.0))?;
    let reached = ReachedWorld::explore(&mut world, needed.ceil() as usize + 300).map_err(failed)?;
    if reached.stuck.is_some() {
        return Err(Reason::NoSuccessor);
    }
    judge_walks(&reached, words)?;
    judge_executability(theory, &world, &reached, EXECUTABLE)?;
    judge_changes(theory, &world, &reached)?;
    let deepest = reached.all.last().map_or(0, |last| last.depth);
    if (reached.all.len() as f64) < needed || deepest < 4 && reached.complete {
        return Err(Reason::Small);
    }
    judge_switches(&mut world, &reached, words).map_err(failed)?.then_some(()).ok_or(Reason::Idle)?;
    let mut world = TheoryWorld::of(theory, GOAL_LEVEL, words).map_err(failed)?;
    let reached = ReachedWorld::explore(&mut world, GOAL_SITUATIONS).map_err(failed)?;
    if reached.stuck.is_some() {
        return Err(Reason::NoSuccessor);
    }
    has_deep_goal(theory, &world, &reached).then_some(()).ok_or(Reason::Shallow)
}

/// Do nearly all walks still have some actions to choose from at their end?
fn judge_walks(reached: &ReachedWorld, words: &[&str]) -> Result<(), Reason> {
    let mut dice = stream(2, words);
    let (walks, length, least, share) = WALKS;
    let mut good = 0;
    for _ in 0..walks {
        let mut here = 0;
        for _ in 0..length {
            let next = &reached.all[here].next;
            if next.is_empty() {
                break;
            }
            here = next[dice.random_range(0..next.len())];
        }
        good += usize::from(reached.all[here].executable.len() >= least);
    }
    if (good as f64) < share * walks as f64 { Err(Reason::DeadEnds) } else { Ok(()) }
}

fn judge_executability(
    theory: &InventedTheory,
    world: &TheoryWorld,
    reached: &ReachedWorld,
    bounds: (f64, f64),
) -> Result<(), Reason> {
    let mut instances = vec![0usize; theory.actions.len()];
    world.schema.iter().for_each(|schema| instances[*schema] += 1);
    let mut executable = vec![0usize; theory.actions.len()];
    for situation in &reached.all {
        situation.executable.iter().for_each(|action| executable[world.schema[*action]] += 1);
    }
    let share =
        |schema: usize| executable[schema] as f64 / (instances[schema] * reached.all.len()).max(1) as f64;
    let fits = |schema: usize| (bounds.0..=bounds.1).contains(&share(schema));
    if (0..theory.actions.len()).all(fits) { Ok(()) } else { Err(Reason::Executability) }
}

/// Does each fluent change, and do static laws take effect often enough?
fn judge_changes(theory: &InventedTheory, world: &TheoryWorld, reached: &ReachedWorld) -> Result<(), Reason> {
    let inertial = theory.fluents.len();
    let mut changed = vec![false; inertial + theory.laws.len()];
    let (mut steps, mut lawful) = (0usize, 0usize);
    for situation in &reached.all {
        for next in &situation.next {
            let other = &reached.all[*next].full;
            let mut by_law = false;
            for fluent in differences(&situation.full, other) {
                if let Some(predicate) = world.predicate[fluent] {
                    changed[predicate] = true;
                    by_law |= predicate >= inertial;
                }
            }
            steps += 1;
            lawful += usize::from(by_law);
        }
    }
    if !changed.iter().all(|changed| *changed) {
        return Err(Reason::Unchanging);
    }
    if !theory.laws.is_empty() && (lawful as f64) < LAWS * steps as f64 {
        return Err(Reason::IdleLaws);
    }
    Ok(())
}

/// The fluents that are true in one of two situations only.
fn differences(one: &Situation, other: &Situation) -> Vec<usize> {
    let only = |a: &Situation, b: &Situation| a.iter().filter(|f| !b.contains(*f)).collect::<Vec<_>>();
    only(one, other).into_iter().chain(only(other, one)).collect()
}

/// Does each switch change what is true, what can be done or what comes of it, in some situation?
fn judge_switches(world: &mut TheoryWorld, reached: &ReachedWorld, words: &[&str]) -> Result<bool, NoWorld> {
    let mut dice = stream(3, words);
    let count = reached.all.len();
    let chosen: Vec<usize> = (0..SWITCH_SITUATIONS).map(|_| dice.random_range(0..count)).collect();
    let switches = world.switches.clone();
    let mut idle: Vec<usize> = switches;
    for place in chosen {
        if idle.is_empty() {
            break;
        }
        let here = &reached.all[place];
        let switched: Vec<Situation> = idle
            .iter()
            .map(|switch| {
                let mut other = here.bare.clone();
                other.insert(*switch);
                other
            })
            .collect();
        let asked: Vec<(&Situation, Option<usize>)> = switched.iter().map(|s| (s, None)).collect();
        let found = world.engine.sheets(&asked)?;
        let mut still = Vec::new();
        for ((switch, bare), found) in idle.iter().zip(&switched).zip(found) {
            let same = found.is_some_and(|(mut outcome, _)| {
                outcome.situation.remove(*switch);
                outcome.situation == here.full && outcome.executable == here.executable
            });
            if same && !changes_a_step(world, reached, place, *switch, bare)? {
                still.push(*switch);
            }
        }
        idle = still;
    }
    Ok(idle.is_empty())
}

/// Has one of the actions of a situation another outcome with this switch?
fn changes_a_step(
    world: &mut TheoryWorld,
    reached: &ReachedWorld,
    place: usize,
    switch: usize,
    bare: &Situation,
) -> Result<bool, NoWorld> {
    let here = &reached.all[place];
    if here.next.is_empty() {
        return Ok(false);
    }
    let asked: Vec<(&Situation, usize)> = here.executable.iter().map(|action| (bare, *action)).collect();
    for (outcome, next) in world.engine.steps(&asked)?.into_iter().zip(&here.next) {
        let same = outcome.is_some_and(|mut outcome| {
            outcome.situation.remove(switch);
            outcome.situation == reached.all[*next].full
        });
        if !same {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Is there a goal of two literals that takes five steps or more, and steps of two mechanisms that depend on each other?
fn has_deep_goal(theory: &InventedTheory, world: &TheoryWorld, reached: &ReachedWorld) -> bool {
    let size = world.engine.fluents.len();
    let mut known = vec![false; size * size];
    let last = reached.all.last().map_or(0, |last| last.depth);
    // Where not all was gone on from, of the farthest only some are known.
    for (place, situation) in reached.all.iter().enumerate() {
        let fluents: Vec<usize> =
            situation.full.iter().filter(|fluent| world.predicate[*fluent].is_some()).collect();
        let mut new = false;
        for (number, one) in fluents.iter().enumerate() {
            for other in &fluents[number..] {
                new |= !std::mem::replace(&mut known[one * size + other], true);
            }
        }
        if new
            && situation.depth >= 5
            && situation.depth <= last
            && is_interlocked(theory, world, reached, place)
        {
            return true;
        }
    }
    false
}

/// Does a step on the way to a situation become executable by a step of another mechanism?
fn is_interlocked(
    theory: &InventedTheory,
    world: &TheoryWorld,
    reached: &ReachedWorld,
    place: usize,
) -> bool {
    let way = reached.way_to(place);
    let mechanism = |action: usize| theory.actions[world.schema[action]].mechanism;
    way.windows(2).any(|pair| {
        let [(before, first), (_, second)] = pair else { return false };
        mechanism(*first) != mechanism(*second) && !reached.all[*before].executable.contains(second)
    })
}
