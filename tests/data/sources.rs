//! Every source of items has every option of a run, and columns of its own reach all formats and come back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output as Ended};
use std::sync::atomic::{AtomicU64, Ordering};

use clap::CommandFactory;
use racgen::campaign::run::{Config, Origin, Output, run};
use racgen::cli::args::arguments::Cli;
use racgen::data::columns::{ExtraColumn, ExtraKind};
use racgen::data::format::Format;
use racgen::data::papers::manifest::Manifest;
use racgen::data::read::rows::rows;
use racgen::data::row::{ExtraValue, Row};
use racgen::items::clock::Clock;
use racgen::items::error::ItemError;
use racgen::items::progress::Silent;
use racgen::items::source::{About, GROUP_SIZE, Item, ItemSource, Split, Stream};

use crate::common::files::{copy, files};

type Checked = Result<(), Box<dyn std::error::Error>>;

/// The commands that make items, each with what makes a small set.
const SOURCES: [(&str, &str); 4] = [
    ("", "--domain blocks --level 2 --depth 2 --items 300"),
    ("games items", "games items tic_tac_toe coins --items 150 --traces 30"),
    ("rules items", "rules items --category rdg --depth 3 --items 300"),
    ("halma items", "halma items --level 1-2 --depth 1 --items 300"),
];

/// Options that each of them has.
const OPTIONS: [&str; 13] = [
    "out",
    "threads",
    "shard",
    "force",
    "resume",
    "quiet",
    "format",
    "layout",
    "style",
    "lm-eval",
    "license",
    "rows-per-file",
    "timing",
];

/// Commands that write a folder of something else, and what they have of it.
const FOLDERS: [(&str, &[&str]); 3] = [
    ("games", &["out", "threads", "shard", "force", "resume", "quiet"]),
    ("games all", &["out", "threads", "shard", "force", "resume", "quiet"]),
    (
        "rules suite",
        &["out", "threads", "shard", "force", "resume", "quiet", "format", "style", "rows-per-file"],
    ),
];

fn racgen(at: &Path, arguments: &str) -> Ended {
    Command::new(env!("CARGO_BIN_EXE_racgen"))
        .args(arguments.split_whitespace())
        .current_dir(at)
        .output()
        .expect("racgen starts")
}

