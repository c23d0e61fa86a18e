//! Promise: `racgen audit` reads every item back from its text, and catches whatever is wrong with one.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use racgen::audit::reread::{Reread, Verdict};
use racgen::{Catalogue, Clock, Factory, Format, Job, OwnedRow, Package, Settings, Split};

const LIMIT: Duration = Duration::from_secs(60);

fn settings(levels: &[i32], depths: &[i32], items: u64) -> Settings {
    Settings { levels: levels.to_vec(), depths: depths.to_vec(), items, ..Settings::default() }
}

/// Rows of a domain, of all splits.
fn rows(domain: &str, settings: Settings) -> Vec<OwnedRow> {
    let factory = Factory::new(Package::load(domain).unwrap(), settings, LIMIT);
    let mut rows = Vec::new();
    for split in 0..factory.splits().len() {
        for (stream, count) in factory.streams(split) {
            for group in 0..count.div_ceil(racgen::group_size(stream.level)) {
                let items = factory.group(stream, group, count, &Clock::default()).unwrap();
                rows.extend(items.into_iter().map(|item| OwnedRow::from(item.row)));
            }
        }
    }
    rows
}

fn judge(rows: &[OwnedRow]) -> Vec<Verdict> {
    let catalogue = Catalogue::find(&[]).unwrap();
    Reread::new(&catalogue, LIMIT).judge(rows, &|_| ())
}

fn assert_sound(rows: &[OwnedRow]) {
    for (row, verdict) in rows.iter().zip(judge(rows)) {
        let sound = verdict.unwrap_or_else(|found| {
            panic!("{}: {found:?}\n{}\n{}\n{}", row.domain, row.context, row.question, row.answer)
        });
        if !row.template.contains("generic.") {
            assert_eq!(*sound.world, *row.world);
        }
    }
}

const DOMAINS: [&str; 5] = ["blocks", "blocks_hand", "dwr", "generic", "logistics"];

#[test]
fn reads_back_every_domain() {
    for domain in DOMAINS {
        let rows = rows(domain, settings(&[1, 3], &[1, 3], 240));
        assert_sound(&rows);
    }
}

#[test]
fn reads_back_the_generic_vocabulary() {
    for domain in DOMAINS {
        let settings = Settings { as_generic: true, ..settings(&[1, 2], &[2], 120) };
        assert_sound(&rows(domain, settings));
    }
}

#[test]
fn built_in_phrasings_can_be_told_apart() {
    for domain in DOMAINS {
        let (_, faults) = racgen::audit::invert::Inverse::new(&Package::load(domain).unwrap());
        let told: Vec<String> = faults.iter().map(|fault| fault.to_string()).collect();
        assert!(told.is_empty(), "{}", told.join("\n"));
    }
}
