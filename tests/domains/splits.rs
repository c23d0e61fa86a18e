//! Splits share nothing: no world is in two of them, the keys that prove it can be recomputed from the rows, and
//! neighbouring seeds have no row in common.

use std::collections::{BTreeMap, BTreeSet};

use racgen::data::row::Row;
use racgen::domain::package::Package;
use racgen::factory::error::FactoryError;
use racgen::factory::settings::{Settings, SplitBy};
use racgen::items::clock::Clock;
use racgen::items::source::Item;
use racgen::logic::canonical::world_key;
use racgen::logic::term::Term;
use racgen::simulate::layout::{Layout, Object};
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

/// The type of each object, as its place in the package.
fn kinds(package: &Package, row: &Row) -> Vec<usize> {
    let place =
        |kind: &str| package.types.iter().position(|t| t.name == kind).expect("a type of the package");
    row.objects.iter().map(|o| place(&o.kind)).collect()
}

/// What the key of a row's world is made of: its static facts and its inertial fluents.
fn world_facts(package: &Package, row: &Row) -> Vec<Term> {
    let kinds = kinds(package, row);
    let objects = row.objects.iter().zip(kinds).map(|(o, kind)| Object { id: o.id.clone(), kind });
    let facts: Vec<Term> = row.facts.iter().map(|fact| crate::common::term(fact)).collect();
    let is_static = |t: &Term| package.statics.iter().any(|(name, arity)| t.is(name, *arity));
    let statics: Vec<Term> = facts.iter().filter(|t| is_static(t)).cloned().collect();
    let layout = Layout { parameters: BTreeMap::new(), objects: objects.collect(), statics: statics.clone() };
    let program = layout.trajectory_program(package, &[], 0);
    let search = program.search(&[("inertial", 1)], None, crate::common::LIMIT).unwrap();
    let inertial: BTreeSet<&Term> = search.terms().map(|atom| &atom.args()[0]).collect();
    let fluents = facts.iter().filter(|t| inertial.contains(t)).cloned();
    statics.into_iter().chain(fluents).collect()
}

/// A term with constants replaced.
fn renamed(term: &Term, names: &BTreeMap<String, String>) -> Term {
    match names.get(term.functor()) {
        Some(name) if term.args().is_empty() => Term::constant(name),
        _ if term.args().is_empty() => term.clone(),
        _ => Term::function(term.functor(), term.args().iter().map(|t| renamed(t, names)).collect()),
    }
}

