//! The worlds of problems, and smaller and larger ones made of them, to levels by size.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::domain::package::LEVELS;
use crate::pddl::invariants::{ImportedInvariant, ids_by_kind};
use crate::pddl::vocabulary::PackageWords;
use crate::pddl::world::ImportedWorld;

/// Ways to take objects from each problem that are tried.
const WAYS: usize = 40;
/// To a world as many objects are added as this is a part of its size, the fourth say.
const GROWTH: usize = 4;
/// Worlds of a level.
pub(crate) const MOST_WORLDS: usize = 10;

/// A level: worlds with the same numbers of objects.
#[derive(Clone, Debug)]
pub(crate) struct ImportedLevel {
    pub(crate) counts: Vec<usize>,
    pub(crate) worlds: Vec<ImportedWorld>,
}

/// A whole world, and situations that it can be in.
type WholeWorld = (ImportedWorld, Vec<BTreeSet<Term>>);

/// Whole worlds to smaller ones in which the invariants still hold.
pub(crate) fn smaller(
    whole: &[WholeWorld],
    invariants: &[ImportedInvariant],
    vocabulary: &PackageWords,
    rng: &mut ChaCha8Rng,
) -> Vec<ImportedWorld> {
    let next = |here: &ImportedWorld, rng: &mut ChaCha8Rng| one_less(here, invariants, vocabulary, rng);
    resized(whole, (WAYS, |_| usize::MAX), next, rng)
}

/// Whole worlds to larger ones: objects are added that are like others. What is said of
/// the first is said of the second, and the invariants must still hold. Static facts are not among these, though they have
/// a sense, too: of floors one is above the other, each location is in one city. So objects that static facts set in
/// relation to others of their kind are left alone, and a static relation that has an object once at most never has it twice.
pub(crate) fn larger(
    whole: &[WholeWorld],
    invariants: &[ImportedInvariant],
    vocabulary: &PackageWords,
    rng: &mut ChaCha8Rng,
) -> Vec<ImportedWorld> {
    let next = |here: &ImportedWorld, rng: &mut ChaCha8Rng| one_more(here, invariants, vocabulary, rng);
    resized(whole, (WAYS / 2, |objects| (objects / GROWTH).max(1)), next, rng)
}

/// The worlds on some ways from each whole world in one of its situations, step by step; `most` says how many steps a world
/// of so many objects takes.
fn resized(
    whole: &[WholeWorld],
    (ways, most): (usize, impl Fn(usize) -> usize),
    next: impl Fn(&ImportedWorld, &mut ChaCha8Rng) -> Option<ImportedWorld>,
    rng: &mut ChaCha8Rng,
) -> Vec<ImportedWorld> {
    let mut found: Vec<ImportedWorld> = Vec::new();
    for (world, situations) in whole {
        for _ in 0..ways {
            let Some(fluents) = situations.get(rng.random_range(0..situations.len().max(1))) else { break };
            let mut here = world.in_situation(fluents.clone());
            for _ in 0..most(world.objects.len()) {
                let Some(resized) = next(&here, rng) else { break };
                if !found.contains(&resized) {
                    found.push(resized.clone());
                }
                here = resized;
            }
        }
    }
    found
}

/// The world with an object more, if there is one that can be had twice.
fn one_more(
    world: &ImportedWorld,
    invariants: &[ImportedInvariant],
    vocabulary: &PackageWords,
    rng: &mut ChaCha8Rng,
) -> Option<ImportedWorld> {
    let before = ids_by_kind(world, vocabulary);
    let once = at_most_once(world);
    let ids = world.ids(&vocabulary.kinds);
    let is_alone = |place: &usize| {
        let (name, kind) = &world.objects[*place];
        let own = &before[*kind];
        let relates = |fact: &Term| {
            let of_kind = fact.args().iter().filter(|argument| own.iter().any(|id| argument.is(id, 0)));
            fact.mentions(&ids[name]) && of_kind.count() > 1
        };
        vocabulary.kinds[*kind].constant.is_none() && !world.statics.iter().any(relates)
    };
    let mut order: Vec<usize> = (0..world.objects.len()).filter(is_alone).collect();
    order.shuffle(rng);
    order.into_iter().map(|place| world.with_twin(place, &vocabulary.kinds)).find(|larger| {
        let ids = ids_by_kind(larger, vocabulary);
        once.is_subset(&at_most_once(larger))
            && invariants.iter().all(|invariant| invariant.holds(&ids, &larger.fluents))
    })
}

