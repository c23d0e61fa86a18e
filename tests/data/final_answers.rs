//! Promise: of what a model printed, its final answer counts, however it is said, and nothing that is no answer does.

use std::fs;
use std::path::Path;

use racgen::score::final_answer::final_answer;
use racgen::score::normal::normal;
use racgen::score::question_asked::QuestionAsked;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Corpus {
    pub asked: Vec<Group>,
}

/// A question, and what was said to it.
#[derive(Deserialize)]
pub struct Group {
    pub kind: String,
    pub question: String,
    pub names: Vec<String>,
    pub answer: String,
    pub right: Vec<String>,
    pub wrong: Vec<String>,
}

impl Group {
    pub fn asked(&self) -> QuestionAsked {
        QuestionAsked::new(&self.kind, &self.question, self.names.iter().map(String::as_str))
    }

    fn scores(&self, text: &str, answer: &str) -> bool {
        final_answer(text, &self.asked()).contains(&normal(answer, &self.kind))
    }

    /// Another answer of its kind.
    fn another(&self) -> String {
        match self.answer.as_str() {
            "yes" => "no".into(),
            "no" => "yes".into(),
            "none" => self.names[0].clone(),
            other => other.parse::<i64>().map_or("none".into(), |number| (number + 1).to_string()),
        }
    }
}

fn groups() -> Vec<Group> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/final_answers.toml");
    toml::from_str::<Corpus>(&fs::read_to_string(path).unwrap()).unwrap().asked
}

#[test]
fn all_ways_of_right_count_and_none_of_wrong() {
    let groups = groups();
    let mut faults = Vec::new();
    let (mut right, mut wrong) = (0, 0);
    for group in &groups {
        for text in &group.right {
            right += 1;
            if !group.scores(text, &group.answer) {
                faults.push(format!("missed: {text:?} as {} to {}", group.answer, group.question));
            }
            if group.scores(text, &group.another()) {
                faults.push(format!("two answers at once: {text:?} to {}", group.question));
            }
        }
        for text in &group.wrong {
            wrong += 1;
            if group.scores(text, &group.answer) {
                faults.push(format!("wrong: {text:?} as {} to {}", group.answer, group.question));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(right >= 200 && wrong >= 200, "{right} ways of right, {wrong} of wrong");
}

/// What is put around an answer changes nothing, right or wrong.
#[test]
fn boxes_and_tags_hold_what_counts() {
    for group in groups() {
        for (answer, counts) in [(group.answer.clone(), true), (group.another(), false)] {
            for text in [
                format!("<answer>{answer}</answer>"),
                format!("I thought it was {}. <answer>{answer}</answer>", group.another()),
                format!("\\boxed{{\\text{{{answer}}}}}"),
                format!("Reasoning.\n\n**Answer:** {answer}"),
                format!("<think>{}</think>\n\nThe answer is {answer}.", group.answer),
                format!("{{\"answer\": \"{answer}\"}}"),
            ] {
                assert_eq!(group.scores(&text, &group.answer), counts, "{text}");
            }
        }
    }
}

#[test]
fn no_text_brings_the_reader_down() {
    let pieces = [
        "<answer>",
        "</answer>",
        "\\boxed{",
        "}",
        "{",
        "the answer is",
        ":",
        "yes",
        "no",
        "3",
        ",",
        "\n",
        "- ",
        "1. ",
        "é",
        "\u{e000}",
        "\u{e101}",
        "[",
        "]",
        "\"",
        "?",
        " or ",
        "**",
        "####",
        "```",
        "<think>",
        "</think>",
        "=",
        "none",
        "zither",
        ".",
        "\\text{",
        "so ",
        "Question:",
        "-",
        "'",
    ];
    // A small linear congruential generator: the same texts each time.
    let mut state = 7_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for kind in ["bool", "number", "names"] {
        let asked = QuestionAsked::new(kind, "Which containers are in pile-89?", ["zither", "pile-89"]);
        for _ in 0..4000 {
            let length = next(30);
            let text: String = (0..length).map(|_| pieces[next(pieces.len())]).collect();
            final_answer(&text, &asked);
        }
        final_answer(&"\\boxed{".repeat(20_000), &asked);
        final_answer(&"<answer>".repeat(20_000), &asked);
        final_answer(&"the answer is so ".repeat(20_000), &asked);
        final_answer(&"\\text{".repeat(5_000), &asked);
    }
}
