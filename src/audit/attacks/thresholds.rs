//! What counts as a fault: one table of thresholds, each with its reason.

use serde::Serialize;

/// A threshold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Threshold {
    /// Its name, as `--threshold` takes it.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// What is measured.
    pub measure: &'static str,
    /// Why the value is what it is.
    pub reason: &'static str,
}

const fn threshold(name: &'static str, value: f64, measure: &'static str, reason: &'static str) -> Threshold {
    Threshold { name, value, measure, reason }
}

/// All thresholds with their defaults.
pub const THRESHOLDS: [Threshold; 28] = [
    threshold(
        "sigma",
        5.0,
        "standard errors that a deviation must have to count",
        "a data set has thousands of cells; by chance, one cell in 1.7 million deviates by five",
    ),
    threshold(
        "least",
        20.0,
        "items that a cell must have to be looked at on its own",
        "fewer cannot show a deviation of that many standard errors",
    ),
    threshold(
        "unsound",
        0.0,
        "share of items whose text does not lead to their answer",
        "one wrong answer is one too many",
    ),
    threshold(
        "balance",
        0.05,
        "distance of the share of yes from a half",
        "always the same answer must be no better than a coin",
    ),
    threshold(
        "length_auc",
        0.1,
        "distance from a half of the area under the curve of length as a sign of yes",
        "a longer text must not be a hint",
    ),
    threshold(
        "question_only",
        0.1,
        "accuracy of naive Bayes on the question alone above that of the most frequent answer, yes/no questions",
        "who does not read the story must not do better than a guess",
    ),
    threshold(
        "context_blind",
        0.1,
        "the same for phrasing, lengths and counts, without a word of the story",
        "form must not give the answer away",
    ),
    threshold(
        "question_only_open",
        0.25,
        "as question_only, for numbers and objects, by the lower end of the 99 % interval",
        "what is asked for narrows down how many and which there can be, fairly so",
    ),
    threshold(
        "template_label",
        0.15,
        "dependence between phrasing and answer (Cramer's V)",
        "phrasings are paraphrases, so that their choice must say nothing",
    ),
    threshold(
        "name_label",
        0.15,
        "dependence between names in the question and answer (Cramer's V)",
        "names are drawn at random, so that they must say nothing",
    ),
    threshold(
        "majority",
        0.97,
        "share of the most frequent answer of a family of count and other questions",
        "the generator leaves out forms above it: their answer hardly varies",
    ),
    threshold(
        "entropy",
        0.15,
        "least entropy of a family's answers, in bits",
        "about that of a majority of 0.97",
    ),
    threshold(
        "trivial",
        0.8,
        "share of items of a type whose answer ignores the actions",
        "about half is aimed at; more would let a reader skip the story",
    ),
    threshold(
        "attack_least",
        200.0,
        "items that a family must have to be held to the bounds that follow",
        "the 99 % interval of fewer is wider than what is to be told apart",
    ),
    threshold(
        "settled",
        0.95,
        "share of answers that the last action fixes, where it names an object asked about, from which on a family is \
         settled",
        "some fluents are settled by every action that touches them, so that there is less to tell apart",
    ),
    threshold(
        "family_attack",
        0.6,
        "accuracy, in a family of yes/no questions, of trees that see question and actions without the initial state, \
         and of the initial state's answer or its contrary",
        "an answer that depends on the state must take the state and the actions; a tenth is left to chance and to \
         what is likely",
    ),
    threshold(
        "settled_attack",
        0.7,
        "the same in a family that the last action settles",
        "where an action that touches an object settles the answer, whoever sees the action has it",
    ),
    threshold(
        "three_attack",
        0.75,
        "accuracy of the same trees, and of trees that see the initial state without the actions, in telling apart two of \
         three answers",
        "half of these questions come in threes that differ in the beginning alone, half in the actions alone; who sees \
         the one is right about half of them, and about every other one of the rest",
    ),
    threshold(
        "domain_attack",
        0.62,
        "the same for all yes/no questions of a domain",
        "that of families, and some room for those that are settled",
    ),
    threshold(
        "settled_share",
        0.2,
        "share of a domain's yes/no questions in families that the last action settles",
        "they test less, so that they are to be few",
    ),
    threshold(
        "pattern_attack",
        0.55,
        "accuracy of trees that see the form of a yes/no question and the pattern of its names, and nothing else",
        "which names are equal in a question must say nothing; a twentieth is left to what is likely",
    ),
    threshold(
        "choice_attack",
        0.6,
        "accuracy, in a family that lists what to choose from, of trees that see the question alone, or the actions as well",
        "something wrong is to stand beside what is right that looks like it, so that one of two is left; a tenth is left \
         to chance and to what is likely",
    ),
    threshold(
        "choice_initial",
        0.75,
        "accuracy, in such a family, of trees that see the question and the initial state without the actions",
        "two thirds may be as in the initial state, and of the rest a guess among four tells a quarter",
    ),
    threshold(
        "told_attack",
        0.85,
        "accuracy of the same trees in finding the told action that did not take place",
        "whoever knows what each action does sees which one the observed facts deny, if no later action hides it; the \
         trees find that in two thirds to four fifths",
    ),
    threshold(
        "answer_share",
        0.3,
        "share of the most frequent answer of a family of count or other questions with at least four answers",
        "always the same answer must be wrong mostly",
    ),
    threshold(
        "answer_pattern",
        0.6,
        "share of answers made of statements or actions that the question's pattern of names tells",
        "a half may be what is likely beside such a question, and a tenth is left to chance",
    ),
    threshold(
        "none_share",
        0.15,
        "share of the answer `none` in such a family",
        "`none` can be guessed without knowing a name",
    ),
    threshold(
        "unchanged_share",
        0.667,
        "share of items of a family of count or other questions with the answer that the initial state gives",
        "a third at least must take the actions",
    ),
];

/// The thresholds of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds(pub Vec<Threshold>);

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds(THRESHOLDS.to_vec())
    }
}

impl Thresholds {
    /// The defaults with changes of the form `NAME=VALUE`.
    ///
    /// # Errors
    /// In words: an unknown name, a value that is none.
    pub fn with(changes: &[String]) -> Result<Thresholds, String> {
        let mut all = Thresholds::default();
        for change in changes {
            let (name, value) = change.split_once('=').unwrap_or((change, ""));
            let known = || THRESHOLDS.map(|t| t.name).join(", ");
            let place = all.0.iter_mut().find(|t| t.name == name.trim());
            let place = place.ok_or_else(|| format!("--threshold: `{name}` is none of {}", known()))?;
            let value: Option<f64> = value.trim().parse().ok();
            place.value = value.filter(|v| v.is_finite() && *v >= 0.0).ok_or_else(|| {
                format!("--threshold takes NAME=NUMBER, as balance=0.1; `{change}` is not of that form")
            })?;
        }
        Ok(all)
    }

    /// The value of a threshold.
    pub fn of(&self, name: &str) -> f64 {
        self.0.iter().find(|t| t.name == name).map_or(0.0, |t| t.value)
    }
}
