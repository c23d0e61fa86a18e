//! Answers of language models: each text has a final answer or none, and soon; what is around it makes no difference.

use racgen::score::final_answer::final_answer;
use racgen::score::normal::normal;
use racgen::score::question_asked::QuestionAsked;
use serde::Deserialize;

use crate::document::Documents;
use crate::target::fuzz;

const TOKENS: &[&str] = &[
    "the ",
    "The answer is ",
    "answer:",
    " and ",
    " or ",
    "none",
    "twenty",
    ".0",
    "yes",
    "no",
    "-1",
    "`",
    "*",
    "\n",
    "- ",
    "1. ",
    "?",
    "=",
    ", ",
    "so ",
    "<answer>",
    "</answer>",
    "\\boxed{",
    "\\text{",
    "}",
    "<think>",
    "</think>",
    "\nQuestion:",
    "\u{e000}",
    "\u{e101}",
    "zither",
];

#[derive(Deserialize)]
struct Corpus {
    asked: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    right: Vec<String>,
    wrong: Vec<String>,
}

#[test]
fn answers() {
    let text = std::fs::read_to_string("tests/data/final_answers.toml").unwrap();
    let groups = toml::from_str::<Corpus>(&text).unwrap().asked;
    let seeds: Vec<String> =
        groups.into_iter().flat_map(|group| group.right.into_iter().chain(group.wrong)).collect();
    let question = "Which containers are in pile-89?";
    let asked = ["bool", "number", "names"]
        .map(|kind| QuestionAsked::new(kind, question, ["zither", "cushion", "pile-89"]));
    fuzz(bolero::check!(), "answers", Documents::new(seeds.iter().map(String::as_str), TOKENS), |text| {
        for kind in ["bool", "number", "name", "names", "none"] {
            normal(text, kind);
        }
        let asked = &asked[text.len() % asked.len()];
        let found = final_answer(text, asked);
        // What is large is read once; it is about time.
        if text.len() < 4000 {
            assert_eq!(found, final_answer(&format!("\n{text}\n"), asked));
        }
        !found.is_empty()
    });
}