fn succeed(at: &Path, arguments: &str) {
    let ended = racgen(at, arguments);
    assert!(ended.status.success(), "racgen {arguments}\n{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn every_source_has_every_option() {
    let all = SOURCES.iter().map(|(name, _)| (*name, &OPTIONS[..])).chain(FOLDERS);
    for (name, options) in all {
        let mut command = Cli::command();
        for part in name.split_whitespace() {
            command = command.find_subcommand(part).unwrap_or_else(|| panic!("no command {name}")).clone();
        }
        for option in options {
            let has = command.get_arguments().any(|argument| argument.get_long() == Some(option));
            assert!(has, "`racgen {name}` has no --{option}");
        }
    }
}

#[test]
fn every_source_is_sharded_styled_and_joined() -> Checked {
    for (name, arguments) in SOURCES {
        let folder = tempfile::tempdir()?;
        let at = folder.path();
        let run = format!("{arguments} --format jsonl --style qa,messages --rows-per-file 100 --quiet");
        succeed(at, &format!("{run} --out whole --lm-eval tasks"));
        let whole = files(&at.join("whole"));
        for wanted in ["README.md", "manifest.json"] {
            assert!(whole.contains_key(wanted), "{name}: no {wanted}");
        }
        let folders = ["data/", "qa/data/", "messages/data/"];
        for wanted in folders {
            assert!(whole.keys().any(|file| file.starts_with(wanted)), "{name}: nothing in {wanted}");
        }
        assert!(
            whole.keys().filter(|file| file.starts_with("data/train-")).count() > 1,
            "{name}: one file only"
        );
        assert!(files(&at.join("tasks")).keys().any(|file| file.ends_with(".yaml")), "{name}: no tasks");
        // What is finished is not replaced, unless that is wanted.
        let again = racgen(at, &format!("{run} --out whole"));
        assert_eq!(again.status.code(), Some(2), "{name}");
        assert!(String::from_utf8_lossy(&again.stderr).contains("holds a finished data set"), "{name}");
        succeed(at, &format!("{run} --out whole --force"));
        assert!(files(&at.join("whole")) == whole, "{name}: made again, other bytes");
        // Two shards have the same rows, one after the other.
        succeed(at, &format!("{run} --out shards --shard 2/2"));
        assert!(!at.join("shards/manifest.json").exists(), "{name}: a shard has no manifest");
        succeed(at, &format!("{run} --out shards --shard 1/2"));
        let ids = |folder: &str| -> Vec<String> {
            let all = rows(&at.join(folder)).unwrap();
            let mut ids: Vec<String> = all.map(|row| row.unwrap().id).collect();
            ids.sort();
            ids
        };
        assert_eq!(ids("whole"), ids("shards"), "{name}");
        let manifest = Manifest::read(&at.join("shards")).expect("the last shard writes the manifest");
        let counted: u64 = manifest.counts.iter().map(|count| count.items).sum();
        assert_eq!(counted as usize, ids("whole").len(), "{name}");
        // A run that was killed goes on: its last file and its manifest are gone, the records of the others are there.
        assert_eq!(racgen(at, &format!("{run} --out shards --resume")).status.code(), Some(2), "{name}");
    }
    Ok(())
}

#[test]
fn folders_of_games_are_resumed_sharded_and_joined() -> Checked {
    let folder = tempfile::tempdir()?;
    let at = folder.path();
    let games = "games all --traces 5 --steps 10 --format jsonl --quiet";
    succeed(at, &format!("{games} --out whole"));
    // Shards made apart are copied into one folder, and joined.
    for shard in [2, 3, 1] {
        succeed(at, &format!("{games} --out shard{shard} --shard {shard}/3"));
        if shard == 1 {
            let lacking = racgen(at, "join shards");
            let told = String::from_utf8_lossy(&lacking.stderr).into_owned();
            assert!(lacking.status.code() == Some(2) && told.contains("of shard 1 of 3"), "{told}");
        }
        copy(&at.join(format!("shard{shard}")), &at.join("shards"))?;
    }
    assert!(!at.join("shards/manifest.json").exists());
    succeed(at, "join shards");
    assert!(files(&at.join("whole")) == files(&at.join("shards")), "shards of games");
    let manifest = Manifest::read(&at.join("whole")).expect("a manifest");
    let listed: Vec<&String> = manifest.files.iter().map(|file| &file.path).collect();
    let there = files(&at.join("whole"));
    assert_eq!(listed, there.keys().filter(|name| *name != "manifest.json").collect::<Vec<_>>());
    // One that lacks a game goes on with that one only.
    fs::create_dir_all(at.join("rest"))?;
    succeed(at, &format!("{games} --out rest --shard 1/3"));
    succeed(at, &format!("{games} --out rest --shard 3/3"));
    let before = fs::metadata(at.join("rest/breakthrough.json"))?.modified()?;
    succeed(at, &format!("{games} --out rest --shard 2/3 --resume"));
    assert_eq!(fs::metadata(at.join("rest/breakthrough.json"))?.modified()?, before);
    assert!(files(&at.join("whole")) == files(&at.join("rest")), "games resumed");
    Ok(())
}

#[test]
fn options_that_a_command_has_no_use_for_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, word) in [
        ("rules suite v0 --out r --lm-eval tasks", "racgen export"),
        ("rules suite v0 --out r --timing", "racgen rules items"),
        ("rules --out r --timing", "racgen rules items"),
    ] {
        let ended = racgen(folder.path(), arguments);
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.code() == Some(2) && told.contains(word), "{arguments}: {told}");
        assert!(fs::read_dir(folder.path()).unwrap().next().is_none(), "{arguments} wrote something");
    }
}

/// Makes items with an image, a judge and a figure of difficulty.
struct Pictured {
    splits: Vec<Split>,
    extra: Vec<ExtraColumn>,
    made: AtomicU64,
}

impl Pictured {
    fn new() -> Pictured {
        let column =
            |name: &str, kind, about: &str| ExtraColumn { name: name.into(), kind, about: about.into() };
        Pictured {
            splits: ["train", "test"].map(|name| Split { name: name.into(), weight: 0.5 }).to_vec(),
            extra: vec![
                column("image", ExtraKind::Bytes, "a picture of the initial situation"),
                column("judge", ExtraKind::Text, "who says whether an answer is right"),
                column("effort", ExtraKind::Number, "situations that were searched"),
                column("choices", ExtraKind::Texts, "what may be chosen"),
                column("best", ExtraKind::NumberOrNull, "the least effort, where it is known"),
            ],
            made: AtomicU64::new(0),
        }
    }

