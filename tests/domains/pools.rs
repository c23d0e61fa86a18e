//! Many domains in one data set: each has the items that it has alone, whole domains are dealt to splits with the keys that
//! prove it, and the sets of the transfer suite have nested domains and as many items each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use racgen::audit::run::{AuditOptions, audit};
use racgen::campaign::jobs::domains::{Job, jobs, run_jobs, sources};
use racgen::campaign::jobs::row_options::RowOptions;
use racgen::campaign::jobs::transfer::{TransferSizes, transfer_jobs};
use racgen::campaign::pool::dealing::DomainProof;
use racgen::campaign::pool::member::JobMember;
use racgen::campaign::run::Output;
use racgen::data::papers::manifest::Manifest;
use racgen::data::read::rows::{data_files, rows};
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::factory::choosing::schedule::ANY_FAMILY;
use racgen::factory::settings::SplitBy;
use racgen::factory::source::Factory;
use racgen::invent::invented::files_by_name;
use racgen::items::clock::Clock;
use racgen::items::progress::Silent;
use racgen::items::source::{ItemSource, Stream};

use crate::common::LIMIT;

fn catalogue() -> Catalogue {
    Catalogue::find(&[]).unwrap().with_made(files_by_name)
}

fn asked(domain: &str, items: u64) -> RowOptions {
    RowOptions { domain: Some(domain.into()), items: Some(items), ..RowOptions::default() }
}

fn write(jobs: &[Job], folder: &Path) -> Manifest {
    let output = Output::into(folder);
    run_jobs(&catalogue(), jobs, LIMIT, &output, "racgen --test", &Silent, &AtomicBool::new(false)).unwrap();
    Manifest::read(folder).unwrap()
}

fn all_rows(folder: &Path) -> Vec<Row> {
    data_files(folder).unwrap().iter().flat_map(|file| rows(file).unwrap()).map(Result::unwrap).collect()
}

fn proof(folder: &Path) -> DomainProof {
    let text = std::fs::read_to_string(folder.join("manifest.json")).unwrap();
    DomainProof::read(&serde_json::from_str(&text).unwrap()).expect("a proof")
}

#[test]
fn a_pool_has_the_items_that_each_domain_has_alone() {
    let (alone, pooled) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let options = asked("blocks=2,dwr,logistics=0.5", 60);
    let apart = jobs(&options, None, &catalogue()).unwrap();
    assert_eq!(apart.len(), 3);
    let pool = jobs(&RowOptions { pool: true, ..options }, None, &catalogue()).unwrap();
    assert!(pool.len() == 1 && pool[0].name == "pool");
    write(&apart, &alone.path().join("d"));
    let manifest = write(&pool, &pooled.path().join("d"));
    assert_eq!(manifest.files.len(), 3, "a file a split");
    let sorted = |folder: &Path| {
        let mut all = all_rows(folder);
        all.sort_by(|a, b| a.id.cmp(&b.id));
        all
    };
    let (one, other) = (sorted(alone.path()), sorted(pooled.path()));
    assert_eq!(one, other);
    let of = |domain: &str| one.iter().filter(|row| &*row.domain == domain).count();
    assert_eq!([of("blocks"), of("dwr"), of("logistics")], [120, 60, 30]);
}

/// Families that somebody named and that ask for no yes or no are a fault. Else other kinds stand in.
#[test]
fn other_kinds_stand_in_for_one_that_cannot_be_asked() {
    let made = |options: RowOptions| {
        let named = jobs(&options, None, &catalogue()).unwrap();
        let [JobMember { domain, settings }] = &named[0].members[..] else { panic!("one domain") };
        let factory = Factory::new(catalogue().load(domain).unwrap(), settings.clone(), LIMIT);
        let items = crate::common::items(&factory).map_err(|error| error.to_string());
        items.map(|items| (items, factory.left_out()))
    };
    let named = RowOptions { family: Some("tallest_stack".into()), ..asked("blocks", 40) };
    assert!(made(named).unwrap_err().contains("no verify question of `blocks`"));
    // In small worlds of miconic what can never be so under a condition is the same in nearly every story.
    let (items, left_out) = made(RowOptions { ask: Some("ever".into()), ..asked("miconic", 40) }).unwrap();
    assert!(items.len() == 40 && items.iter().all(|item| item.row.question_type == "verify"));
    let lacking: Vec<&str> = left_out
        .iter()
        .filter(|(level, depth, left)| (*level, *depth) == (1, 1) && left.family == ANY_FAMILY)
        .map(|(_, _, left)| left.question_type.as_str())
        .collect();
    assert_eq!(lacking, ["other"]);
}