/// A random renaming of the objects of each type among themselves.
fn renaming(kinds: &[usize], ids: &[&str], rng: &mut ChaCha8Rng) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for kind in kinds.iter().collect::<BTreeSet<_>>() {
        let old: Vec<&str> = ids.iter().zip(kinds).filter(|(_, k)| *k == kind).map(|(id, _)| *id).collect();
        let mut new = old.clone();
        new.shuffle(rng);
        names.extend(old.into_iter().zip(new).map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
    names
}

fn by_split(items: &[Item], mut key: impl FnMut(&Row) -> String) -> BTreeMap<String, BTreeSet<String>> {
    let mut keys: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for item in items {
        keys.entry(item.row.split.to_string()).or_default().insert(key(&item.row));
    }
    keys
}

/// Keys that two splits share.
fn shared(keys: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let counts = crate::common::count(keys.values().flatten().cloned());
    counts.into_iter().filter(|(_, n)| *n > 1).map(|(key, _)| key).collect()
}

#[test]
fn no_world_is_in_two_splits_and_keys_can_be_recomputed() {
    for domain in crate::common::domains() {
        let package = crate::common::package(&domain);
        let items = crate::corpus::deep(&domain);
        let worlds = by_split(items, |row| row.world.to_string());
        assert_eq!(worlds.keys().collect::<Vec<_>>(), ["test", "train", "validation"]);
        assert_eq!(shared(&worlds), Vec::<String>::new(), "{domain}: worlds in two splits");
        let sizes: Vec<usize> = worlds.values().map(BTreeSet::len).collect();
        println!("{domain}: {sizes:?} worlds in test, train, validation");

        // One row of each world, as far as time allows; the key does not depend on what objects are called.
        let mut rng = crate::common::rng(3);
        let mut seen = BTreeSet::new();
        let fresh = items.iter().map(|item| &item.row).filter(|row| seen.insert(row.world.clone()));
        let rows: Vec<&Row> = fresh.collect();
        for row in rows.iter().step_by(rows.len().div_ceil(40)) {
            let facts = world_facts(&package, row);
            let kinds = kinds(&package, row);
            let ids: Vec<&str> = row.objects.iter().map(|o| o.id.as_ref()).collect();
            assert_eq!(
                world_key(&domain, &ids, &kinds, &facts),
                *row.world,
                "{domain}: {}",
                row.facts.join(" ")
            );
            let names = renaming(&kinds, &ids, &mut rng);
            let mut facts: Vec<Term> = facts.iter().map(|fact| renamed(fact, &names)).collect();
            facts.shuffle(&mut rng);
            assert_eq!(world_key(&domain, &ids, &kinds, &facts), *row.world, "{domain}: {names:?}");
        }
    }
}

/// Small worlds recur in all splits then, but never with the same plan.
#[test]
fn split_by_instance_keeps_world_and_plan_apart() {
    for domain in crate::common::domains() {
        let package = crate::common::package(&domain);
        let parameters = match domain.as_str() {
            "blocks" => BTreeMap::from([("blocks".to_owned(), 4)]),
            _ => BTreeMap::new(),
        };
        let settings = Settings {
            levels: vec![1],
            depths: vec![3],
            items: 400,
            split_by: SplitBy::Instance,
            splits: crate::common::splits(&[("train", 0.6), ("test", 0.4)]),
            parameters,
            ..Settings::default()
        };
        let items = crate::common::made(&domain, &settings);
        let mut known: BTreeMap<String, String> = BTreeMap::new();
        let instances = by_split(&items, |row| {
            let text = format!("{} {}", row.facts.join(" "), row.plan.join(" "));
            let key = known.entry(text).or_insert_with(|| {
                let steps = row.plan.iter().enumerate().map(|(time, action)| {
                    Term::function("occ", vec![crate::common::term(action), Term::Number(time as i32)])
                });
                let facts: Vec<Term> = world_facts(&package, row).into_iter().chain(steps).collect();
                let ids: Vec<&str> = row.objects.iter().map(|o| o.id.as_ref()).collect();
                world_key(&domain, &ids, &kinds(&package, row), &facts)
            });
            key.clone()
        });
        assert_eq!(shared(&instances), Vec::<String>::new(), "{domain}: instances in two splits");
        if domain == "blocks" {
            let worlds = by_split(&items, |row| row.world.to_string());
            assert!(!shared(&worlds).is_empty(), "four blocks have few worlds, which should recur");
        }
    }
}

#[test]
fn too_few_worlds_are_told_with_a_remedy() {
    let settings = Settings { parameters: BTreeMap::from([("blocks".into(), 3)]), ..Settings::default() };
    let factory = crate::common::factory("blocks", &settings);
    let error =
        factory.schedule(1, 1, &Clock::default()).expect_err("three blocks in two towers are one world");
    assert!(matches!(error, FactoryError::FewWorlds { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "level N1 of `blocks` has too few distinct worlds for 3 splits that share none (1 found); use --split-by \
         instance, which keeps world and plan apart instead"
    );
    let settings = Settings { split_by: SplitBy::Instance, depths: vec![4], items: 60, ..settings };
    assert_eq!(crate::common::made("blocks", &settings).len(), 60, "the remedy helps");
}

#[test]
fn neighbouring_seeds_share_no_row() {
    for domain in crate::common::domains() {
        let mut ids: BTreeSet<String> = BTreeSet::new();
        let mut texts: BTreeSet<String> = BTreeSet::new();
        let mut contexts: BTreeMap<String, u64> = BTreeMap::new();
        for seed in [0, 1, 2, u64::MAX] {
            let settings = Settings {
                items: 100,
                seed,
                depths: vec![1, 2],
                splits: crate::common::splits(&[("train", 1.0)]),
                ..Settings::default()
            };
            for item in crate::common::made(&domain, &settings) {
                let row = item.row;
                let text = format!("{} {}", row.context, row.question);
                assert!(ids.insert(row.id.clone()), "{domain}, seed {seed}: the id {} occurs twice", row.id);
                assert!(texts.insert(text.clone()), "{domain}, seed {seed}: this occurs twice: {text}");
                let first = *contexts.entry(row.context.to_string()).or_insert(seed);
                assert_eq!(first, seed, "{domain}: one context in two seeds: {}", row.context);
            }
        }
    }
}

/// Worlds may have more objects than the share of a pool has names: then the part that is held out is larger.
#[test]
fn held_out_names_suffice_for_every_object() {
    let settings = Settings {
        levels: vec![2],
        depths: vec![1],
        items: 300,
        holdout_names: 0.2,
        splits: crate::common::splits(&[("train", 1.0), ("test", 1.0)]),
        ..Settings::default()
    };
    let pool: BTreeSet<String> = crate::common::package("blocks").types[0].names.iter().cloned().collect();
    let mut used: BTreeMap<bool, BTreeSet<String>> = BTreeMap::new();
    for item in crate::common::made("blocks", &settings) {
        let held_out = &*item.row.split == "test_language";
        used.entry(held_out).or_default().extend(item.row.objects.iter().map(|o| o.name.to_string()));
    }
    assert!(used.values().all(|names| names.is_subset(&pool)), "ids in place of names: {used:?}");
    assert!(used[&true].is_disjoint(&used[&false]) && used[&true].len() > 12, "{used:?}");
}
