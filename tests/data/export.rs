//! Promise: `racgen export` writes items in the forms that training and evaluation tools take as they are.

use std::fs;
use std::path::Path;
use std::process::Command;

use racgen::data::row::Row;
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
    let rows: Vec<Row> =
        racgen::data::read::rows::rows(&path.join("d")).unwrap().map(Result::unwrap).collect();
    let train: Vec<&Row> = rows.iter().filter(|row| &*row.split == "train").collect();
    let form = |style: &str| lines(&path.join(format!("f/{style}/data/train-00000-of-00001.jsonl")));
    for (row, record) in train.iter().zip(form("qa")) {
        let parts = [&*row.context, &row.question, &row.answer].map(Value::from);
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
    assert!(
        task.contains("include: _racgen_base") && task.contains("fewshot_split: \"validation\""),
        "{task}"
    );
    assert!(task.contains("with yes or no") && !task.contains(&*path.to_string_lossy()), "{task}");
    let steps = fs::read_to_string(path.join("t/racgen_blocks_count_cot.yaml")).unwrap();
    assert!(steps.contains("step by step") && steps.contains("Answer: {{answer}}"), "{steps}");
    let shown = fs::read_to_string(path.join("t/racgen_blocks_other_fewshot.yaml")).unwrap();
    assert!(shown.contains("num_fewshot: 4") && shown.contains("separated by commas"), "{shown}");
    assert!(path.join("t/racgen_tasks.py").is_file());

    let (code, error) = racgen(&["export", "d", "--out", "f"], path);
    assert!(code == 1 && error.contains("`f` is not empty"), "{error}");
    // What an export wrote is replaced when that is wanted, and nothing else is.
    let again = ["export", "d", "--out", "f", "--style", "qa", "--lm-eval", "t", "--force"];
    let (code, error) = racgen(&again, path);
    assert!(code == 0 && !path.join("f/messages").exists() && path.join("f/qa/data").exists(), "{error}");
    fs::write(path.join("t/mine.yaml"), "mine").unwrap();
    let (code, error) = racgen(&again, path);
    assert!(
        code == 1 && error.contains("`t` is not empty") && path.join("t/racgen.yaml").exists(),
        "{error}"
    );
    let (code, error) = racgen(&["export", "d", "--out", "d", "--force"], path);
    assert!(code == 1 && error.contains("`d` is not empty") && path.join("d/README.md").exists(), "{error}");
}

