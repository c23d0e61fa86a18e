//! Rows of a domain that several tests look at, made once.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use racgen::factory::settings::Settings;
use racgen::items::source::Item;

/// Rows of a domain, once somebody has made them.
type Shelf = &'static OnceLock<Vec<Item>>;

/// Few rows of each of all levels and of up to five actions, in one split.
pub fn broad(domain: &str) -> &'static [Item] {
    let settings = Settings {
        levels: (1..=5).collect(),
        depths: (0..=5).collect(),
        // A whole group for each level and depth.
        items: 1_500,
        splits: crate::common::splits(&[("train", 1.0)]),
        seed: 20_260,
        ..Settings::default()
    };
    kept("broad", domain, &settings)
}

/// Some hundreds of rows of each of few levels and depths, in the usual splits.
pub fn deep(domain: &str) -> &'static [Item] {
    // Of each level and depth whole groups in each split: 400, 50 and 50.
    let settings =
        Settings { levels: vec![2, 5], depths: vec![1, 4], items: 2_000, seed: 9, ..Settings::default() };
    kept("deep", domain, &settings)
}

/// Rows that are asked for by this name, made with these settings when they are first.
pub fn kept(name: &str, domain: &str, settings: &Settings) -> &'static [Item] {
    static SHELVES: Mutex<BTreeMap<(String, String), Shelf>> = Mutex::new(BTreeMap::new());
    let shelf = *SHELVES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .entry((name.to_owned(), domain.to_owned()))
        .or_insert_with(|| Box::leak(Box::default()));
    shelf.get_or_init(|| crate::common::made(domain, settings))
}
