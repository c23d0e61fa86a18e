//! Initial situations are all the legal ones and no others, none of them strongly preferred.

use std::collections::{BTreeMap, BTreeSet};

use racgen::domain::package::Package;
use racgen::simulate::initial::legality::LegalityByClingo;
use racgen::simulate::layout::Layout;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::story::Simulator;
use rand::rngs::ChaCha8Rng;

/// A layout ready to draw situations from.
fn stage<'p>(package: &'p Package, level: i32, fixed: &[(&str, i64)], rng: &mut ChaCha8Rng) -> Simulator<'p> {
    let fixed: BTreeMap<String, i64> = fixed.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
    let layout = Layout::sample(package, level, &fixed, rng, crate::common::LIMIT).unwrap();
    Simulator::new(package, layout, Sampling::Walk, crate::common::LIMIT, rng).unwrap()
}

/// Objects, static facts and true fluents of a drawn situation, as a row lists them.
fn draw(stage: &mut Simulator, rng: &mut ChaCha8Rng) -> Vec<String> {
    let (start, _) = stage.draw_world(rng).unwrap();
    let (here, _) = stage.engine.consider(&start, None).unwrap().expect("a drawn situation is consistent");
    let types = &stage.package.types;
    let objects = stage.layout().objects.iter().map(|o| format!("{}({})", types[o.kind].name, o.id));
    let statics = stage.layout().statics.iter().map(ToString::to_string);
    let fluents = here.situation.iter().map(|f| stage.engine.fluents[f].to_string());
    objects.chain(statics).chain(fluents).collect()
}

/// The first arguments of the facts of a predicate.
fn those<'f>(facts: &'f [String], predicate: &str) -> Vec<&'f str> {
    let start = format!("{predicate}(");
    let arguments = facts.iter().filter_map(|f| f.strip_prefix(&start));
    arguments.map(|rest| rest.split([',', ')']).next().unwrap_or_default()).collect()
}

/// The second arguments.
fn others<'f>(facts: &'f [String], predicate: &str) -> Vec<&'f str> {
    let start = format!("{predicate}(");
    let arguments = facts.iter().filter_map(|f| f.strip_prefix(&start));
    arguments.filter_map(|rest| rest.trim_end_matches(')').split(',').nth(1)).collect()
}

fn distinct(words: &[&str]) -> usize {
    words.iter().collect::<BTreeSet<_>>().len()
}

/// The heights of the towers of a situation of the blocks world, ascending.
fn towers(facts: &[String]) -> Vec<usize> {
    let under: BTreeMap<&str, &str> = those(facts, "on")
        .into_iter()
        .zip(others(facts, "on"))
        .map(|(upper, lower)| (lower, upper))
        .collect();
    let mut heights: Vec<usize> = those(facts, "ontable")
        .into_iter()
        .map(|lowest| std::iter::successors(Some(lowest), |block| under.get(block).copied()).count())
        .collect();
    heights.sort_unstable();
    heights
}

#[test]
fn small_blocks_worlds_are_all_drawn_about_equally_often() {
    let package = crate::common::package("blocks");
    for (blocks, situations, each) in [(3, 13, 200), (4, 73, 100)] {
        let mut rng = crate::common::rng(17);
        let mut stage = stage(&package, 1, &[("blocks", blocks), ("towers", 0)], &mut rng);
        let drawn = crate::common::count((0..situations * each).map(|_| draw(&mut stage, &mut rng)));
        let (least, most) = (drawn.values().min().unwrap(), drawn.values().max().unwrap());
        println!("{blocks} blocks: each situation {least} to {most} times");
        assert_eq!(drawn.len(), situations, "{blocks} blocks have so many situations");
        assert!(most <= &(5 * least), "{blocks} blocks: one situation {most} times, another {least} times");
    }
}

