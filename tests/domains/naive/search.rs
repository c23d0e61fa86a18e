//! Questions about goals and plans, answered by trying all actions one after the other, breadth first.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{World, executable_actions, of_domain, read, run, step, truth, words};

/// The most situations that are looked at.
const MOST: usize = 100_000;

/// The most situations that are looked at to find out whether something can ever be so, and what is cheapest; and what is
/// said where that is too few.
const MOST_EVER: usize = 1_500;
const MOST_PRICED: usize = 4_000;
pub const TOO_MANY: &str = "too many situations";

/// What is right to answer, and how many actions the fewest are that reach the goal, where there is one.
#[derive(Debug, PartialEq, Eq)]
pub struct Searched {
    /// The only right answer; none where any plan is right, and the given one is.
    pub answer: Option<Vec<String>>,
    pub fewest: Option<usize>,
}

/// The answers to questions of the groups goals and plans about one story; each comes with the answer in question.
pub fn searched(
    domain: &str,
    facts: &[String],
    plan: &[String],
    questions: &[(&str, &[String])],
) -> Result<Vec<Result<Searched, String>>, String> {
    of_domain!(domain, all_in(facts, plan, questions))
}

fn all_in<W: World>(
    facts: &[String],
    plan: &[String],
    questions: &[(&str, &[String])],
) -> Result<Vec<Result<Searched, String>>, String> {
    let initial = read::<W>(facts)?;
    let mut explored = Explored::of(run(&initial, plan)?)?;
    (explored.first, explored.told) = (initial, plan.len());
    Ok(questions.iter().map(|(query, given)| searched_in(&mut explored, query, given)).collect())
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

/// Everything that is true.
fn picture<W: World>(world: &W) -> Result<BTreeSet<String>, String> {
    let mut all = BTreeSet::new();
    for pattern in W::fluents() {
        for fluent in world.objects().ground(pattern) {
            if truth(world, &fluent)? {
                all.insert(fluent);
            }
        }
    }
    Ok(all)
}

/// A situation that was reached: what is true in it, and the actions that a shortest way to it begins with.
struct Found<W> {
    world: W,
    truths: BTreeSet<String>,
    distance: usize,
    firsts: BTreeSet<String>,
}

/// What was explored so far, layer by layer; all situations nearer than the outermost layer are expanded.
struct Explored<W> {
    found: Vec<Found<W>>,
    known: HashMap<BTreeSet<String>, usize>,
    expanded: usize,
    /// The initial situation, and how many actions led from it to where this starts.
    first: W,
    told: usize,
}

impl<W: World> Explored<W> {
    fn of(start: W) -> Result<Explored<W>, String> {
        let truths = picture(&start)?;
        let known = HashMap::from([(truths.clone(), 0)]);
        let initial = start.clone();
        let first = Found { world: start, truths, distance: 0, firsts: BTreeSet::new() };
        Ok(Explored { found: vec![first], known, expanded: 0, first: initial, told: 0 })
    }

    fn start(&self) -> &W {
        &self.found[0].world
    }

    /// Expands all situations nearer than a distance.
    fn grow(&mut self, distance: usize) -> Result<(), String> {
        while self.expanded < self.found.len() && self.found[self.expanded].distance < distance {
            let here = self.expanded;
            for action in executable_actions(&self.found[here].world)? {
                let after = step(&self.found[here].world, &action)?;
                let truths = picture(&after)?;
                let next = self.found.len();
                let to = *self.known.entry(truths.clone()).or_insert(next);
                let distance = self.found[here].distance + 1;
                if to == next {
                    self.found.push(Found { world: after, truths, distance, firsts: BTreeSet::new() });
                }
                if self.found[to].distance == distance {
                    let firsts = if distance == 1 {
                        BTreeSet::from([action])
                    } else {
                        self.found[here].firsts.clone()
                    };
                    self.found[to].firsts.extend(firsts);
                }
            }
            self.expanded += 1;
            if self.found.len() > MOST {
                return Err(TOO_MANY.to_owned());
            }
        }
        Ok(())
    }

    /// The fewest actions to a goal, and the actions that so short a plan begins with.
    fn shortest(&mut self, goal: &Goal, most: usize) -> Result<Option<(usize, BTreeSet<String>)>, String> {
        for distance in 0..=most {
            self.grow(distance)?;
            let met = self.found.iter().filter(|f| f.distance == distance && has(&f.truths, goal));
            let firsts: Vec<&BTreeSet<String>> = met.map(|found| &found.firsts).collect();
            if !firsts.is_empty() {
                return Ok(Some((distance, firsts.into_iter().flatten().cloned().collect())));
            }
        }
        Ok(None)
    }
}

fn has(truths: &BTreeSet<String>, goal: &Goal) -> bool {
    goal.iter().all(|(fluent, wanted)| truths.contains(fluent) == *wanted)
}

/// Can the actions be carried out, and do they reach the goal?
fn works<W: World>(start: &W, actions: &[String], goal: &Goal) -> Result<bool, String> {
    match run(start, actions) {
        Ok(end) => is_met(&end, goal),
        Err(_) => Ok(false),
    }
}

/// Can something ever be so, through worlds in all of which a fluent, if one is given, is true, or is false? All of them are
/// tried.
fn ever<W: World>(
    start: &W,
    held: Option<(&String, bool)>,
    sought: &dyn Fn(&W) -> Result<bool, String>,
) -> Result<bool, String> {
    let keeps = |world: &W| match held {
        Some((fluent, so)) => truth(world, fluent).map(|found| found == so),
        None => Ok(true),
    };
    let mut known = BTreeSet::from([picture(start)?]);
    let mut open = std::collections::VecDeque::from([start.clone()]);
    if !keeps(start)? {
        return Ok(false);
    }
    while let Some(world) = open.pop_front() {
        if sought(&world)? {
            return Ok(true);
        }
        for action in executable_actions(&world)? {
            let next = step(&world, &action)?;
            if keeps(&next)? && known.insert(picture(&next)?) {
                open.push_back(next);
            }
        }
        if known.len() > MOST_EVER {
            return Err(TOO_MANY.to_owned());
        }
    }
    Ok(false)
}

/// Whether something can ever be so, and how near it is where nothing has to stay true.
fn ever_in<W: World>(explored: &mut Explored<W>, question: &[String]) -> Result<Searched, String> {
    let start = explored.start().clone();
    let (held, asked) = match question {
        [_, held, asked] => (Some(held), asked),
        [_, asked] => (None, asked),
        _ => return Err("no question".to_owned()),
    };
    let is_action = question[0].contains("executable");
    let goal = match (is_action, held) {
        (true, _) => Goal::new(),
        (false, Some(_)) => vec![(asked.clone(), true)],
        (false, None) => goal_of(asked)?,
    };
    let sought = |world: &W| match is_action {
        true => Ok(executable_actions(world)?.contains(asked)),
        false => is_met(world, &goal),
    };
    if sought(&start)? || held.is_some_and(|fluent| truth(&start, fluent) != Ok(true)) {
        return Err("this should not be asked".to_owned());
    }
    let yes = ever(&start, held.map(|fluent| (fluent, true)), &sought)?;
    let mut fewest = None;
    if held.is_some() {
        for distance in 0..=8 {
            explored.grow(distance)?;
            let there = explored.found.iter().filter(|found| found.distance == distance);
            if there.map(|found| sought(&found.world)).collect::<Result<Vec<_>, _>>()?.contains(&true) {
                fewest = Some(distance);
                break;
            }
        }
    }
    Ok(Searched { answer: Some(vec![if yes { "yes" } else { "no" }.to_owned()]), fewest })
}

/// Which of the listed facts or actions can never be so, while a fluent, if one is given, stays true?
fn never_in<W: World>(explored: &Explored<W>, question: &[String]) -> Result<Searched, String> {
    let start = explored.start();
    let (held, list) = match question {
        [_, held, list] => (Some((held, true)), list),
        [_, list] => (None, list),
        _ => return Err("no question".to_owned()),
    };
    let is_action = question[0].contains("executable");
    let mut found = Vec::new();
    for option in &words(list)?[1..] {
        let sought = |world: &W| match is_action {
            true => Ok(executable_actions(world)?.contains(option)),
            false => truth(world, option),
        };
        if sought(start)? {
            return Err("this should not be asked".to_owned());
        }
        if !ever(start, held, &sought)? {
            found.push(option.clone());
        }
    }
    match found.len() {
        0 => Ok(Searched { answer: Some(vec!["none".to_owned()]), fewest: None }),
        1 => Ok(Searched { answer: Some(found), fewest: None }),
        count => Err(format!("{count} of the list can never be so")),
    }
}

/// Is a fact true at some time on every way to a goal, or which of several facts is?
fn landmark<W: World>(explored: &mut Explored<W>, question: &[String]) -> Result<Searched, String> {
    let start = explored.start().clone();
    let goal = goal_of(&question[1])?;
    let (nearest, _) = explored.shortest(&goal, 8)?.ok_or("the goal is not reached")?;
    let listed = match question[0].as_str() {
        "landmark" => vec![question[2].clone()],
        _ => words(&question[2])?[1..].to_vec(),
    };
    let mut found = Vec::new();
    for fact in &listed {
        if nearest == 0 || truth(&start, fact)? {
            return Err("this should not be asked".to_owned());
        }
        if !ever(&start, Some((fact, false)), &|world: &W| is_met(world, &goal))? {
            found.push(fact.clone());
        }
    }
    let answer = match (question[0].as_str(), found.as_slice()) {
        ("landmark", all) => if all.is_empty() { "no" } else { "yes" }.to_owned(),
        (_, [only]) => only.clone(),
        _ => return Err(format!("{} facts cannot be avoided", found.len())),
    };
    Ok(Searched { answer: Some(vec![answer]), fewest: Some(nearest) })
}

/// Which of the listed facts is such that the actions so far begin a shortest way to it?
fn recognised<W: World>(explored: &mut Explored<W>, question: &[String]) -> Result<Searched, String> {
    let mut found: Vec<(String, usize)> = Vec::new();
    for fact in &words(&question[1])?[1..] {
        let goal = vec![(fact.clone(), true)];
        let none = || format!("{fact} is not reached");
        let (left, _) = explored.shortest(&goal, 8)?.ok_or_else(none)?;
        let mut first = Explored::of(explored.first.clone())?;
        let (all, _) = first.shortest(&goal, explored.told + left)?.ok_or_else(none)?;
        if all == explored.told + left {
            found.push((fact.clone(), left));
        }
    }
    match found.as_slice() {
        [(fact, left)] => Ok(Searched { answer: Some(vec![fact.clone()]), fewest: Some(*left) }),
        _ => Err(format!("{} goals are served", found.len())),
    }
}

/// How far is a goal after a change, or does a plan reach it then? The only world that is as the change says, and else as before,
/// is looked for among those that can be reached.
fn replanned<W: World>(
    explored: &mut Explored<W>,
    question: &[String],
    given: &[String],
) -> Result<Searched, String> {
    let start = explored.found[0].truths.clone();
    let changes = goal_of(&question[1])?;
    explored.grow(3)?;
    // What is no longer true need not be told where it follows.
    let told = |fluent: &String, truths: &BTreeSet<String>| {
        let follows = || words(fluent).is_ok_and(|all| W::may_follow(&super::strs(&all)));
        changes.iter().any(|(one, _)| one == fluent) || !truths.contains(fluent) && follows()
    };
    let as_told = |found: &&Found<W>| {
        has(&found.truths, &changes)
            && found.truths.symmetric_difference(&start).all(|fluent| told(fluent, &found.truths))
    };
    // Nothing changes but what follows: the change is a part of that of any other such world.
    let change = |found: &Found<W>| -> BTreeSet<String> {
        found.truths.symmetric_difference(&start).cloned().collect()
    };
    let mut worlds: Vec<(usize, BTreeSet<String>)> = explored
        .found
        .iter()
        .enumerate()
        .filter(|(_, f)| as_told(f))
        .map(|(place, f)| (place, change(f)))
        .collect();
    worlds.sort_by_key(|(_, change)| change.len());
    let Some((place, least)) = worlds.first() else { return Err("no situation is as told".to_owned()) };
    if !worlds[1..].iter().all(|(_, change)| least.is_subset(change)) {
        return Err(format!("{} situations are as told", worlds.len()));
    }
    let place = *place;
    let mut there = Explored::of(explored.found[place].world.clone())?;
    let goal = goal_of(&question[2])?;
    let (fewest, _) = there.shortest(&goal, given.len().max(24))?.ok_or("the goal is not reached")?;
    if question[0] == "replan" {
        return Ok(Searched { answer: Some(vec![fewest.to_string()]), fewest: Some(fewest) });
    }
    if given.len() != fewest || !works(&explored.found[place].world, given, &goal)? {
        return Err(format!("{given:?} is no shortest plan, the fewest actions are {fewest}"));
    }
    Ok(Searched { answer: None, fewest: Some(fewest) })
}

/// The least cost of a way to a goal, where kinds of actions have costs: Dijkstra's search over all worlds, nearest by cost first.
fn priced<W: World>(
    explored: &Explored<W>,
    question: &[String],
    given: &[String],
) -> Result<Searched, String> {
    let goal = goal_of(&question[1])?;
    let mut costs: Vec<(String, usize)> = Vec::new();
    for cost in &words(&question[2])?[1..] {
        let [_, action, number] = &words(cost)?[..] else { return Err(format!("{cost} is no cost")) };
        costs.push((kind(action)?, number.parse().map_err(|_| format!("{cost} is no cost"))?));
    }
    let price = |action: &String| -> Result<usize, String> {
        let kind = kind(action)?;
        Ok(costs.iter().find(|(own, _)| *own == kind).map_or(1, |(_, cost)| *cost))
    };
    // By cost, worlds that are reached at it.
    let mut open = BTreeMap::from([(0, vec![explored.start().clone()])]);
    let mut known: BTreeSet<BTreeSet<String>> = BTreeSet::new();
    let mut least = None;
    while let Some((cost, worlds)) = open.pop_first() {
        for world in worlds {
            let truths = picture(&world)?;
            if has(&truths, &goal) {
                least = least.or(Some(cost));
                break;
            }
            if !known.insert(truths) {
                continue;
            }
            for action in executable_actions(&world)? {
                let next = step(&world, &action)?;
                open.entry(cost + price(&action)?).or_default().push(next);
            }
        }
        if known.len() > MOST_PRICED {
            return Err(TOO_MANY.to_owned());
        }
        if let Some(least) = least {
            let answer = match question[0].as_str() {
                "cost" => Some(vec![least.to_string()]),
                _ => {
                    let own: usize = given.iter().map(price).sum::<Result<usize, String>>()?;
                    if own != least || !works(explored.start(), given, &goal)? {
                        return Err(format!("{given:?} costs {own}, the least is {least}"));
                    }
                    None
                }
            };
            return Ok(Searched { answer, fewest: None });
        }
    }
    Err("the goal is not reached".to_owned())
}

/// The kind of an action: its name, and the types of its objects, or the table in place of one.
fn kind(action: &str) -> Result<String, String> {
    // Objects are a letter or more for their type, and a number.
    let types: Vec<String> = words(action)?
        .into_iter()
        .map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned())
        .collect();
    Ok(types.join(" "))
}

