//! Questions about a whole story, and about a story with one action changed, answered by running the story again and
//! again: what was true is looked up in the list of what was true each time.

use std::collections::BTreeSet;

use super::{answer, strs, successors, true_fluents, words};

type Truths = BTreeSet<String>;

/// Is a statement of this kind part of a description of an initial situation, by the words of the phrase books?
pub(super) fn is_told(domain: &str, facts: &[String], fluent: &str) -> bool {
    let words = words(fluent).expect("a fluent");
    let is = |id: &str, kind: &str| facts.contains(&format!("{kind}({id})"));
    match (domain, strs(&words).as_slice()) {
        ("blocks" | "blocks_hand", ["clear", _]) => false,
        ("dwr", ["in", ..] | ["occupied", _]) => false,
        ("logistics", ["at", thing, _]) => !is(thing, "object"),
        ("logistics", ["outside", _]) => false,
        // What laws define follows.
        (_, [name, ..]) => !super::invented::is_law(domain, name),
        _ => true,
    }
}

/// The answer, and which situation decides it, if one does.
type Found = (Vec<String>, Option<usize>);

/// The answer to a question of the groups beyond prediction.
///
/// # Errors
/// As [`answer`]; questions that should not have been asked.
pub fn further(domain: &str, facts: &[String], plan: &[String], query: &str) -> Result<Found, String> {
    let question = words(query)?;
    let (name, arguments) = (question[0].as_str(), &question[1..]);
    if ["without", "instead", "swapped"].contains(&name) {
        return edited(domain, facts, plan, name, arguments);
    }
    let mut passed: Vec<Truths> = Vec::new();
    for count in 0..=plan.len() {
        passed.push(true_fluents(domain, facts, &plan[..count])?.into_iter().collect());
    }
    let first = |fluent: &str| passed.iter().position(|truths| truths.contains(fluent));
    let last = |fluent: &str| passed.iter().rposition(|truths| truths.contains(fluent));
    let at = |time: usize, fluent: &str| passed[time].contains(fluent);
    let asked = |found: Option<usize>| found.ok_or(format!("{query} should not be asked"));
    let yes = |truth: bool| vec![if truth { "yes" } else { "no" }.to_owned()];
    let end = plan.len();
    let subject = arguments.first().map(String::as_str).unwrap_or_default();
    Ok(match name {
        "first_time" => {
            let time = asked(first(subject))?;
            (vec![time.to_string()], Some(time))
        }
        "last_time" => {
            let time = asked(last(subject))?;
            (vec![time.to_string()], Some(time))
        }
        "how_often" => {
            let changes = (1..=end).filter(|time| at(*time, subject) != at(time - 1, subject));
            (vec![changes.count().to_string()], None)
        }
        "how_long" => {
            let times = (0..=end).filter(|time| at(*time, subject));
            (vec![times.count().to_string()], None)
        }
        "always" => {
            let lapse = (0..=end).find(|time| !at(*time, subject));
            (yes(lapse.is_none()), lapse)
        }
        "at_some_time" => (yes(first(subject).is_some()), first(subject)),
        "before" => {
            let other = asked(first(&arguments[1]).filter(|time| *time > 0))?;
            (yes((0..other).any(|time| at(time, subject))), Some(other))
        }
        "cause" => {
            let gain = (1..=end).rev().find(|time| at(*time, subject) && !at(time - 1, subject));
            let time = asked(gain.filter(|_| at(end, subject)))?;
            (vec![plan[time - 1].clone()], Some(time))
        }
        "becomes_true" | "becomes_false" => {
            let mut longer = plan.to_vec();
            longer.push(subject.to_owned());
            let next: Truths = true_fluents(domain, facts, &longer)?.into_iter().collect();
            let (more, less) =
                if name == "becomes_true" { (&next, &passed[end]) } else { (&passed[end], &next) };
            let told = more.difference(less).filter(|fluent| is_told(domain, facts, fluent));
            (listed(told.cloned().collect()), None)
        }
        "all_executable" => (listed(successors(domain, facts, plan)?), None),
        "count_inexecutable" => {
            let can = successors(domain, facts, plan)?;
            let list = words(subject)?;
            let not = list[1..].iter().filter(|action| !can.contains(action));
            (vec![not.count().to_string()], None)
        }
        "whole_state" | "all_about" => {
            let names = |fluent: &&String| {
                let words = words(fluent).expect("a fluent");
                name == "whole_state" || words[1..].iter().any(|word| word == subject)
            };
            let told = passed[end].iter().filter(|fluent| is_told(domain, facts, fluent)).filter(names);
            (listed(told.cloned().collect()), None)
        }
        _ => return Err(format!("unknown question {query}")),
    })
}

fn listed(mut all: Vec<String>) -> Vec<String> {
    all.sort();
    if all.is_empty() { vec!["none".to_owned()] } else { all }
}

/// The story with an edit: what cannot be done when its turn comes is not done.
fn edited(
    domain: &str,
    facts: &[String],
    plan: &[String],
    name: &str,
    arguments: &[String],
) -> Result<Found, String> {
    let number = |place: usize| arguments[place].parse::<usize>().map_err(|error| error.to_string());
    let step = number(0)?;
    let mut due: Vec<String> = plan.to_vec();
    let (last, inner) = match name {
        "without" => {
            due.remove(step - 1);
            (step, &arguments[1])
        }
        "instead" => {
            due[step - 1].clone_from(&arguments[1]);
            (step, &arguments[2])
        }
        _ => {
            let other = number(1)?;
            due.swap(step - 1, other - 1);
            (step.max(other), &arguments[2])
        }
    };
    let mut done: Vec<String> = Vec::new();
    for action in due {
        if successors(domain, facts, &done)?.contains(&action) {
            done.push(action);
        }
    }
    Ok((answer(domain, facts, &done, inner)?, Some(last)))
}
