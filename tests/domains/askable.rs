//! Promise: of worlds of middling size at least half offer each family beyond prediction, in each domain of the papers; where none
//! does, the manifest says so.

use std::collections::BTreeSet;

use racgen::domain::question_groups::{COMPOSITE, UNDEFINED, further_groups, suits};
use racgen::factory::settings::Settings;
use racgen::items::clock::Clock;
use racgen::items::source::ItemSource;
use rayon::prelude::*;

use crate::common::further::settings;

const LEVEL: i32 = 3;
const DEPTH: i32 = 3;

/// What fewer worlds offer, as was measured: in the theories of generic most can be reached, and in dwr three stories that are
/// told without the same objects rarely have three answers, and names mostly tell the cause of a fact. In blocks hardly any plan of a few
/// moves has twice two that look alike.
const RARE: [(&str, &str); 7] = [
    ("blocks", "superfluous_two"),
    ("dwr", "cause"),
    ("dwr", "possible"),
    ("generic", "ever_executable"),
    ("generic", "ever_while"),
    ("generic", "never_executable"),
    ("generic", "never_true"),
];

/// The families of a group that fewer than half of the worlds offer, though some do.
fn rare(domain: &str, group: &str) -> Vec<String> {
    let settings = Settings { levels: vec![LEVEL], depths: vec![DEPTH], ..settings(group, 10, 1) };
    let package = crate::common::package(domain);
    let families = package.common.families.iter().filter(|family| family.group == group);
    let wanted: BTreeSet<String> = families.map(|family| family.pattern.functor.clone()).collect();
    let wanted: BTreeSet<String> = wanted.into_iter().filter(|family| suits(family, false)).collect();
    let factory = crate::common::factory(domain, &settings);
    let dealt = match factory.families(LEVEL, DEPTH, &Clock::default()) {
        Ok(dealt) => dealt,
        // A group of which nothing can be asked is refused, in a sentence that names it.
        Err(error) => {
            assert!(error.to_string().contains("can be asked"), "{domain}, {group}: {error}");
            println!("{domain}, {group}: {error}");
            return Vec::new();
        }
    };
    let named: Vec<String> =
        ItemSource::left_out(&factory).into_iter().map(|exception| exception.family).collect();
    let mut rare = Vec::new();
    for family in wanted {
        let share = dealt.offered.get(&family).copied().unwrap_or(0.0);
        println!("{domain}, {group}: {family} {share:.2}");
        let is_named = named.iter().any(|name| name.split(' ').next() == Some(family.as_str()));
        if share == 0.0 {
            assert!(is_named, "{domain}: the manifest does not say that {family} is never asked");
        } else if share < 0.5 && !RARE.contains(&(domain, family.as_str())) {
            rare.push(format!("{domain}: {family} {share:.2}"));
        }
    }
    rare
}

/// Each domain has a test of its own, so that they run side by side.
fn half_of_the_worlds_offer_each_family(domain: &str) {
    let book = crate::common::package(domain).common;
    let groups: Vec<&str> =
        further_groups(&book).into_iter().filter(|group| ![COMPOSITE, UNDEFINED].contains(group)).collect();
    let rare: Vec<String> = groups.par_iter().flat_map_iter(|group| rare(domain, group)).collect();
    assert!(rare.is_empty(), "{rare:#?}");
}

#[test]
fn half_of_the_worlds_of_blocks_offer_each_family() {
    half_of_the_worlds_offer_each_family("blocks");
}

#[test]
fn half_of_the_worlds_of_dwr_offer_each_family() {
    half_of_the_worlds_offer_each_family("dwr");
}

#[test]
fn half_of_the_worlds_of_logistics_offer_each_family() {
    half_of_the_worlds_offer_each_family("logistics");
}

#[test]
fn half_of_the_worlds_of_generic_offer_each_family() {
    half_of_the_worlds_offer_each_family("generic");
}
