//! The shared phrase book to the groups of questions that `--ask` takes.

use crate::domain::embedded::common_book;
use crate::phrases::book::PhraseBook;

/// The group of questions about the situation after the actions, and the only one unless others are asked for.
pub const PREDICTION: &str = "prediction";
/// The groups of stories that are told in part.
pub const UNKNOWN: &str = "unknown";
/// Likewise.
pub const HIDDEN: &str = "hidden";
/// The group of questions that are made of several others.
pub const COMPOSITE: &str = "composite";
/// The group of questions that may name what the text does not have.
pub const UNDEFINED: &str = "undefined";
/// The groups beyond prediction whose answers are explained (`--rationale`).
pub const EXPLAINED: [&str; 9] =
    ["time", "whatif", "goals", "ever", "plans", HIDDEN, UNKNOWN, COMPOSITE, UNDEFINED];
/// The group of questions about what can ever be so.
const EVER: &str = "ever";
/// All groups.
const ALL: &str = "all";

/// Are the questions of a group about stories that are told in part, and answered from all their completions?
pub fn is_partly(group: &str) -> bool {
    [UNKNOWN, HIDDEN].contains(&group)
}

/// Are the questions of a group made of questions of others, so that it has no story of its own to ask about?
pub fn is_about_questions(group: &str) -> bool {
    [COMPOSITE, UNDEFINED].contains(&group)
}

/// The name of a group that has questions which come in threes, one for each answer.
pub fn in_threes(group: &str) -> Option<&'static str> {
    [UNKNOWN, UNDEFINED].into_iter().find(|known| *known == group)
}

/// The name of a group that has questions with three answers which come in fours.
pub fn in_fours(group: &str) -> Option<&'static str> {
    (group == HIDDEN).then_some(HIDDEN)
}

/// The family that asks what was so at first, and is not told.
pub const HIDDEN_FACT: &str = "hidden_fact";
/// The family that asks what is sure, whatever came of actions with several outcomes.
pub const MUST: &str = "must";
/// The family that asks whether something is possible.
pub const MAY: &str = "may";
/// The families of the group [`UNKNOWN`] that are asked where actions have several outcomes, and only there.
const OF_OUTCOMES: [&str; 2] = [MUST, MAY];

/// Does the family ask whether something is sure, or possible, whatever came of actions with several outcomes?
pub fn is_of_outcomes(family: &str) -> bool {
    OF_OUTCOMES.contains(&family)
}

/// Is a family asked where actions have several outcomes, or where they have not?
pub fn suits(family: &str, outcomes: bool) -> bool {
    is_of_outcomes(family) == outcomes
}

/// The groups that are asked of stories whose actions have several outcomes: what such actions lead to is not one situation.
pub fn with_outcomes() -> [&'static str; 1] {
    [UNKNOWN]
}

/// The kinds of questions that a group has: verify, count, other. `outcomes`: have actions several outcomes?
pub fn kinds(group: &str, outcomes: bool) -> [bool; 3] {
    match group {
        UNKNOWN if outcomes => [true, false, false],
        UNKNOWN | HIDDEN | UNDEFINED => [false, false, true],
        COMPOSITE => [true, false, false],
        EVER => [true, false, true],
        _ => [true; 3],
    }
}

/// The groups beyond prediction that a book has wordings for, in its order.
pub fn further_groups(common: &PhraseBook) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for family in &common.families {
        if !found.contains(&family.group.as_str()) {
            found.push(&family.group);
        }
    }
    found
}

/// Reads `prediction,time` or `all`: the groups in the order of the book, prediction first; none of them for prediction
/// alone.
///
/// # Errors
/// A group that there is not, in words.
pub fn asked_groups(text: &str) -> Result<Vec<String>, String> {
    let book = common_book().map_err(|faults| faults.to_string())?;
    let mut known = vec![PREDICTION];
    known.extend(further_groups(&book));
    let named: Vec<&str> = text.split(',').map(str::trim).collect();
    if let Some(unknown) = named.iter().find(|name| **name != ALL && !known.contains(*name)) {
        let known = known.join(", ");
        return Err(format!(
            "--ask: there is no group of questions `{unknown}`; it takes some of {known}, or all"
        ));
    }
    let wanted = known.iter().filter(|group| named.contains(&ALL) || named.contains(*group));
    let wanted: Vec<String> = wanted.map(|group| (*group).to_owned()).collect();
    Ok(if wanted == [PREDICTION] { Vec::new() } else { wanted })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_read_in_one_order() {
        assert_eq!(asked_groups("prediction"), Ok(vec![]));
        assert_eq!(asked_groups("time, prediction"), Ok(vec!["prediction".into(), "time".into()]));
        let all = asked_groups("all").unwrap();
        assert!(all.starts_with(&["prediction".into(), "time".into(), "whatif".into()]), "{all:?}");
        assert!(asked_groups("tme").unwrap_err().contains("`tme`"));
    }
}