#[test]
fn forgetting_groundings_changes_no_row() {
    let settings = asked("dwr", 200).settings().unwrap();
    let factory = Factory::new(catalogue().load("dwr").unwrap(), settings, LIMIT);
    let of = Stream { level: 1, depth: 1, ..Stream::default() };
    let make = || -> Vec<Row> {
        factory.group(of, 1, 160, &Clock::default()).unwrap().into_iter().map(|item| item.row).collect()
    };
    let before = make();
    assert!(factory.rules_kept() > 0);
    factory.forget();
    assert_eq!(factory.rules_kept(), 0);
    assert_eq!(make(), before);
}

#[test]
fn whole_domains_are_dealt_to_splits_and_the_audit_finds_a_clone_in_two() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("d");
    let options = RowOptions {
        split_by: Some(SplitBy::Domain),
        splits: Some("train=60,test=40".into()),
        ..asked("blocks,dwr,logistics,gripper,hanoi", 20)
    };
    let known = catalogue();
    let jobs = jobs(&options, None, &known).unwrap();
    write(&jobs, &out);
    let mut splits: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let all = all_rows(&out);
    assert_eq!(all.len(), 100);
    for row in &all {
        splits.entry(row.domain.to_string()).or_default().insert(row.split.to_string());
    }
    assert!(splits.len() == 5 && splits.values().all(|splits| splits.len() == 1), "{splits:?}");
    let trained = splits.values().filter(|split| split.contains("train")).count();
    assert_eq!(trained, 3);
    assert_eq!(proof(&out).shared().len(), 0);

    let found = || -> Vec<String> {
        let options = AuditOptions { sample: 0.1, ..AuditOptions::default() };
        let report = audit(&out, &known, &options, &Silent).unwrap();
        report.leaks.iter().map(|leak| leak.kind.to_owned()).collect()
    };
    let domains = ["domain keys", "shared domains"].map(str::to_owned);
    assert!(found().iter().all(|kind| !domains.contains(kind)), "{:?}", found());
    // A domain with the keys of one of another split.
    let path = out.join("manifest.json");
    let mut manifest: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let train = manifest["domains"]["train"].as_object().unwrap().values().next().unwrap().clone();
    *manifest["domains"]["test"].as_object_mut().unwrap().values_mut().next().unwrap() = train;
    std::fs::write(&path, manifest.to_string()).unwrap();
    assert_eq!(proof(&out).shared().len(), 1);
    assert!(domains.iter().all(|kind| found().contains(kind)), "{:?}", found());
}

#[test]
fn held_out_combinations_are_of_mechanisms_whose_pairs_were_trained_on() {
    let known = catalogue();
    let options = RowOptions {
        split_by: Some(SplitBy::Composition),
        splits: Some("train=80,test=20".into()),
        ..asked("all", 20)
    };
    let jobs = jobs(&options, None, &known).unwrap();
    let mechanisms = |split: &str| -> Vec<BTreeSet<&'static str>> {
        let own = jobs[0].members.iter().filter(|member| member.settings.splits[0].name == split);
        let of = |domain: &str| known.load(domain).unwrap().mechanisms.iter().map(|m| m.word()).collect();
        own.map(|member| of(&member.domain)).collect()
    };
    let (train, test) = (mechanisms("train"), mechanisms("test"));
    assert!(!test.is_empty());
    for combination in &test {
        assert!(combination.len() > 2 && !train.contains(combination), "{combination:?}");
        for one in combination {
            for other in combination.iter().filter(|other| *other != one) {
                assert!(
                    train.iter().any(|all| all.contains(one) && all.contains(other)),
                    "{one} with {other}"
                );
            }
        }
    }
}

