//! Answers of language models: each has a form, whatever it is.

use racgen::score::normal::normal;

use crate::document::Documents;
use crate::target::fuzz;

const SEEDS: &[&str] = &[
    "Yes.",
    "**The answer is: 12.**",
    "the crane-11 and robot-7, and the Town Hall; nothing else",
    "At the start: b is on a.\nThen a moves.\nTherefore the answer is b, a.",
    "None of what the answer depends on is true.\nThe answer is thus 3.0",
    "Answer: \"false\"",
    "no one",
];
const TOKENS: &[&str] =
    &["the ", "The answer is ", "answer:", " and ", "and ", "none", "twenty", ".0", "yes", "-1", "`", "*"];

#[test]
fn answers() {
    fuzz(bolero::check!(), "answers", Documents::new(SEEDS.iter().copied(), TOKENS), |text| {
        for kind in ["bool", "number", "name", "names", "none"] {
            assert_eq!(normal(text, kind), normal(&format!("  {text}\n"), kind));
        }
        true
    });
}
