//! Promise: `racgen export` writes items in the forms that training and evaluation tools take as they are.

use std::fs;
use std::path::Path;
use std::process::Command;

use racgen::OwnedRow;
use serde_json::Value;

fn racgen(arguments: &[&str], folder: &Path) -> (i32, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_racgen")).args(arguments).current_dir(folder).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn lines(path: &Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_item_is_there_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert_eq!(racgen(&["-d", "blocks", "-n", "100", "--out", "d", "-q"], path).0, 0);
    let all = [
        "export",
        "d",
        "--out",
        "f",
        "--style",
        "qa,messages,prompt_completion,text,boolq",
        "--lm-eval",
        "t",
    ];
    let (code, error) = racgen(&all, path);
    assert_eq!(code, 0, "{error}");
    let rows: Vec<OwnedRow> = racgen::read::rows(&path.join("d")).unwrap().map(Result::unwrap).collect();
    let train: Vec<&OwnedRow> = rows.iter().filter(|row| row.split == "train").collect();
    let form = |style: &str| lines(&path.join(format!("f/{style}/train.jsonl")));
    for (row, record) in train.iter().zip(form("qa")) {
        let parts = [&row.context, &row.question, &row.answer].map(|t| Value::from(t.as_str()));
        assert_eq!(parts, ["context", "question", "answer"].map(|c| record[c].clone()));
    }
    for ((pair, text), row) in form("prompt_completion").iter().zip(form("text")).zip(&train) {
        let [prompt, completion] = ["prompt", "completion"].map(|c| pair[c].as_str().unwrap());
        assert_eq!(format!("{prompt}{completion}"), text["text"].as_str().unwrap());
        assert_eq!(completion.trim(), row.answer);
    }
    for (record, row) in form("messages").iter().zip(&train) {
        let roles: Vec<&str> =
            record["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
        assert_eq!(roles, ["system", "user", "assistant"]);
        assert_eq!(record["messages"][2]["content"], row.answer.as_str());
    }
    let verify: Vec<bool> =
        train.iter().filter(|r| r.question_type == "verify").map(|r| r.answer == "yes").collect();
    let judged: Vec<bool> = form("boolq").iter().map(|r| r["answer"].as_bool().unwrap()).collect();
    assert_eq!(judged, verify);

    let tasks: usize = ["verify", "count", "other"]
        .map(|kind| lines(&path.join(format!("t/data/racgen_blocks_{kind}/train.jsonl"))).len())
        .iter()
        .sum();
    assert_eq!(tasks, train.len());
    let group = fs::read_to_string(path.join("t/racgen.yaml")).unwrap();
    assert!(group.contains("- racgen_blocks_verify") && group.contains("weight_by_size: true"));
    let task = fs::read_to_string(path.join("t/racgen_blocks_verify.yaml")).unwrap();
    assert!(task.contains("include: _racgen_base") && task.contains("fewshot_split: validation"), "{task}");

    let (code, error) = racgen(&["export", "d", "--out", "f"], path);
    assert!(code == 1 && error.contains("`f` is not empty"), "{error}");
}
