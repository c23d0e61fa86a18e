//! Promise: the table of a run tells, beside the counts, how far the initial state and the most frequent answer alone
//! would come, and tells the same of a run in one piece, in shards, and resumed.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use racgen::data::papers::manifest::Manifest;
use racgen::data::read::rows::rows;

use crate::common::count;

type Checked = Result<(), Box<dyn std::error::Error>>;

const RUN: &str = "--domain blocks --level 2 --depth 2 --items 400 --format jsonl --rows-per-file 100";

/// The table that racgen prints: its first line, and the cells of the others up to the notes.
fn table(at: &Path, arguments: &str) -> (String, Vec<Vec<String>>) {
    let ended = Command::new(env!("CARGO_BIN_EXE_racgen"))
        .args(arguments.split_whitespace())
        .current_dir(at)
        .output()
        .expect("racgen starts");
    assert!(ended.status.success(), "racgen {arguments}\n{}", String::from_utf8_lossy(&ended.stderr));
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    let mut lines = text.lines().map(str::to_owned);
    let head = lines.next().unwrap_or_default();
    let cells = |line: String| line.split_whitespace().map(str::to_owned).collect();
    (head, lines.take_while(|line| !line.starts_with("distinct worlds:")).map(cells).collect())
}

#[test]
fn both_guesses_stand_beside_the_counts() -> Checked {
    let folder = tempfile::tempdir()?;
    let at = folder.path();
    let (head, lines) = table(at, &format!("{RUN} --out d"));
    assert!(head.ends_with("initial state %  majority %"), "{head}");

    let mut answers: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for row in rows(&at.join("d/data"))? {
        let row = row?;
        answers.entry((row.split.to_string(), row.question_type.to_string())).or_default().push(row.answer);
    }
    let manifest = Manifest::read(&at.join("d")).ok_or("a manifest")?;
    assert_eq!(lines.len(), answers.len());
    for line in lines {
        let [_, split, kind, items, .., initially, majority] = line.as_slice() else {
            panic!("{line:?}");
        };
        let of = &answers[&(split.clone(), kind.clone())];
        assert_eq!(of.len().to_string(), *items);
        let percent = |part: usize| format!("{:.2}", 100.0 * part as f64 / of.len() as f64);
        let most = count(of).into_values().max().unwrap_or_default();
        assert_eq!(*majority, percent(most), "{line:?}");
        let cells =
            manifest.counts.iter().filter(|c| *c.cell.split == *split && *c.cell.question_type == *kind);
        let trivial: u64 = cells.clone().filter_map(|cell| cell.trivial).sum();
        assert_eq!(*initially, percent(trivial as usize), "{line:?}");
        assert!(cells.clone().all(|cell| cell.majority.is_some_and(|most| most <= cell.items)), "{line:?}");
    }
    Ok(())
}

#[test]
fn shards_and_resumed_runs_have_the_same_table() -> Checked {
    let folder = tempfile::tempdir()?;
    let at = folder.path();
    let whole = table(at, &format!("{RUN} --out whole"));
    let first = table(at, &format!("{RUN} --out shards --shard 2/2"));
    assert_ne!(first, whole);
    let last = table(at, &format!("{RUN} --out shards --shard 1/2"));
    assert_eq!(last, whole);

    // A run that made all files but one goes on: of the others it has only the records.
    for shard in ["1/3", "2/3"] {
        table(at, &format!("{RUN} --out rest --shard {shard}"));
    }
    assert_eq!(table(at, &format!("{RUN} --out rest --shard 3/3 --resume")), whole);
    Ok(())
}

#[test]
fn what_a_source_does_not_know_is_a_dash() -> Checked {
    let folder = tempfile::tempdir()?;
    let arguments = "rules items --category rdg --depth 3 --items 300 --out d";
    let (_, lines) = table(folder.path(), arguments);
    for line in &lines {
        let [.., initially, majority] = line.as_slice() else { panic!("{line:?}") };
        assert!(initially == "-" && majority != "-", "{line:?}");
    }
    let manifest = Manifest::read(&folder.path().join("d")).ok_or("a manifest")?;
    assert!(manifest.counts.iter().all(|count| count.trivial.is_none()));
    Ok(())
}
