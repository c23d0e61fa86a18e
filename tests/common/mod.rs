//! What the tests of promises share: the domains that are found, and rows made of them.
#![allow(dead_code)]

pub mod files;
pub mod further;

use std::collections::BTreeMap;
use std::time::Duration;

use racgen::domain::catalogue::Catalogue;
use racgen::domain::package::Package;
use racgen::factory::error::FactoryError;
use racgen::factory::settings::Settings;
use racgen::factory::source::Factory;
use racgen::items::clock::Clock;
use racgen::items::source::{GROUP_SIZE, Item, Split, Stream};
use racgen::logic::term::Term;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rayon::prelude::*;

/// What one solver call may take; no test waits for it.
pub const LIMIT: Duration = Duration::from_secs(120);

/// The domains that all promises are tested on at length: those of the papers.
const PAPERS: [&str; 5] = ["blocks", "blocks_hand", "dwr", "generic", "logistics"];

/// The names of the domains that all promises are tested on at length.
pub fn domains() -> Vec<String> {
    PAPERS.map(str::to_owned).to_vec()
}

/// The names of all other domains in `domains/`, a package that was just dropped there included; the tests of the library
/// look at each in short. Those whose actions have several outcomes have tests of their own.
pub fn library() -> Vec<String> {
    let catalogue = Catalogue::find(&[]).unwrap();
    let found = catalogue.iter().filter(|found| !found.has_outcomes());
    let found: Vec<String> = found.map(|found| found.name.clone()).collect();
    for known in PAPERS {
        assert!(found.iter().any(|name| name == known), "the domain {known} is missing");
    }
    found.into_iter().filter(|name| !PAPERS.contains(&name.as_str()) && is_wanted(name)).collect()
}

/// While one package is written, it alone may be looked at: RACGEN_LIBRARY=ferry,gripper.
pub fn is_wanted(name: &str) -> bool {
    let only = std::env::var("RACGEN_LIBRARY").ok();
    only.as_ref().is_none_or(|only| only.split(',').any(|one| one == name))
}

pub fn package(domain: &str) -> Package {
    Catalogue::find(&[]).unwrap().load(domain).unwrap_or_else(|faults| panic!("{faults}"))
}

pub fn factory(domain: &str, settings: &Settings) -> Factory {
    Factory::new(package(domain), settings.clone(), LIMIT)
}

/// Every row of a data set, split by split, in the order of the files.
pub fn items(factory: &Factory) -> Result<Vec<Item>, FactoryError> {
    let clock = Clock::default();
    let mut groups: Vec<(Stream, u64, u64)> = Vec::new();
    for split in 0..factory.splits().len() {
        for (stream, rows) in factory.streams(split) {
            groups.extend((0..rows.div_ceil(GROUP_SIZE)).map(|group| (stream, group, rows)));
        }
    }
    let made: Result<Vec<Vec<Item>>, FactoryError> = groups
        .par_iter()
        .map(|(stream, group, rows)| factory.group(*stream, *group, *rows, &clock))
        .collect();
    Ok(made?.into_iter().flatten().collect())
}

/// The rows of a data set of one domain.
pub fn made(domain: &str, settings: &Settings) -> Vec<Item> {
    items(&factory(domain, settings)).unwrap_or_else(|error| panic!("{domain}: {error}"))
}

/// Splits by name and weight.
pub fn splits(weights: &[(&str, f64)]) -> Vec<Split> {
    weights.iter().map(|(name, weight)| Split { name: (*name).to_owned(), weight: *weight }).collect()
}

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

pub fn term(text: &str) -> Term {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// How often each of the things occurs.
pub fn count<T: Ord>(things: impl IntoIterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    for thing in things {
        *counts.entry(thing).or_default() += 1;
    }
    counts
}