/// The only condition of the first action that fails that is not met; none where there is no such.
fn unmet<W: World>(start: &W, actions: &[String]) -> Result<Option<String>, String> {
    let Some(fails) = (1..=actions.len()).find(|count| run(start, &actions[..*count]).is_err()) else {
        return Ok(None);
    };
    let there = run(start, &actions[..fails - 1])?;
    // Two conditions may be about one fact.
    let mut found = BTreeSet::new();
    for (fluent, wanted) in there.conditions(&super::strs(&words(&actions[fails - 1])?)) {
        if truth(&there, &fluent)? != wanted {
            found.insert(if wanted { fluent } else { format!("neg({fluent})") });
        }
    }
    Ok(found.pop_first().filter(|_| found.is_empty()))
}

fn searched_in<W: World>(
    explored: &mut Explored<W>,
    query: &str,
    given: &[String],
) -> Result<Searched, String> {
    let start = explored.start().clone();
    let question = words(query)?;
    let yes = |truth: bool| Some(vec![if truth { "yes" } else { "no" }.to_owned()]);
    let number = |text: &String| text.parse::<usize>().map_err(|error| error.to_string());
    let refused = || format!("{query} should not be asked, or {given:?} is no answer");
    let name = question[0].as_str();
    if let "ever" | "ever_executable" | "ever_while" | "executable_while" = name {
        return ever_in(explored, &question);
    }
    if name.starts_with("never_") {
        return never_in(explored, &question);
    }
    if let "landmark" | "which_landmark" = name {
        return landmark(explored, &question);
    }
    if let "valid_plan" | "first_failure" | "why_failure" | "superfluous" | "superfluous_two" = name {
        let actions: Vec<String> = words(&question[1])?[1..].to_vec();
        let answer = match name {
            "first_failure" => {
                let fails = (1..=actions.len()).find(|count| run(&start, &actions[..*count]).is_err());
                Some(vec![fails.unwrap_or(0).to_string()])
            }
            "why_failure" => Some(vec![unmet(&start, &actions)?.ok_or_else(refused)?]),
            "valid_plan" => yes(works(&start, &actions, &goal_of(&question[2])?)?),
            _ => {
                let goal = goal_of(&question[2])?;
                if !works(&start, &actions, &goal)? {
                    return Err(refused());
                }
                let count = if name == "superfluous" { 1 } else { 2 };
                let mut spare = Vec::new();
                for place in 0..=actions.len() - count {
                    let mut rest = actions.clone();
                    let left_out: Vec<String> = rest.drain(place..place + count).collect();
                    if works(&start, &rest, &goal)? {
                        spare.push(left_out);
                    }
                }
                match &spare[..] {
                    [] => Some(vec!["none".to_owned()]),
                    [only] => Some(only.clone()),
                    _ => return Err(refused()),
                }
            }
        };
        return Ok(Searched { answer, fewest: None });
    }
    if name == "recognise" {
        return recognised(explored, &question);
    }
    if let "replan" | "new_plan" = name {
        return replanned(explored, &question, given);
    }
    if name == "cost" || name == "cheapest_plan" {
        return priced(explored, &question, given);
    }
    // Ways that are shown come first, each with its goal.
    let shown = if name == "reuse" {
        1
    } else if name == "generalise" {
        2
    } else {
        0
    };
    for pair in question[1..].chunks(2).take(shown) {
        let way = words(&pair[0])?[1..].to_vec();
        if given.len() > way.len() || !works(&start, &way, &goal_of(&pair[1])?)? {
            return Err(refused());
        }
    }
    let goal = goal_of(&question[1 + 2 * shown])?;
    let most = match (name, given) {
        ("reachable_in", _) => number(&question[2])? + 1,
        ("plan_length", [length]) => number(length)?,
        _ => given.len().max(24),
    };
    let (fewest, firsts) = explored.shortest(&goal, most)?.ok_or_else(refused)?;
    if fewest == 0 {
        return Err(refused());
    }
    let answer = match name {
        "reachable_in" => yes(fewest <= number(&question[2])?),
        "plan_length" => Some(vec![fewest.to_string()]),
        "next_choice" => {
            let listed: Vec<String> = words(&question[2])?[1..].to_vec();
            let good: Vec<String> = listed.into_iter().filter(|action| firsts.contains(action)).collect();
            if good.len() != 1 {
                return Err(refused());
            }
            Some(good)
        }
        "next_action" if firsts.len() == 1 => Some(firsts.into_iter().collect()),
        "plan" if given.len() == fewest && works(&start, given, &goal)? => None,
        "reuse" | "generalise" if works(&start, given, &goal)? => None,
        "plan_within" if given.len() <= number(&question[2])? && works(&start, given, &goal)? => None,
        _ => return Err(refused()),
    };
    Ok(Searched { answer, fewest: Some(fewest) })
}