#[test]
fn the_transfer_suite_has_nested_domains_and_as_many_items_each() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("d");
    let sizes = TransferSizes { training: vec![1, 3], held_out: 2 };
    let known = catalogue();
    let options = asked("blocks,dwr,gripper,hanoi,logistics", 40);
    let (jobs, details) = transfer_jobs(&options, &sizes, &known).unwrap();
    let names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
    assert_eq!(names, ["domains_1", "domains_3", "held_out"]);
    assert_eq!(details["transfer"]["training"][1]["domains"], 3);
    write(&jobs, &out);
    let domains = |name: &str| -> BTreeSet<String> {
        let rows = all_rows(&out.join(name));
        assert_eq!(rows.len(), 40, "{name}");
        rows.iter().map(|row| row.domain.to_string()).collect()
    };
    let [one, three, held_out] = ["domains_1", "domains_3", "held_out"].map(domains);
    assert_eq!([one.len(), three.len(), held_out.len()], [1, 3, 2]);
    assert!(one.is_subset(&three) && three.is_disjoint(&held_out));
    let proof = proof(&out);
    assert_eq!(proof.shared().len(), 0);
    assert!(proof.0["test"].keys().eq(held_out.iter()) && proof.0["train"].keys().eq(three.iter()));

    let few = TransferSizes { training: vec![4], held_out: 2 };
    let error = transfer_jobs(&options, &few, &known).unwrap_err().to_string();
    assert!(error.contains("6 are needed"), "{error}");
}

#[test]
fn ranges_of_invented_domains_are_pooled() {
    let options = RowOptions { pool: true, ..asked("invented:7:4-6,blocks", 20) };
    let known = catalogue();
    let jobs = jobs(&options, None, &known).unwrap();
    let domains: Vec<&str> = jobs[0].members.iter().map(|member| member.domain.as_str()).collect();
    assert!(
        domains.len() > 2 && domains[0].starts_with("invented_7_") && domains.last() == Some(&"blocks"),
        "{domains:?}"
    );
    let sources = sources(&known, &jobs, LIMIT).unwrap();
    let rows: u64 = (0..3).flat_map(|split| sources[0].streams(split)).map(|(_, items)| items).sum();
    assert_eq!(rows, 20 * domains.len() as u64);
}

/// A pool of domains is made at half the speed of its domains alone, or faster; medians of runs that take turns.
#[test]
#[ignore = "takes some minutes"]
fn a_pool_is_at_least_half_as_fast_as_its_domains_alone() {
    let timed = |options: &RowOptions| {
        let folder = tempfile::tempdir().unwrap();
        let known = catalogue();
        let jobs = jobs(options, None, &known).unwrap();
        let start = std::time::Instant::now();
        let manifest = write(&jobs, &folder.path().join("d"));
        let rows: u64 = manifest.files.iter().filter_map(|file| file.rows).sum();
        assert_eq!(rows, 40_000);
        start.elapsed().as_secs_f64()
    };
    for domains in ["blocks,dwr,ferry,gripper", "invented:0-3"] {
        let apart = asked(domains, 10_000);
        let pooled = RowOptions { pool: true, ..apart.clone() };
        let rounds: Vec<(f64, f64)> = (0..3).map(|_| (timed(&apart), timed(&pooled))).collect();
        let median = |of: fn(&(f64, f64)) -> f64| {
            let mut all: Vec<f64> = rounds.iter().map(of).collect();
            all.sort_by(f64::total_cmp);
            all[1]
        };
        let (apart, pooled) = (median(|round| round.0), median(|round| round.1));
        println!(
            "{domains}: {apart:.1} s apart, {pooled:.1} s as a pool: {:.2} of their speed",
            apart / pooled
        );
        assert!(pooled <= 2.0 * apart, "{domains}: {rounds:?}");
    }
}
