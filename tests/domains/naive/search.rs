//! Questions about goals and plans, answered by trying all actions one after the other, breadth first.

use std::collections::{BTreeSet, HashSet};

use super::{World, blocks, blocks_hand, dwr, executable_actions, generic, logistics, read, run, step, truth, words};

/// The most situations that are looked at.
const MOST: usize = 20_000;

/// What is right to answer, and how many actions the fewest are that reach the goal, where there is one.
#[derive(Debug, PartialEq, Eq)]
pub struct Searched {
    /// The only right answer; none where any plan is right, and the given one is.
    pub answer: Option<Vec<String>>,
    pub fewest: Option<usize>,
}

/// The answer to a question of the groups goals and plans; `given` is the answer in question.
pub fn searched(
    domain: &str,
    facts: &[String],
    plan: &[String],
    query: &str,
    given: &[String],
) -> Result<Searched, String> {
    match domain {
        "blocks" => searched_in::<blocks::Blocks>(facts, plan, query, given),
        "blocks_hand" => searched_in::<blocks_hand::BlocksHand>(facts, plan, query, given),
        "logistics" => searched_in::<logistics::Logistics>(facts, plan, query, given),
        "dwr" => searched_in::<dwr::Dwr>(facts, plan, query, given),
        "generic" => searched_in::<generic::Generic>(facts, plan, query, given),
        _ => Err(format!("unknown domain {domain}")),
    }
}

type Goal = Vec<(String, bool)>;

fn goal_of(text: &str) -> Result<Goal, String> {
    let literal = |text: &String| -> Result<(String, bool), String> {
        let all = words(text)?;
        Ok(if all[0] == "neg" { (all[1].clone(), false) } else { (text.clone(), true) })
    };
    words(text)?[1..].iter().map(literal).collect()
}

fn is_met<W: World>(world: &W, goal: &Goal) -> Result<bool, String> {
    for (fluent, wanted) in goal {
        if truth(world, fluent)? != *wanted {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Everything that is true, as a text.
fn picture<W: World>(world: &W) -> Result<String, String> {
    let mut all = String::new();
    for pattern in W::FLUENTS {
        for fluent in world.objects().ground(pattern) {
            all.push(if truth(world, &fluent)? { '1' } else { '0' });
        }
    }
    Ok(all)
}

/// The fewest actions to a goal, and the actions that so short a plan begins with.
fn shortest<W: World>(start: &W, goal: &Goal, most: usize) -> Result<Option<(usize, BTreeSet<String>)>, String> {
    if is_met(start, goal)? {
        return Ok(Some((0, BTreeSet::new())));
    }
    let mut known: HashSet<String> = HashSet::from([picture(start)?]);
    let mut layer: Vec<(W, BTreeSet<String>)> = vec![(start.clone(), BTreeSet::new())];
    for distance in 1..=most {
        let mut next: Vec<(W, BTreeSet<String>, String)> = Vec::new();
        for (world, firsts) in &layer {
            for action in executable_actions(world)? {
                let after = step(world, &action)?;
                let seen = picture(&after)?;
                if known.contains(&seen) {
                    continue;
                }
                let firsts =
                    if distance == 1 { BTreeSet::from([action]) } else { firsts.clone() };
                match next.iter_mut().find(|(.., other)| *other == seen) {
                    Some((_, known, _)) => known.extend(firsts),
                    None => next.push((after, firsts, seen)),
                }
            }
        }
        let mut found: Option<BTreeSet<String>> = None;
        for (world, firsts, _) in &next {
            if is_met(world, goal)? {
                found.get_or_insert_default().extend(firsts.iter().cloned());
            }
        }
        if let Some(firsts) = found {
            return Ok(Some((distance, firsts)));
        }
        known.extend(next.iter().map(|(.., seen)| seen.clone()));
        if known.len() > MOST {
            return Err("too many situations".to_owned());
        }
        layer = next.into_iter().map(|(world, firsts, _)| (world, firsts)).collect();
    }
    Ok(None)
}

/// Can the actions be carried out, and do they reach the goal?
fn works<W: World>(start: &W, actions: &[String], goal: &Goal) -> Result<bool, String> {
    match run(start, actions) {
        Ok(end) => is_met(&end, goal),
        Err(_) => Ok(false),
    }
}

fn searched_in<W: World>(
    facts: &[String],
    plan: &[String],
    query: &str,
    given: &[String],
) -> Result<Searched, String> {
    let start = run(&read::<W>(facts)?, plan)?;
    let question = words(query)?;
    let yes = |truth: bool| Some(vec![if truth { "yes" } else { "no" }.to_owned()]);
    let number = |text: &String| text.parse::<usize>().map_err(|error| error.to_string());
    let refused = || format!("{query} should not be asked, or {given:?} is no answer");
    let name = question[0].as_str();
    if let "valid_plan" | "first_failure" | "superfluous" = name {
        let actions: Vec<String> = words(&question[1])?[1..].to_vec();
        let answer = match name {
            "first_failure" => {
                let fails = (1..=actions.len()).find(|count| run(&start, &actions[..*count]).is_err());
                Some(vec![fails.unwrap_or(0).to_string()])
            }
            "valid_plan" => yes(works(&start, &actions, &goal_of(&question[2])?)?),
            _ => {
                let goal = goal_of(&question[2])?;
                if !works(&start, &actions, &goal)? {
                    return Err(refused());
                }
                let mut spare = Vec::new();
                for place in 0..actions.len() {
                    let mut rest = actions.clone();
                    let left_out = rest.remove(place);
                    if works(&start, &rest, &goal)? {
                        spare.push(left_out);
                    }
                }
                match spare.len() {
                    0 => Some(vec!["none".to_owned()]),
                    1 => Some(spare),
                    _ => return Err(refused()),
                }
            }
        };
        return Ok(Searched { answer, fewest: None });
    }
    let goal = goal_of(&question[1])?;
    let most = if name == "reachable_in" { number(&question[2])? + 1 } else { given.len().max(9) };
    let (fewest, firsts) = shortest(&start, &goal, most)?.ok_or_else(refused)?;
    if fewest == 0 {
        return Err(refused());
    }
    let answer = match name {
        "reachable_in" => yes(fewest <= number(&question[2])?),
        "plan_length" => Some(vec![fewest.to_string()]),
        "next_action" if firsts.len() == 1 => Some(firsts.into_iter().collect()),
        "plan" if given.len() == fewest && works(&start, given, &goal)? => None,
        "plan_within" if given.len() <= number(&question[2])? && works(&start, given, &goal)? => None,
        _ => return Err(refused()),
    };
    Ok(Searched { answer, fewest: Some(fewest) })
}