#[test]
fn forms_come_with_the_data_set_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let make = |out: &str, more: &[&str]| {
        let all = [
            "-d",
            "blocks,dwr",
            "-n",
            "100",
            "--layout",
            "hf",
            "--style",
            "messages,boolq",
            "--format",
            "jsonl",
            "--out",
            out,
            "-q",
        ];
        racgen(&[&all, more].concat(), path)
    };
    let (code, error) = make("d", &["--lm-eval", "tasks"]);
    assert_eq!(code, 0, "{error}");
    let rows: Vec<Row> =
        racgen::data::read::rows::rows(&path.join("d")).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 200, "the other forms are not read as rows");
    for domain in ["blocks", "dwr"] {
        let train = || rows.iter().filter(|row| &*row.domain == domain && &*row.split == "train");
        let chats = lines(&path.join(format!("d/{domain}_messages/data/train-00000-of-00001.jsonl")));
        let ids: Vec<&str> = chats.iter().map(|chat| chat["id"].as_str().unwrap()).collect();
        assert_eq!(ids, train().map(|row| row.id.as_str()).collect::<Vec<_>>());
        let judged = lines(&path.join(format!("d/{domain}_boolq/data/train-00000-of-00001.jsonl")));
        assert_eq!(judged.len(), train().filter(|row| row.question_type == "verify").count());
    }
    let card = fs::read_to_string(path.join("d/README.md")).unwrap();
    let count = rows.iter().filter(|row| &*row.domain == "dwr" && &*row.split == "train").count();
    assert!(
        card.contains("- config_name: \"dwr_messages\"") && card.contains("    num_examples: "),
        "{card}"
    );
    assert!(card.contains(&format!("| `dwr_messages` | `train` | {count} |")), "{card}");
    assert!(fs::read_to_string(path.join("tasks/racgen.yaml")).unwrap().contains("- racgen_dwr_verify"));
    let manifest: Value =
        serde_json::from_str(&fs::read_to_string(path.join("d/manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["forms"].as_array().unwrap().len(), 12);

    // Two configurations of one domain are two tasks.
    fs::write(path.join("c.toml"), "out = \"c\"\n[defaults]\ndomain = \"dwr\"\nitems = 60\n[config.short]\n[config.long]\ndepth = \"3\"\n").unwrap();
    let (code, error) = racgen(&["--config", "c.toml", "--lm-eval", "two", "-q"], path);
    assert_eq!(code, 0, "{error}");
    let group = fs::read_to_string(path.join("two/racgen.yaml")).unwrap();
    let listed: Vec<&str> = group.lines().filter_map(|line| line.strip_prefix("  - racgen_")).collect();
    assert_eq!(
        listed,
        ["long_count", "long_other", "long_verify", "short_count", "short_other", "short_verify"]
    );
    let depths = lines(&path.join("two/data/racgen_long_verify/train.jsonl"));
    assert!(!depths.is_empty() && depths.iter().all(|record| record["depth"] == 3));

    // Another run in their place leaves nothing of them; a folder of somebody else's stays.
    assert_eq!(make("d", &["--force"]).0, 0);
    assert_eq!(racgen(&["-d", "blocks,dwr", "-n", "100", "--out", "d", "-q", "--force"], path).0, 0);
    assert!(!path.join("d/dwr_boolq/data/train-00000-of-00001.jsonl").exists());
    fs::create_dir_all(path.join("d/blocks_boolq")).unwrap();
    fs::write(path.join("d/blocks_boolq/mine.txt"), "mine").unwrap();
    fs::remove_dir_all(path.join("d/dwr_boolq")).ok();
    let (code, error) = make("d", &["--force"]);
    assert!(code == 2 && error.contains("`blocks_boolq`, which racgen did not write"), "{error}");
    let csv = ["-d", "blocks", "-n", "100", "--style", "qa", "--format", "csv", "--out", "f"];
    let (code, error) = racgen(&csv, path);
    assert!(code == 2 && error.contains("CSV has no lists") && !path.join("f").exists(), "{error}");
    assert_eq!(make("n", &["--force", "--lm-eval", "tasks"]).0, 0);
    fs::write(path.join("tasks/mine.txt"), "mine").unwrap();
    let (code, error) = make("e", &["--force", "--lm-eval", "tasks"]);
    assert!(code == 1 && error.contains("`tasks` is not empty") && !path.join("e").exists(), "{error}");
    let (code, error) = make("e", &["--lm-eval", "tasks"]);
    assert!(code == 1 && error.contains("`tasks` is not empty") && !path.join("e").exists(), "{error}");
}

#[test]
fn items_with_a_rationale_are_answered_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let make = ["-d", "dwr", "--depth", "2", "-n", "60", "--rationale", "--out", "d", "-q"];
    assert_eq!(racgen(&make, path).0, 0);
    let (code, error) =
        racgen(&["export", "d", "--out", "f", "--style", "qa,messages,prompt_completion"], path);
    assert_eq!(code, 0, "{error}");
    let rows: Vec<Row> =
        racgen::data::read::rows::rows(&path.join("d")).unwrap().map(Result::unwrap).collect();
    let train: Vec<&Row> = rows.iter().filter(|row| &*row.split == "train").collect();
    let form = |style: &str| lines(&path.join(format!("f/{style}/data/train-00000-of-00001.jsonl")));
    for ((row, pair), chat) in train.iter().zip(form("prompt_completion")).zip(form("messages")) {
        assert!(row.rationale.lines().count() >= 2, "{}", row.rationale);
        assert_eq!(pair["completion"], format!(" {}", row.rationale));
        assert_eq!(chat["messages"][2]["content"], row.rationale);
        assert!(chat["messages"][0]["content"].as_str().unwrap().contains("step by step"));
    }
    assert!(train.iter().zip(form("qa")).all(|(row, record)| record["answer"] == row.answer));
    // What such a model writes is scored by its last sentence.
    let written: Vec<String> = rows
        .iter()
        .map(|row| serde_json::json!({"id": row.id, "prediction": row.rationale}).to_string())
        .collect();
    fs::write(path.join("p.jsonl"), written.join("\n")).unwrap();
    let arguments = ["score", "p.jsonl", "--gold", "d", "--as", "json", "--no-baselines"];
    let output =
        Command::new(env!("CARGO_BIN_EXE_racgen")).args(arguments).current_dir(path).output().unwrap();
    let scores: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(scores[0]["groups"]["all"]["all"]["accuracy"], 1.0, "{scores}");
}