/// The places of static relations at which no object stands twice.
fn at_most_once(world: &ImportedWorld) -> BTreeSet<(&str, usize)> {
    let (mut seen, mut places, mut twice) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for fact in &world.statics {
        for (place, argument) in fact.args().iter().enumerate() {
            if matches!(argument, Term::Function(..)) && fact.args().len() > 1 {
                places.insert((fact.functor(), place));
                if !seen.insert((fact.functor(), place, argument)) {
                    twice.insert((fact.functor(), place));
                }
            }
        }
    }
    places.difference(&twice).copied().collect()
}

/// The world without some object, if there is one that can go; each kind keeps one.
fn one_less(
    world: &ImportedWorld,
    invariants: &[ImportedInvariant],
    vocabulary: &PackageWords,
    rng: &mut ChaCha8Rng,
) -> Option<ImportedWorld> {
    let counts = world.counts(vocabulary.kinds.len());
    let mut order: Vec<usize> =
        (0..world.objects.len()).filter(|place| counts[world.objects[*place].1] > 1).collect();
    order.shuffle(rng);
    order.into_iter().map(|place| world.without(place, &vocabulary.kinds)).find(|smaller| {
        let ids = ids_by_kind(smaller, vocabulary);
        invariants.iter().all(|invariant| invariant.holds(&ids, &smaller.fluents))
    })
}

/// Worlds to at most five levels by quantiles of size. Of the numbers of objects that make up one size, those of a problem
/// are taken, or those that are most like a problem's. Much smaller worlds than those of problems are left aside.
pub(crate) fn levels(worlds: Vec<ImportedWorld>, kinds: usize, rng: &mut ChaCha8Rng) -> Vec<ImportedLevel> {
    let whole: Vec<Vec<usize>> =
        worlds.iter().filter(|world| world.whole).map(|world| world.counts(kinds)).collect();
    let smallest = whole.iter().map(|counts| counts.iter().sum::<usize>()).min().unwrap_or_default();
    let mut by_counts: BTreeMap<Vec<usize>, Vec<ImportedWorld>> = BTreeMap::new();
    for world in worlds.into_iter().filter(|world| world.objects.len() * 3 >= smallest * 2) {
        by_counts.entry(world.counts(kinds)).or_default().push(world);
    }
    let mut by_size: BTreeMap<usize, (usize, Vec<usize>)> = BTreeMap::new();
    for counts in by_counts.keys() {
        let unlike = whole.iter().map(|of_problem| difference(counts, of_problem)).min().unwrap_or_default();
        let known = by_size.entry(counts.iter().sum()).or_insert((usize::MAX, Vec::new()));
        if unlike < known.0 {
            *known = (unlike, counts.clone());
        }
    }
    let sizes: Vec<&(usize, Vec<usize>)> = by_size.values().collect();
    let most = LEVELS.count();
    let mut chosen: BTreeSet<usize> = match sizes.len() {
        few if few <= most => (0..few).collect(),
        many => (0..most).map(|level| (level * (many - 1) + (most - 1) / 2) / (most - 1)).collect(),
    };
    // A problem's own size is a level, if there are not too many; the nearest makes room for it.
    let own = |place: &usize| sizes[*place].0 == 0;
    for place in (0..sizes.len()).filter(own) {
        if !chosen.contains(&place) {
            let others = chosen.iter().copied().filter(|other| !own(other));
            if let Some(nearest) = others.min_by_key(|other| other.abs_diff(place)) {
                chosen.remove(&nearest);
                chosen.insert(place);
            }
        }
    }
    let mut found = Vec::new();
    for place in chosen {
        let counts = sizes[place].1.clone();
        let mut worlds = by_counts.remove(&counts).unwrap_or_default();
        worlds.shuffle(rng);
        worlds.sort_by_key(|world| !world.whole);
        found.push(ImportedLevel { counts, worlds });
    }
    found
}

/// How far the shares of the kinds differ, in thousandths.
fn difference(counts: &[usize], others: &[usize]) -> usize {
    let [sum, other_sum] = [counts, others].map(|all| all.iter().sum::<usize>().max(1));
    counts.iter().zip(others).map(|(a, b)| (a * 1000 / sum).abs_diff(b * 1000 / other_sum)).sum::<usize>()
        + usize::from(counts != others)
}
