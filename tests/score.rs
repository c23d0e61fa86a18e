//! Promise: `racgen score` says how many predictions are right, by every grouping, and what guessing would give.

use std::fs;
use std::path::Path;
use std::process::Command;

use racgen::OwnedRow;
use serde_json::{Value, json};

fn racgen(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_racgen")).args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn test_rows(folder: &Path) -> Vec<OwnedRow> {
    let make = [
        "-d",
        "blocks",
        "--level",
        "1-2",
        "--depth",
        "2",
        "-n",
        "400",
        "--splits",
        "train=50,test=50",
        "--out",
        "d",
        "-q",
    ];
    assert_eq!(racgen(&make, folder).0, 0);
    let rows = racgen::read::rows(&folder.join("d/data")).unwrap().map(Result::unwrap);
    rows.filter(|row| row.split == "test").collect()
}

fn write(path: &Path, records: impl IntoIterator<Item = Value>) {
    let lines: Vec<String> = records.into_iter().map(|r| r.to_string()).collect();
    fs::write(path, lines.join("\n")).unwrap();
}

#[test]
fn counts_what_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let rows = test_rows(path);
    // All verify questions in other words, half of the others right, one item left out.
    let others: Vec<&OwnedRow> = rows.iter().filter(|r| r.question_type != "verify").collect();
    let mut records = Vec::new();
    for row in rows.iter().filter(|r| r.question_type == "verify").skip(1) {
        let answer = if row.answer == "yes" { "True." } else { "FALSE" };
        records.push(json!({"id": row.id, "prediction": answer}));
    }
    for (number, row) in others.iter().enumerate() {
        let mut parts: Vec<&str> = row.answer.split(", ").collect();
        parts.reverse();
        let answer = if number % 2 == 0 { parts.join(" and ") } else { "something".into() };
        records.push(json!({"id": row.id, "prediction": answer}));
    }
    write(&path.join("p.jsonl"), records);
    let (code, out, error) = racgen(&["score", "mine=p.jsonl", "--gold", "d", "--as", "json"], path);
    assert_eq!(code, 0, "{error}");
    let scores: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&scores[0]["name"], &scores[0]["missing"]), (&json!("mine"), &json!(1)));
    let verify = rows.len() - others.len();
    let by_type = &scores[0]["groups"]["type"];
    assert_eq!(by_type["verify"]["items"], json!(verify));
    assert_eq!(by_type["verify"]["right"], json!(verify - 1));
    let right = by_type["count"]["right"].as_u64().unwrap() + by_type["other"]["right"].as_u64().unwrap();
    assert_eq!(right as usize, others.len().div_ceil(2));
    let names: Vec<&str> = scores.as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["mine", "most frequent answer", "question only", "the initial state's answer"]);
    for baseline in &scores.as_array().unwrap()[1..] {
        let accuracy = baseline["groups"]["type"]["verify"]["accuracy"].as_f64().unwrap();
        assert!((0.25..0.75).contains(&accuracy), "{} {accuracy}", baseline["name"]);
    }
    for (style, word) in
        [("text", "most frequent answer"), ("csv", "mine,level,N1,"), ("latex", "\\begin{tabular}{lrr}")]
    {
        let (code, out, _) = racgen(&["score", "mine=p.jsonl", "--gold", "d", "--as", style], path);
        assert!(code == 0 && out.contains(word), "{out}");
    }
}

#[test]
fn bad_predictions_are_told_with_file_and_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let rows = test_rows(path);
    let good = json!({"id": rows[0].id, "prediction": "yes"});
    let score = |file: &str| racgen(&["score", file, "--gold", "d", "--no-baselines"], path);
    for (second, word) in [
        (json!({"id": "0123", "prediction": "yes"}), "line 2: no item of `d` has the id 0123"),
        (
            json!({"id": rows[1].id, "answer": "yes"}),
            "line 2: there is no column `prediction` among answer, id",
        ),
        (json!({"id": rows[1].id, "prediction": {}}), "line 2: the column `prediction` holds neither"),
        (good.clone(), "line 2: the id"),
    ] {
        write(&path.join("p.jsonl"), [good.clone(), second]);
        let (code, _, error) = score("p.jsonl");
        assert!(code == 1 && error.contains("`p.jsonl`") && error.contains(word), "{error}");
    }
    fs::write(path.join("p.jsonl"), "").unwrap();
    assert!(score("p.jsonl").2.contains("holds no predictions"));
    fs::write(path.join("p.jsonl"), "{").unwrap();
    assert!(score("p.jsonl").2.contains("line 1"));
    let (code, _, error) = score("none.jsonl");
    assert!(code == 1 && error.contains("none.jsonl"), "{error}");
}