/// Eight blocks have 394,353 situations: they are not enumerated but come from the randomised search.
#[test]
fn searched_situations_are_all_drawn_and_varied() {
    let package = crate::common::package("blocks");
    let mut rng = crate::common::rng(17);
    let mut stage = stage(&package, 1, &[("blocks", 8), ("towers", 0)], &mut rng);
    assert_eq!(stage.situations(), None, "the situations of eight blocks are not enumerated");
    let drawn: Vec<Vec<String>> = (0..400).map(|_| draw(&mut stage, &mut rng)).collect();
    let heights = crate::common::count(drawn.iter().map(|facts| towers(facts)));
    println!("8 blocks: {} of 22 multisets of tower heights, {heights:?}", heights.len());
    assert!(heights.len() >= 12, "draws are hardly varied: {heights:?}");
    assert!(heights.values().all(|n| *n <= 200), "one kind of situation outweighs: {heights:?}");
    let numbers = crate::common::count(drawn.iter().map(|facts| towers(facts).len()));
    assert!(numbers.len() >= 5, "the number of towers is hardly varied: {numbers:?}");
    let different = drawn.iter().collect::<BTreeSet<_>>().len();
    assert!(different >= 390, "only {different} of 400 draws differ");
    // No block is a favourite for the bottom or for the top.
    let bottoms = crate::common::count(drawn.iter().flat_map(|facts| those(facts, "ontable")));
    let tops = crate::common::count(drawn.iter().flat_map(|facts| those(facts, "clear")));
    for counts in [bottoms, tops] {
        let (least, most) = (counts.values().min().unwrap(), counts.values().max().unwrap());
        assert!(counts.len() == 8 && most <= &(2 * least), "some blocks are preferred: {counts:?}");
    }
}

fn by_clingo(package: &Package, stage: &Simulator) -> LegalityByClingo {
    let program = stage.layout().situation_program(package);
    LegalityByClingo::new(&program, &stage.engine, crate::common::LIMIT).unwrap()
}

/// Random walks go on where clingo's draws end; clingo judges what they met.
#[test]
fn what_walks_meet_are_initial_situations() {
    for name in ["blocks", "blocks_hand", "dwr", "logistics", "generic"] {
        let package = crate::common::package(name);
        let mut rng = crate::common::rng(5);
        let mut stage = stage(&package, 3, &[], &mut rng);
        let mut clingo = by_clingo(&package, &stage);
        let mut worlds = BTreeSet::new();
        for number in 0..120 {
            let (situation, _) = stage.draw_world(&mut rng).unwrap();
            assert!(clingo.of(&situation).unwrap(), "{name}: situation {number} is none");
            worlds.insert(situation);
        }
        println!("{name}: {} of 120 situations differ", worlds.len());
        assert!(worlds.len() >= 60, "{name}: only {} of 120 situations differ", worlds.len());
    }
}

/// Pairs that differ by a fact begin in situations which the ground rules say are initial ones.
#[test]
fn rules_and_clingo_agree_on_what_is_an_initial_situation() {
    for name in ["blocks", "blocks_hand", "dwr", "logistics", "generic"] {
        let package = crate::common::package(name);
        let mut rng = crate::common::rng(6);
        let mut stage = stage(&package, 2, &[], &mut rng);
        let inertial: Vec<usize> = stage.engine.inertial.iter().collect();
        let mut situations = Vec::new();
        for number in 0..20 {
            let (situation, _) = stage.draw_world(&mut rng).unwrap();
            let flipped = |fluents: &[usize]| {
                let mut other = situation.intersection(&stage.engine.inertial);
                for fluent in fluents {
                    if situation.contains(*fluent) { other.remove(*fluent) } else { other.insert(*fluent) }
                }
                other
            };
            situations.push(flipped(&[]));
            // Another fact, and one fact in place of another.
            for first in 0..inertial.len() {
                let second = inertial[(first * 7 + number) % inertial.len()];
                situations.extend([flipped(&[inertial[first]]), flipped(&[inertial[first], second])]);
            }
        }
        let by_rules = stage.legality().unwrap().of(&situations).unwrap();
        let mut clingo = by_clingo(&package, &stage);
        for (situation, legal) in situations.iter().zip(&by_rules) {
            assert_eq!(clingo.of(situation).unwrap(), *legal, "{name}: {situation:?}");
        }
        let legal = by_rules.iter().filter(|legal| **legal).count();
        println!("{name}: {legal} of {} are initial situations", by_rules.len());
        assert!(legal >= 20 && legal < by_rules.len(), "{name}: {legal} of {}", by_rules.len());
    }
}

#[test]
fn blocks_stand_in_as_many_towers_as_the_level_says() {
    let package = crate::common::package("blocks");
    for level in 1..=5 {
        let mut sizes = BTreeSet::new();
        for layout in 0..6 {
            let mut rng = crate::common::rng(layout);
            let mut stage = stage(&package, level, &[], &mut rng);
            // More than clingo draws itself: the last ones were met on walks.
            for _ in 0..60 {
                let facts = draw(&mut stage, &mut rng);
                assert_eq!(towers(&facts).len(), level as usize + 1, "N{level}: {facts:?}");
                sizes.insert(those(&facts, "block").len());
            }
        }
        assert!(sizes.len() >= 3, "N{level} has hardly varied numbers of blocks: {sizes:?}");
    }
}

