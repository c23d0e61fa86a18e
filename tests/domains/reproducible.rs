//! The same seed gives the same bytes: on one thread or several, in one run or in shards, with or without an
//! interruption in between; and any row can be made again on its own.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use racgen::campaign::error::CampaignError;
use racgen::campaign::jobs::domains::{Job, run_jobs};
use racgen::campaign::join::{Joined, join};
use racgen::campaign::run::{Output, Summary};
use racgen::data::format::Format;
use racgen::data::row::Row;
use racgen::factory::settings::Settings;
use racgen::items::clock::Clock;
use racgen::items::progress::Progress;
use racgen::items::source::{GROUP_SIZE, Item, Stream};
use racgen::language::tell::paragraphs::Disorder;
use tempfile::TempDir;

use crate::common::files::{copy, files};

/// Configurations of domains in turn, the smallest and the largest kinds of worlds and texts among them: each is made six times over.
fn jobs() -> Vec<Job> {
    let job = |(n, domain): (usize, String)| {
        let settings = Settings {
            levels: if n == 0 { vec![1, 2] } else { vec![1 + n as i32 % 2] },
            depths: vec![1 + n as i32 % 3],
            items: 150,
            seed: 7 + n as u64,
            // The second domain in all the harder forms.
            rationale: n % 2 == 1,
            minimal_pairs: n % 2 == 1,
            contrast: n % 2 == 1,
            random_names: n % 2 == 1,
            disorder: Disorder { shuffled: n % 2 == 1, remarks: n % 2 * 2 },
            ..Settings::default()
        };
        Job::of(&domain, &domain, settings)
    };
    ["dwr", "logistics", "generic"].map(str::to_owned).into_iter().enumerate().map(job).collect()
}

fn output(out: &Path) -> Output {
    Output {
        formats: vec![Format::Parquet, Format::Jsonl],
        rows_per_file: 40,
        threads: 2,
        ..Output::into(out)
    }
}

/// Sets the stop flag once so many rows are written.
struct StopAfter<'a> {
    rows: u64,
    written: AtomicU64,
    stop: &'a AtomicBool,
}

