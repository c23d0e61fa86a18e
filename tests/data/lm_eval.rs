//! Promise: the functions beside the tasks of lm-evaluation-harness score right answers, and no wrong one.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Reads the corpus of final answers and the items of a task, and prints what is wrong.
const CHECK: &str = r#"
import json, sys, tomllib
sys.path.insert(0, sys.argv[1])
import racgen_tasks as tasks

def right(text, doc):
    return tasks.score(doc, tasks.final_answers([[text]], [doc])[0])["exact_match"] == 1.0

seen, missed = 0, 0
for group in tomllib.load(open(sys.argv[2], "rb"))["asked"]:
    kind = {"bool": "verify", "number": "count"}.get(group["kind"], "other")
    doc = {"question_type": kind, "names": group["names"], "question": group["question"], "answer": group["answer"]}
    for text in group["right"]:
        seen += 1
        missed += not right(text, doc)
    for text in group["wrong"]:
        if right(text, doc):
            print("wrong, and scored:", repr(text), "for", group["answer"])
# `racgen score` reads all of them; these functions, which need nothing but Python, most.
if missed > seen / 6:
    print("missed", missed, "of", seen)
items = [json.loads(line) for path in sys.argv[3:] for line in open(path)]
for number, doc in enumerate(items):
    other = next(o["answer"] for o in items[number + 1 :] + items if o["answer"] != doc["answer"] and o["question_type"] == doc["question_type"])
    for text in (doc["answer"], doc["rationale"], f"So this is it.\n\nAnswer: {doc['answer']}"):
        if not right(text, doc):
            print("right, and not scored:", repr(text))
    if set(other.split(", ")) != set(doc["answer"].split(", ")) and right(other, doc):
        print("wrong, and scored:", other, "for", doc["answer"])
print(len(items), "items")
"#;

#[test]
fn no_wrong_answer_scores() {
    // The tests read the corpus with a part of Python that came with 3.11.
    let python = Command::new("python3").args(["-c", "import tomllib"]).output();
    if !python.is_ok_and(|output| output.status.success()) {
        println!("no_wrong_answer_scores: skipped, there is no python3 with tomllib");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let make = "-d dwr -n 120 --depth 2 --rationale --out d -q --lm-eval tasks";
    let ran =
        Command::new(env!("CARGO_BIN_EXE_racgen")).args(make.split(' ')).current_dir(at).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/final_answers.toml");
    let mut command = Command::new("python3");
    command.args(["-B", "-c", CHECK, "tasks"]).arg(corpus).current_dir(at);
    for kind in ["verify", "count", "other"] {
        command.arg(format!("tasks/data/racgen_dwr_{kind}/train.jsonl"));
    }
    let output = command.output().unwrap();
    let told =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let items = fs::read_to_string(at.join("tasks/data/racgen_dwr_verify/train.jsonl")).unwrap();
    assert!(items.lines().count() > 20);
    assert!(told.lines().count() == 1 && told.ends_with(" items\n"), "{told}");
}
