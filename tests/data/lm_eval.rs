//! Promise: the functions beside the tasks of lm-evaluation-harness read answers just as `racgen score` does.

use std::fs;
use std::path::Path;
use std::process::Command;

use racgen::score::final_answer::final_answer;
use racgen::score::normal::normal;
use serde::Serialize;

use crate::final_answers::{Corpus, Group};
use crate::skipped::skip;

/// What was said to a question, and whether `racgen score` takes it for the answer.
#[derive(Serialize)]
struct Told<'t> {
    question_type: &'static str,
    question: &'t str,
    names: &'t [String],
    answer: &'t str,
    text: String,
    right: bool,
}

impl Group {
    fn told(&self, text: String) -> Told<'_> {
        let right = final_answer(&text, &self.asked()).contains(&normal(&self.answer, &self.kind));
        let question_type = match self.kind.as_str() {
            "bool" => "verify",
            "number" => "count",
            _ => "other",
        };
        let Group { question, names, answer, .. } = self;
        Told { question_type, question, names, answer, text, right }
    }
}

/// Reads texts with verdicts and the items of a task, and prints what is wrong.
const CHECK: &str = r#"
import json, sys
sys.path.insert(0, sys.argv[1])
import racgen_tasks as tasks

def right(text, doc):
    return tasks.score(doc, tasks.final_answers([[text]], [doc])[0])["exact_match"] == 1.0

seen = 0
for line in open(sys.argv[2]):
    doc = json.loads(line)
    seen += 1
    if right(doc["text"], doc) != doc["right"]:
        print("right" if doc["right"] else "wrong", "for `racgen score`:", repr(doc["text"]), "for", doc["answer"])
items = [json.loads(line) for path in sys.argv[3:] for line in open(path)]
for number, doc in enumerate(items):
    other = next(o["answer"] for o in items[number + 1 :] + items if o["answer"] != doc["answer"] and o["question_type"] == doc["question_type"])
    for text in (doc["answer"], doc["rationale"], f"So this is it.\n\nAnswer: {doc['answer']}"):
        if not right(text, doc):
            print("right, and not scored:", repr(text))
    if set(other.split(", ")) != set(doc["answer"].split(", ")) and right(other, doc):
        print("wrong, and scored:", other, "for", doc["answer"])
print(seen, "texts,", len(items), "items")
"#;

/// The corpus of final answers, each of its texts; texts that two of them are made of; and texts of their words in another
/// order.
fn texts(groups: &[Group]) -> Vec<Told<'_>> {
    // A small linear congruential generator: the same texts each time.
    let mut state = 11_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut told = Vec::new();
    for group in groups {
        let all: Vec<&String> = group.right.iter().chain(&group.wrong).collect();
        for text in &all {
            told.push(group.told((*text).clone()));
            let other = all[next(all.len())];
            let between = ["\n", " ", ". ", ", but ", "\n\n"][next(5)];
            told.push(group.told(format!("{text}{between}{other}")));
            let mut words: Vec<&str> = text.split(' ').collect();
            let (one, two) = (next(words.len()), next(words.len()));
            words.swap(one, two);
            told.push(group.told(words.join(" ")));
            let cut =
                text.char_indices().map(|(at, _)| at).nth(next(text.chars().count().max(1))).unwrap_or(0);
            told.push(group.told(text[cut..].to_owned()));
        }
    }
    told
}

#[test]
fn answers_are_read_as_racgen_reads_them() {
    let test = "answers_are_read_as_racgen_reads_them";
    if !crate::skipped::has("python3", test) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let make = "-d dwr -n 120 --depth 2 --rationale --out d -q --lm-eval tasks";
    let ran =
        Command::new(env!("CARGO_BIN_EXE_racgen")).args(make.split(' ')).current_dir(at).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/final_answers.toml");
    let groups = toml::from_str::<Corpus>(&fs::read_to_string(corpus).unwrap()).unwrap().asked;
    let all = texts(&groups);
    let right = all.iter().filter(|told| told.right).count();
    assert!(all.len() > 3000 && right > 800, "{right} of {}", all.len());
    let lines: Vec<String> = all.iter().map(|told| serde_json::to_string(told).unwrap()).collect();
    fs::write(at.join("texts.jsonl"), lines.join("\n")).unwrap();
    let mut command = Command::new("python3");
    command.args(["-B", "-c", CHECK, "tasks", "texts.jsonl"]).current_dir(at);
    for kind in ["verify", "count", "other"] {
        command.arg(format!("tasks/data/racgen_dwr_{kind}/train.jsonl"));
    }
    let output = command.output().unwrap();
    let told =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    // The functions are written for the Python that lm-evaluation-harness needs.
    if told.contains("has no attribute 'removeprefix'") {
        skip(test, "python3 of 3.9 or later");
        return;
    }
    let items = fs::read_to_string(at.join("tasks/data/racgen_dwr_verify/train.jsonl")).unwrap();
    assert!(items.lines().count() > 20);
    assert!(told.lines().count() == 1 && told.ends_with(" items\n"), "{told}");
}