impl Progress for StopAfter<'_> {
    fn begin(&self, _rows: u64, _done: u64) {}
    fn advance(&self, rows: u64) {
        if self.written.fetch_add(rows, Ordering::Relaxed) + rows >= self.rows {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Runs until so many rows are written.
fn run_for(rows: u64, jobs: &[Job], output: &Output) -> Result<Summary, CampaignError> {
    let stop = AtomicBool::new(false);
    let progress = StopAfter { rows, written: AtomicU64::new(0), stop: &stop };
    let catalogue = racgen::domain::catalogue::Catalogue::find(&[]).unwrap();
    run_jobs(&catalogue, jobs, crate::common::LIMIT, output, "racgen --test", &progress, &stop)
}

fn run_whole(jobs: &[Job], output: &Output) -> Summary {
    run_for(u64::MAX, jobs, output).unwrap_or_else(|error| panic!("{error}"))
}

/// Fails, naming the first difference, unless two folders hold the same.
fn assert_same(one: &Path, other: &Path, what: &str) {
    let (one, other) = (files(one), files(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>(), "{what}: other files");
    for (name, bytes) in &one {
        assert!(*bytes == other[name], "{what}: `{name}` differs");
    }
}

/// The JSONL bytes of each configuration and split, its files in order.
fn lines(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut joined: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (name, bytes) in files(folder).into_iter().filter(|(name, _)| name.ends_with(".jsonl")) {
        let split = name.split_once('-').expect("a number after the split").0.to_owned();
        joined.entry(split).or_default().extend(bytes);
    }
    joined
}

fn rows(folder: &Path) -> Vec<Row> {
    racgen::data::read::rows::rows(folder).unwrap().map(Result::unwrap).collect()
}

#[test]
fn threads_shards_and_interruptions_change_no_byte() {
    let jobs = jobs();
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);

    let whole = run_whole(&jobs, &Output { threads: 1, ..output(&at("one thread")) });
    assert!(whole.finished.complete);

    // On three threads, stopped twice, once between the files and once within one, and resumed.
    let resumed = at("resumed");
    for (n, stop) in [1, 240].into_iter().enumerate() {
        let output = Output { threads: 3, resume: n > 0, ..output(&resumed) };
        let error = run_for(stop, &jobs, &output).expect_err("the run is stopped");
        assert!(matches!(error, CampaignError::Interrupted), "{error}");
        let left = files(&resumed);
        assert!(left.keys().all(|name| !name.ends_with(".partial")), "left behind: {:?}", left.keys());
        assert!(!left.contains_key("manifest.json"), "an interrupted run has no manifest");
    }
    let rest = run_whole(&jobs, &Output { threads: 3, resume: true, ..output(&resumed) });
    assert!(rest.made < whole.made, "what was finished is not made again");
    assert_same(&at("one thread"), &resumed, "a resumed run on three threads");

    // Three shards into one folder, one of them stopped and resumed; and into folders of their own, then joined.
    let shards = at("shards");
    let joined = at("joined");
    std::fs::create_dir(&joined).unwrap();
    for shard in [3, 1, 2] {
        let shard_output = Output { shard: Some((shard, 3)), ..output(&shards) };
        if shard == 1 {
            let error = run_for(90, &jobs, &shard_output).expect_err("the shard is stopped");
            assert!(matches!(error, CampaignError::Interrupted), "{error}");
        }
        let summary = run_whole(&jobs, &Output { resume: shard == 1, ..shard_output });
        assert_eq!(summary.finished.complete, shard == 2, "after shard {shard}");
        // What this shard has so far is copied as a user would, the last one over the others.
        if shard != 2 {
            copy(&shards, &joined).unwrap();
        }
    }
    let alone = at("alone");
    run_whole(&jobs, &Output { shard: Some((2, 3)), ..output(&alone) });
    copy(&alone, &joined).unwrap();
    assert!(matches!(join(&joined), Ok(Joined::Items(finished)) if finished.complete));
    assert_same(&shards, &joined, "shards that were joined");

    for (whole, of_shards) in rows(&at("one thread")).into_iter().zip(rows(&shards)) {
        assert_eq!(whole, of_shards, "rows of the shards, one after the other");
    }
    assert!(lines(&at("one thread")) == lines(&shards), "JSONL of the shards, one after the other");

    rows_can_be_made_again(&jobs, &rows(&at("one thread")));
}

/// Rows of every split, here and there, are made again by a factory that makes nothing else.
fn rows_can_be_made_again(jobs: &[Job], rows: &[Row]) {
    assert_eq!(rows.len() as u64, jobs.iter().map(|job| job.members[0].settings.items).sum::<u64>());
    for row in rows.iter().step_by(113) {
        let job = jobs.iter().map(|job| &job.members[0]).find(|job| *job.domain == *row.domain).unwrap();
        assert_eq!(row.seed as u64, job.settings.seed);
        let again = again(&job.domain, &job.settings, row);
        assert_eq!(again, *row);
    }
}

/// The row of this seed, split, level, depth and index, made by a new factory.
fn again(domain: &str, settings: &Settings, row: &Row) -> Row {
    let factory = crate::common::factory(domain, settings);
    let split = factory.splits().iter().position(|s| *s.name == *row.split).unwrap();
    let stream = Stream { split, level: row.level, depth: row.depth, ..Stream::default() };
    let rows = factory.streams(split).into_iter().find(|(s, _)| *s == stream).unwrap().1;
    let group = factory.group(stream, row.index as u64 / GROUP_SIZE, rows, &Clock::default()).unwrap();
    let of_index = |item: Item| (item.row.index == row.index).then_some(item.row);
    group.into_iter().find_map(of_index).unwrap()
}

/// The bytes of a row depend on seed, domain, level, depth and index: not on what else is made beside it.
#[test]
fn rows_do_not_depend_on_how_many_there_are() {
    for domain in crate::common::domains() {
        let few = Settings { levels: vec![2], depths: vec![2], items: 150, seed: 3, ..Settings::default() };
        let many = Settings { items: 800, ..few.clone() };
        for item in
            crate::common::made(&domain, &few).iter().filter(|item| &*item.row.split == "train").step_by(41)
        {
            assert_eq!(again(&domain, &many, &item.row), item.row, "{domain}");
        }
    }
}