/// Every kind of situation, by name, and whether a list of facts is of that kind.
type Kinds = [(&'static str, fn(&[String]) -> bool)];

const DWR: &Kinds = &[
    ("a loaded robot", |f| !those(f, "loaded").is_empty()),
    ("an unloaded robot", |f| !those(f, "unloaded").is_empty()),
    ("a held container", |f| !those(f, "holding").is_empty()),
    ("an empty crane", |f| !those(f, "empty").is_empty()),
    ("an empty pile", |f| distinct(&others(f, "in")) < distinct(&those(f, "pile"))),
    ("a stack of two or more", |f| !those(f, "on").is_empty()),
    ("no stack of two or more", |f| those(f, "on").is_empty()),
    ("a free location", |f| distinct(&those(f, "occupied")) < distinct(&those(f, "location"))),
    ("all containers in piles", |f| those(f, "in").len() == those(f, "container").len()),
    ("two piles at a location", |f| distinct(&others(f, "attached")) < those(f, "attached").len()),
    ("a location without a crane", |f| distinct(&others(f, "belong")) < those(f, "location").len()),
];

const LOGISTICS: &Kinds = &[
    ("a package outside", |f| !those(f, "outside").is_empty()),
    ("a package in a truck", |f| others(f, "in").iter().any(|v| v.starts_with('t'))),
    ("a package in an airplane", |f| others(f, "in").iter().any(|v| v.starts_with('a'))),
    ("two packages in one vehicle", |f| distinct(&others(f, "in")) < others(f, "in").len()),
    ("an empty truck", |f| those(f, "truck").iter().any(|truck| !others(f, "in").contains(truck))),
    ("no package outside", |f| those(f, "outside").is_empty()),
    ("a truck at an airport", |f| {
        let airports = those(f, "airport");
        let at = those(f, "at").into_iter().zip(others(f, "at"));
        at.into_iter().any(|(what, place)| what.starts_with('t') && airports.contains(&place))
    }),
    ("two trucks at one location", |f| {
        let at = those(f, "at").into_iter().zip(others(f, "at"));
        let places: Vec<&str> =
            at.filter(|(what, _)| what.starts_with('t')).map(|(_, place)| place).collect();
        distinct(&places) < places.len()
    }),
];

#[test]
fn every_legal_kind_of_situation_occurs_and_no_illegal_one() {
    for (domain, kinds) in [("dwr", DWR), ("logistics", LOGISTICS)] {
        let package = crate::common::package(domain);
        for level in 1..=5 {
            let mut seen = vec![0; kinds.len()];
            for layout in 0..8 {
                let mut rng = crate::common::rng(layout);
                let mut stage = stage(&package, level, &[], &mut rng);
                for _ in 0..12 {
                    let facts = draw(&mut stage, &mut rng);
                    let legal = crate::naive::true_fluents(domain, &facts, &[]);
                    assert!(legal.is_ok(), "{domain} N{level}: {legal:?} of {}", facts.join(" "));
                    for (n, (_, is_of_kind)) in kinds.iter().enumerate() {
                        seen[n] += usize::from(is_of_kind(&facts));
                    }
                }
            }
            println!("{domain} N{level}: {seen:?} of 96");
            for (n, (name, _)) in kinds.iter().enumerate() {
                assert!(seen[n] > 0, "{domain} N{level}: no situation has {name}");
            }
        }
    }
}

/// Of the other domains, too, every draw is a situation to the naive simulator, and no fluent is always the same.
#[test]
fn no_situation_is_illegal_and_no_fluent_is_stuck() {
    for domain in crate::common::domains() {
        let package = crate::common::package(&domain);
        for level in [1, 3] {
            let mut draws: Vec<Vec<String>> = Vec::new();
            for layout in 0..3 {
                let mut rng = crate::common::rng(layout);
                let mut stage = stage(&package, level, &[], &mut rng);
                let drawn: Vec<Vec<String>> = (0..12).map(|_| draw(&mut stage, &mut rng)).collect();
                assert!(
                    stage.situations() == Some(1) || drawn.iter().any(|facts| *facts != drawn[0]),
                    "{domain} N{level}: a layout has one situation only"
                );
                draws.extend(drawn);
            }
            for facts in &draws {
                match crate::naive::true_fluents(&domain, facts, &[]) {
                    Err(error) if error.contains("unknown domain") => {}
                    Err(error) => panic!("{domain} N{level}: {error} of {}", facts.join(" ")),
                    Ok(_) => {}
                }
            }
        }
    }
}
