//! Promise: no column of a row, no file and no row can be changed, added or dropped without the audit finding it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use racgen::audit::report::AuditReport;
use racgen::audit::reread::judge::Reread;
use racgen::audit::run::{AuditOptions, audit};
use racgen::data::read::rows::rows;
use racgen::data::row::{ExtraValue, Row};
use racgen::domain::catalogue::Catalogue;
use racgen::items::progress::Progress;
use serde_json::Value as Json;

use crate::common::files::copy;
use crate::wrong::another_answer;

struct Silent;

impl Progress for Silent {
    fn begin(&self, _: u64, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// A data set that is made once, and copies of it.
struct Made {
    folder: tempfile::TempDir,
    data: &'static str,
}

impl Made {
    fn new(command: &str, data: &'static str) -> Made {
        let folder = tempfile::tempdir().unwrap();
        let mut racgen = Command::new(env!("CARGO_BIN_EXE_racgen"));
        let made = racgen.args(command.split(' ')).current_dir(folder.path()).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        Made { folder, data }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(self.data)
    }

    fn rows(&self) -> Vec<Row> {
        rows(&self.path()).unwrap().collect::<Result<_, _>>().unwrap()
    }

    /// Audits a copy of the data set after a change.
    fn audited(&self, change: impl FnOnce(&Path)) -> AuditReport {
        let copied = tempfile::tempdir().unwrap();
        copy(self.folder.path(), copied.path()).unwrap();
        let data = copied.path().join(self.data);
        change(&data);
        audited(&data)
    }

    /// Audits it after a change of its rows, with manifest and without.
    fn with_rows(&self, what: &str, mut change: impl FnMut(usize, &mut Json) -> bool) -> AuditReport {
        let mut all = |data: &Path, papers: bool| {
            let mut number = 0;
            let mut changed = 0;
            for file in jsonl(data) {
                let text = fs::read_to_string(&file).unwrap();
                let mut told = String::new();
                for line in text.lines() {
                    let mut row: Json = serde_json::from_str(line).unwrap();
                    changed += usize::from(change(number, &mut row));
                    number += 1;
                    told += &(row.to_string() + "\n");
                }
                fs::write(&file, told).unwrap();
            }
            assert!(changed > 0, "{what}: nothing was changed");
            if !papers {
                fs::remove_file(data.join("manifest.json")).unwrap();
            }
        };
        let with = self.audited(|data| all(data, true));
        assert!(!with.pass, "{what}, with manifest");
        let without = self.audited(|data| all(data, false));
        assert!(!without.pass, "{what}, without manifest");
        without
    }
}

fn jsonl(data: &Path) -> Vec<PathBuf> {
    let mut files = racgen::data::read::rows::data_files(data).unwrap();
    files.retain(|file| file.extension().is_some_and(|end| end == "jsonl"));
    files
}

fn audited(data: &Path) -> AuditReport {
    let catalogue = Catalogue::find(&[]).unwrap();
    audit(data, &catalogue, &AuditOptions::default(), &Silent).unwrap()
}

/// How many faults each check has found.
fn faults(report: &AuditReport) -> BTreeMap<String, usize> {
    let found = report.checks.iter().filter(|check| check.faults > 0);
    found.map(|check| (check.name.clone(), check.faults)).collect()
}

fn text(row: &Json, column: &str) -> String {
    row[column].as_str().unwrap().to_owned()
}

const OWN: &str = "-d dwr -l 1,2 --depth 2 -n 240 --seed 3 --format jsonl --rationale -q --out d";

#[test]
fn untouched_data_pass() {
    for command in
        [OWN, "-d blocks -l 2 --depth 2 -n 60 --seed 3 --minimal-pairs --format parquet,jsonl,csv -q --out d"]
    {
        let report = Made::new(command, "d").audited(|_| ());
        let bad = ["text", "files", "counts", "broken pairs"];
        assert!(faults(&report).keys().all(|name| !bad.contains(&name.as_str())), "{:?}", faults(&report));
        assert_eq!(report.ledgers.map(|ledgers| ledgers.manifests), Some(1));
        assert!(report.unchecked.is_empty(), "{:?}", report.unchecked);
    }
}

/// The attacks of a reader who was not believed: each passed once.
#[test]
fn what_was_missed_is_found() {
    let made = Made::new(OWN, "d");
    let mut stories: Vec<String> = Vec::new();
    // Rows after the first of their story.
    let later: Vec<bool> = made
        .rows()
        .iter()
        .map(|row| {
            let known = stories.iter().any(|story| **story == *row.context);
            stories.push(row.context.to_string());
            known
        })
        .collect();
    assert!(later.iter().filter(|later| **later).count() > 60);
    let swap = |row: &mut Json, column: &str| {
        let named = |row: &Json, place: usize| {
            let of_kind: Vec<&Json> =
                row["objects"].as_array().unwrap().iter().filter(|o| o["type"] == "container").collect();
            of_kind[place]["name"].as_str().unwrap().to_owned()
        };
        let (a, b) = (named(row, 0), named(row, 1));
        let told = text(row, column).replace(&a, "#").replace(&b, &a).replace('#', &b);
        let differs = told != text(row, column);
        row[column] = told.into();
        differs
    };
    let report =
        made.with_rows("containers swapped in the context", |n, row| later[n] && swap(row, "context"));
    assert!(faults(&report)["text"] > 60, "{:?}", faults(&report));
    let report = made.with_rows("random worlds", |n, row| {
        row["world"] = if later[n] { format!("{n:032x}").into() } else { row["world"].take() };
        later[n]
    });
    assert!(faults(&report)["text"] > 60, "{:?}", faults(&report));
    for column in ["family", "template"] {
        made.with_rows(column, |_, row| {
            row[column] = "garbage".into();
            true
        });
    }
    for column in ["seed", "index"] {
        made.with_rows(column, |n, row| {
            row[column] = (n as u64 * 7919 + 13).into();
            true
        });
    }
    for column in ["depth", "level"] {
        let report = made.with_rows(column, |n, row| {
            let other = if column == "depth" { 3 } else { 3 - row["level"].as_u64().unwrap() };
            if n == 100 {
                row[column] = other.into();
            }
            n == 100
        });
        assert_eq!(faults(&report)["text"], 1, "{column}");
    }
}

/// The sentences of the common phrase book that say that an action changes nothing that matters.
fn unchanged() -> Vec<String> {
    let book = include_str!("../../templates/common.toml");
    let list = book.split("unchanged = [").nth(1).unwrap().split(']').next().unwrap();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn rationales_that_leave_something_out_are_found() {
    let sets = [
        OWN.to_owned(),
        "-d blocks --as generic -l 2 --depth 2 -n 100 --seed 3 --format jsonl --rationale -q --out d"
            .to_owned(),
    ];
    for command in sets {
        let made = Made::new(&command, "d");
        let nothing = unchanged()[0].clone();
        let report = made.with_rows("nothing changes", |_, row| {
            let told = text(row, "rationale");
            // In a step, all that comes after the action goes.
            let lines: Vec<String> = told
                .lines()
                .enumerate()
                .map(|(place, line)| match line.split_once(". ") {
                    Some((step, rest))
                        if place == 1
                            && !unchanged().iter().any(|sentence| rest.contains(sentence.as_str())) =>
                    {
                        format!("{step}. {nothing}")
                    }
                    _ => line.to_owned(),
                })
                .collect();
            row["rationale"] = lines.join("\n").into();
            row["rationale"] != told
        });
        assert!(faults(&report)["text"] > 10, "{:?}", faults(&report));
        let report = made.with_rows("a needed fact", |_, row| {
            let told = text(row, "rationale");
            // Of a list of statements, the last one goes.
            let (first, rest) = told.split_once('\n').unwrap();
            let cut = first.rsplit_once("; ").map(|(before, _)| format!("{before}.\n{rest}"));
            row["rationale"] = cut.clone().unwrap_or(told).into();
            cut.is_some()
        });
        assert!(faults(&report)["text"] > 5, "{:?}", faults(&report));
        let report = made.with_rows("a missing line", |_, row| {
            let told = text(row, "rationale");
            let mut lines: Vec<&str> = told.lines().collect();
            let last = lines.len() - 2;
            let line = lines.remove(last);
            row["rationale"] = lines.join("\n").into();
            !line.is_empty()
        });
        assert!(faults(&report)["text"] > 10, "{:?}", faults(&report));
    }
}

#[test]
fn files_and_rows_that_are_gone_are_found() {
    let command = "-d blocks -l 1 --depth 1,2 -n 120 --seed 3 --format jsonl,csv -q --out d";
    let made = Made::new(command, "d");
    let found = |change: &dyn Fn(&Path)| faults(&made.audited(change));
    let train = "data/train-00000-of-00001.jsonl";
    let lines = |data: &Path| fs::read_to_string(data.join(train)).unwrap();
    let gone = found(&|data| fs::remove_file(data.join("data/test-00000-of-00001.csv")).unwrap());
    assert_eq!(gone.keys().collect::<Vec<_>>(), ["files"]);
    let gone = found(&|data| {
        for end in ["csv", "jsonl"] {
            fs::remove_file(data.join(format!("data/test-00000-of-00001.{end}"))).unwrap();
        }
    });
    assert!(gone.contains_key("files") && gone.contains_key("counts"), "{gone:?}");
    let dropped = found(&|data| {
        let kept: Vec<String> = lines(data).lines().skip(3).map(|line| format!("{line}\n")).collect();
        fs::write(data.join(train), kept.concat()).unwrap();
    });
    assert!(dropped.contains_key("files") && dropped.contains_key("counts"), "{dropped:?}");
    // In another order: the same rows, but not the same file.
    let turned = found(&|data| {
        let all: Vec<String> = lines(data).lines().rev().map(|line| format!("{line}\n")).collect();
        fs::write(data.join(train), all.concat()).unwrap();
    });
    assert_eq!(turned.get("files"), Some(&1), "{turned:?}");
    assert!(!turned.contains_key("counts"));
    let added = found(&|data| {
        let second = lines(data).lines().next().unwrap().to_owned() + "\n";
        fs::write(data.join("data/more-00000-of-00001.jsonl"), second).unwrap();
    });
    assert!(added.contains_key("files"), "{added:?}");
    let moved = found(&|data| {
        let (test, rows) = (data.join("data/test-00000-of-00001.jsonl"), lines(data));
        let first = rows.lines().next().unwrap();
        fs::write(&test, fs::read_to_string(&test).unwrap() + first + "\n").unwrap();
        fs::write(data.join(train), rows.replacen(&format!("{first}\n"), "", 1)).unwrap();
    });
    assert!(moved["files"] >= 4, "{moved:?}");
    let forged = found(&|data| {
        let manifest = fs::read_to_string(data.join("manifest.json")).unwrap();
        // The first stands in the settings.
        let (before, after) = manifest.rsplit_once("\"items\": ").unwrap();
        fs::write(data.join("manifest.json"), format!("{before}\"items\": 1{after}")).unwrap();
    });
    assert!(forged.contains_key("counts"), "{forged:?}");
    let torn = found(&|data| fs::write(data.join("manifest.json"), "{").unwrap());
    assert_eq!(torn.get("files"), Some(&1));
    let report = made.audited(|data| fs::remove_file(data.join("manifest.json")).unwrap());
    assert!(
        report.unchecked.iter().any(|column| column.why.contains("no manifest.json")),
        "{:?}",
        report.unchecked
    );
}

/// The id that an item of a domain has, worked out here.
fn identity(row: &Row) -> String {
    let place = format!("{} {} {} {} {}", row.seed, row.split, row.level, row.depth, row.index);
    let told = racgen::logic::seed::digest([&*row.context, &*row.rules]);
    racgen::logic::seed::digest([&*row.domain, &told, &row.question, &row.answer, &row.query, &place])
}

/// Changes the column of a row.
fn alter(row: &mut Row, column: &str) {
    let other = |text: &str| format!("{text}x");
    match column {
        "world" => row.world = racgen::logic::seed::digest([&*row.world]).into(),
        "depth" => row.depth += 1,
        "question_type" => {
            row.question_type = if row.question_type == "count" { "other" } else { "count" }.into()
        }
        "family" => row.family = other(&row.family).into(),
        "template" => {
            let (form, number) = row.template.rsplit_once('.').unwrap();
            let number = number.parse::<usize>().unwrap() % 4 + 1;
            row.template = format!("{form}.{number}");
        }
        "context" => row.context = format!("{} {}", row.context, row.actions).into(),
        "initial_state" => row.initial_state = row.initial_state.replacen("", "It is so. ", 1).into(),
        "rules" => row.rules = row.rules.replacen(". ", ". No one knows. ", 1).into(),
        "actions" => row.actions = row.actions.replacen(". ", " again. ", 1).into(),
        "question" => row.question = row.question.replacen('?', " now?", 1),
        "answer" => row.answer = another_answer(row),
        "answer_type" => row.answer_type = if row.answer_type == "bool" { "names" } else { "bool" }.into(),
        "objects" => row.objects = row.objects.iter().skip(1).cloned().collect(),
        "facts" => row.facts = row.facts.iter().skip(1).cloned().collect(),
        "plan" => row.plan = row.plan.iter().rev().cloned().chain(row.plan.first().cloned()).collect(),
        "query" => row.query = format!("initially({})", row.query),
        "gold" => row.gold.push("x1".into()),
        "rationale" => row.rationale = row.rationale.replacen('\n', " It is so.\n", 1),
        "effective_depth" => drop(row.extra.insert("effective_depth".into(), ExtraValue::Number(7))),
        other => panic!("{other}"),
    }
}

/// Whoever changes one column of one row, and knows how ids are made, is found out by reading the row. No text tells the
/// level, the split, the seed and the index: those are in the id, and the manifest counts them.
#[test]
fn every_column_is_read() {
    let columns = [
        "world",
        "depth",
        "question_type",
        "family",
        "template",
        "context",
        "initial_state",
        "rules",
        "actions",
        "question",
        "answer",
        "answer_type",
        "objects",
        "facts",
        "plan",
        "query",
        "gold",
        "rationale",
        "effective_depth",
    ];
    let sets = [
        "-d dwr -l 1,2 --depth 2 -n 200 --seed 5 --format jsonl --rationale -q --out d",
        "-d logistics -l 1,2 --depth 2 -n 200 --seed 5 --format jsonl --rationale -q --out d",
        "-d blocks --as generic -l 1,2 --depth 2 -n 200 --seed 5 --format jsonl --rationale -q --out d",
        "-d dwr --as generic -l 1,2 --depth 2 -n 100 --seed 5 --format jsonl --rationale -q --out d",
    ];
    for command in sets {
        let mut all = Made::new(command, "d").rows();
        let right = all.clone();
        assert!(right.iter().all(|row| identity(row) == row.id));
        // Each column in a few rows of its own.
        for (number, row) in all.iter_mut().enumerate().filter(|(number, _)| number % 2 == 1) {
            alter(row, columns[number / 2 % columns.len()]);
        }
        let catalogue = Catalogue::find(&[]).unwrap();
        let verdicts = Reread::new(&catalogue, Duration::from_secs(60)).judge(&all, &|_| ());
        for (number, verdict) in verdicts.iter().enumerate() {
            let column = columns[number / 2 % columns.len()];
            let (row, was) = (&all[number], &right[number]);
            match number % 2 {
                0 => assert!(verdict.is_ok(), "{command}: untouched: {verdict:?}"),
                _ => assert!(verdict.is_err() || row == was, "{command}: {column}: {was:?} became {row:?}"),
            }
        }
    }
}

#[test]
fn pairs_that_are_none_are_found() {
    let made =
        Made::new("-d blocks -l 2 --depth 2 -n 60 --seed 3 --minimal-pairs --format jsonl -q --out d", "d");
    for column in ["pair", "change", "source"] {
        made.with_rows(column, |_, row| {
            let told = text(row, column);
            row[column] =
                if told.is_empty() { "".into() } else { told.chars().rev().collect::<String>().into() };
            !told.is_empty()
        });
    }
    let report = made.with_rows("another change", |_, row| {
        let told = text(row, "change");
        row["change"] = if told == "word" { "action".into() } else { told.clone().into() };
        told == "word"
    });
    assert!(faults(&report).contains_key("broken pairs"), "{:?}", faults(&report));
}

#[test]
fn games_and_rules_are_guarded_alike() {
    let games = Made::new(
        "games items buttons_and_lights --items 60 --depth 0-2 --traces 150 --format jsonl -q --out d",
        "d",
    );
    let rules = Made::new("rules --format jsonl --extras questions --questions 60 -q --out r", "r/questions");
    for (made, row_of) in [(&games, 40), (&rules, 30)] {
        assert!(
            !faults(&made.audited(|_| ()))
                .keys()
                .any(|name| ["text", "files", "counts"].contains(&name.as_str()))
        );
        for column in ["context", "rationale", "source", "id", "world", "template"] {
            let report = made.audited(|data| {
                let file = jsonl(data).pop().unwrap();
                let told = fs::read_to_string(&file).unwrap();
                let mut lines: Vec<String> = told.lines().map(str::to_owned).collect();
                let place = row_of.min(lines.len() - 1);
                let mut row: Json = serde_json::from_str(&lines[place]).unwrap();
                row[column] = (text(&row, column) + " x").into();
                lines[place] = row.to_string();
                fs::write(&file, lines.join("\n") + "\n").unwrap();
            });
            let found = faults(&report);
            assert!(found.contains_key("files"), "{column}: {found:?}");
            assert!(found.contains_key("text") || column == "source", "{column}: {found:?}");
        }
    }
}

#[test]
fn a_column_that_no_item_has_is_named() {
    let made = Made::new("-d blocks -l 1 --depth 2 -n 60 --seed 3 --format jsonl -q --out d", "d");
    let depth = |report: &racgen::audit::report::AuditReport| {
        report.unchecked.iter().find(|column| column.column == "effective_depth").map(|c| c.why.clone())
    };
    assert_eq!(depth(&made.audited(|_| ())), None);
    let report = made.audited(|data| {
        for file in jsonl(data) {
            let text = fs::read_to_string(&file).unwrap();
            let without = text.lines().map(|line| {
                let mut row: Json = serde_json::from_str(line).unwrap();
                assert!(row.as_object_mut().unwrap().remove("effective_depth").is_some());
                row.to_string() + "\n"
            });
            fs::write(&file, without.collect::<String>()).unwrap();
        }
    });
    assert_eq!(depth(&report).as_deref(), Some("60 items of domains do not have it"));
}