    fn item(&self, stream: Stream, index: u64) -> Item {
        let text = |name: &str| format!("{name} {} {index}", stream.split);
        // Of every other item it is not known.
        let known =
            index.is_multiple_of(2).then(|| ("best".into(), ExtraValue::Number(index as i64))).into_iter();
        let row = Row {
            id: text("id"),
            domain: "pictures".into(),
            split: self.splits[stream.split].name.as_str().into(),
            question_type: "verify".into(),
            family: "seen".into(),
            gold: vec!["yes".into()],
            index: index as i64,
            extra: known
                .chain([
                    ("image".into(), ExtraValue::Bytes(vec![0x89, b'P', 0, index as u8])),
                    ("judge".into(), ExtraValue::Text("exact".into())),
                    ("effort".into(), ExtraValue::Number(index as i64 * 7)),
                    ("choices".into(), ExtraValue::Texts(vec!["a, b".into(), text("c")])),
                ])
                .collect(),
            ..Row::default()
        };
        Item { row, trivial: false }
    }
}

impl ItemSource for Pictured {
    fn about(&self) -> About {
        About { subject: "Pictures".into(), ..About::default() }
    }

    fn settings(&self) -> serde_json::Value {
        serde_json::json!({"domain": "pictures"})
    }

    fn splits(&self) -> &[Split] {
        &self.splits
    }

    fn streams(&self, split: usize) -> Vec<(Stream, u64)> {
        vec![(Stream { split, level: 1, ..Stream::default() }, 120)]
    }

    fn extra_columns(&self) -> &[ExtraColumn] {
        &self.extra
    }

    fn group(&self, stream: Stream, group: u64, items: u64, _: &Clock) -> Result<Vec<Item>, ItemError> {
        self.made.fetch_add(1, Ordering::Relaxed);
        let end = items.min((group + 1) * GROUP_SIZE);
        Ok((group * GROUP_SIZE..end).map(|index| self.item(stream, index)).collect())
    }

    fn companions(&self) -> BTreeMap<String, String> {
        BTreeMap::from([("notes/pictures.txt".to_owned(), "how to look".to_owned())])
    }
}

#[test]
fn columns_of_a_source_reach_every_format() -> Checked {
    let folder = tempfile::tempdir()?;
    let source = Pictured::new();
    for format in Format::ALL {
        let out = folder.path().join(format.extension());
        let output = Output { formats: vec![format], ..Output::into(&out) };
        let config = Config { name: "pictures".into(), source: &source };
        let origin = Origin { command: "racgen pictures".into(), seed: 3 };
        let stop = std::sync::atomic::AtomicBool::new(false);
        let summary = run(&[config], &output, &origin, &Silent, &stop)?;
        assert!(summary.finished.complete && summary.made == 240);
        let card = fs::read_to_string(out.join("README.md"))?;
        for column in source.extra_columns() {
            assert!(card.contains(&format!("  - name: {}\n", column.name)), "{card}");
            assert!(card.contains(&format!("| `{}` |", column.name)), "{card}");
        }
        assert_eq!(fs::read_to_string(out.join("notes/pictures.txt"))?, "how to look");
        let manifest = Manifest::read(&out).ok_or("manifest")?;
        assert!(manifest.files.iter().any(|file| file.path == "notes/pictures.txt"));

        let mut read = rows(&out)?.filter(|row| row.as_ref().is_ok_and(|row| &*row.split == "train"));
        let (first, second) = (read.next().ok_or("row")??, read.next().ok_or("row")??);
        let best = [&first, &second].map(|row| row.extra.get("best").cloned());
        match format {
            Format::Parquet | Format::Jsonl => assert_eq!(best, [Some(ExtraValue::Number(0)), None]),
            Format::Csv => assert_eq!(best, ["0", ""].map(|text| Some(ExtraValue::Text(text.into())))),
        }
        let made = source.item(Stream::default(), 0).row;
        assert_eq!(
            Row { extra: BTreeMap::new(), ..first.clone() },
            Row { extra: BTreeMap::new(), ..made.clone() }
        );
        let told = |name: &str| first.extra.get(name).cloned();
        match format {
            // There all types are told.
            Format::Parquet => assert_eq!(first.extra, made.extra),
            Format::Jsonl => {
                assert_eq!(told("effort"), Some(ExtraValue::Number(0)));
                assert_eq!(told("choices"), made.extra.get("choices").cloned());
                assert_eq!(told("image"), Some(ExtraValue::Text("iVAAAA==".into())));
            }
            Format::Csv => {
                assert_eq!(told("effort"), Some(ExtraValue::Text("0".into())));
                assert_eq!(told("judge"), Some(ExtraValue::Text("exact".into())));
                assert_eq!(told("image"), Some(ExtraValue::Text("iVAAAA==".into())));
            }
        }
    }
    assert!(source.made.load(Ordering::Relaxed) >= 18);
    Ok(())
}
