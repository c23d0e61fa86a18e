//! Questions about stories that are told in part, answered by going through all that may have been so: each thing of which
//! no place is told is put wherever it may be, and what does not agree with what is told is put aside.

use std::collections::BTreeSet;

use super::narrative::is_told;
use super::{successors, true_fluents, words};

type Facts = Vec<String>;

/// What is told of a story.
struct Told {
    /// Objects and what never changes.
    fixed: Facts,
    /// The fluents.
    fluents: BTreeSet<String>,
    left_out: Vec<String>,
    objects: Vec<(String, String)>,
}

impl Told {
    fn read(domain: &str, facts: &[String]) -> Result<Told, String> {
        let kinds = ["block", "location", "crane", "robot", "pile", "container", "city", "truck", "airplane"];
        let mut told =
            Told { fixed: Vec::new(), fluents: BTreeSet::new(), left_out: Vec::new(), objects: Vec::new() };
        for fact in facts {
            let atom = words(fact)?;
            let statics = ["adjacent", "attached", "belong", "in_city", "airport"];
            match atom[0].as_str() {
                "left_out" => told.left_out.push(atom[1].clone()),
                kind if kinds.contains(&kind) || kind == "object" => {
                    told.objects.push((kind.to_owned(), atom[1].clone()));
                    told.fixed.push(fact.clone());
                }
                name if statics.contains(&name) => told.fixed.push(fact.clone()),
                _ if is_told(domain, facts, fact) => drop(told.fluents.insert(fact.clone())),
                _ => {}
            }
        }
        Ok(told)
    }

    fn of(&self, kind: &str) -> Vec<String> {
        self.objects.iter().filter(|(k, _)| k == kind).map(|(_, id)| id.clone()).collect()
    }

    fn is_out(&self, id: &str) -> bool {
        self.left_out.iter().any(|out| out == id)
    }

    /// May this be so at first, by what is told of it alone?
    fn allows(&self, fluent: &str) -> bool {
        let named = words(fluent).expect("a fluent");
        self.fluents.contains(fluent) || named[1..].iter().any(|id| self.is_out(id))
    }

    /// The places of each thing that has one place at a time: fluents, and what each of them takes up.
    fn places(&self, domain: &str) -> Vec<Vec<(String, Option<String>)>> {
        let free = |fluent: String| (fluent, None);
        let taken = |fluent: String, what: &str| (fluent, Some(what.to_owned()));
        let mut all: Vec<Vec<(String, Option<String>)>> = Vec::new();
        match domain {
            "blocks" | "blocks_hand" => {
                for block in self.of("block") {
                    let mut places = vec![free(format!("ontable({block})"))];
                    if domain == "blocks_hand" {
                        places.push(taken(format!("holding({block})"), "hand"));
                    }
                    let lower = self.of("block").into_iter().filter(|lower| *lower != block);
                    places.extend(lower.map(|lower| taken(format!("on({block},{lower})"), &lower)));
                    all.push(places);
                }
            }
            "logistics" => {
                for vehicle in self.of("truck") {
                    let at = |place: String| free(format!("at({vehicle},{place})"));
                    all.push(self.of("location").into_iter().map(at).collect());
                }
                for vehicle in self.of("airplane") {
                    let airports = self.of("location").into_iter();
                    let airports = airports.filter(|l| self.fixed.contains(&format!("airport({l})")));
                    all.push(airports.map(|place| free(format!("at({vehicle},{place})"))).collect());
                }
                for object in self.of("object") {
                    let outside = self.of("location").into_iter();
                    let mut places: Vec<_> =
                        outside.map(|place| free(format!("outside_at({object},{place})"))).collect();
                    let vehicles = [self.of("truck"), self.of("airplane")].concat();
                    places.extend(vehicles.into_iter().map(|v| free(format!("in({object},{v})"))));
                    all.push(places);
                }
            }
            "dwr" => {
                for robot in self.of("robot") {
                    let at = |place: String| taken(format!("at({robot},{place})"), &place);
                    all.push(self.of("location").into_iter().map(at).collect());
                }
                for container in self.of("container") {
                    let mut places = Vec::new();
                    for robot in self.of("robot") {
                        places.push(taken(format!("loaded({robot},{container})"), &robot));
                    }
                    for crane in self.of("crane") {
                        places.push(taken(format!("holding({crane},{container})"), &crane));
                    }
                    for pile in self.of("pile") {
                        places.push(taken(format!("in({container},{pile})"), &pile));
                    }
                    for lower in self.of("container").into_iter().filter(|lower| *lower != container) {
                        places.push(taken(format!("on({container},{lower})"), &lower));
                    }
                    all.push(places);
                }
            }
            _ => {}
        }
        for places in &mut all {
            // That a container stands on the pallet of a pile is told of none.
            let unsaid = |fluent: &str| domain == "dwr" && fluent.starts_with("in(");
            let stated: Vec<_> =
                places.iter().filter(|(fluent, _)| self.fluents.contains(fluent)).cloned().collect();
            match stated.is_empty() {
                true => places.retain(|(fluent, _)| unsaid(fluent) || self.allows(fluent)),
                false => *places = stated,
            }
        }
        all
    }

    /// All that may be so at first.
    fn completions(&self, domain: &str) -> Result<Vec<Facts>, String> {
        let mut places = self.places(domain);
        // What has one place only comes first, so that it is taken when others are put somewhere.
        places.sort_by_key(Vec::len);
        let mut found: Vec<(Facts, BTreeSet<String>)> = vec![(Vec::new(), BTreeSet::new())];
        for choices in places {
            let mut longer = Vec::new();
            for (facts, taken) in &found {
                for (fluent, what) in &choices {
                    if what.as_ref().is_some_and(|what| taken.contains(what)) {
                        continue;
                    }
                    let (mut facts, mut taken) = (facts.clone(), taken.clone());
                    facts.push(fluent.clone());
                    taken.extend(what.clone());
                    longer.push((facts, taken));
                }
            }
            found = longer;
        }
        let mut all = Vec::new();
        for (facts, _) in found {
            let whole = [self.fixed.clone(), piled(domain, facts)].concat();
            let Ok(fluents) = true_fluents(domain, &whole, &[]) else { continue };
            let named =
                |fluent: &String| words(fluent).expect("a fluent")[1..].iter().any(|id| self.is_out(id));
            let stated = fluents.into_iter().filter(|f| is_told(domain, &whole, f) && !named(f));
            if stated.collect::<BTreeSet<String>>() == self.fluents {
                all.push(whole);
            }
        }
        Ok(all)
    }
}

/// A container on another one is in the pile of that.
fn piled(domain: &str, mut facts: Facts) -> Facts {
    if domain != "dwr" {
        return facts;
    }
    let pairs = |facts: &Facts, name: &str| -> Vec<[String; 2]> {
        let all = facts.iter().map(|fact| words(fact).expect("a fact"));
        all.filter(|atom| atom[0] == name).map(|atom| [atom[1].clone(), atom[2].clone()]).collect()
    };
    loop {
        let (on, inside) = (pairs(&facts, "on"), pairs(&facts, "in"));
        let next = on.iter().find_map(|[upper, lower]| {
            let pile = inside.iter().find(|[container, _]| container == lower)?;
            let fact = format!("in({upper},{})", pile[1]);
            (!facts.contains(&fact)).then_some(fact)
        });
        match next {
            Some(fact) => facts.push(fact),
            None => return facts,
        }
    }
}

/// The answer to a question of the groups unknown and hidden, and the number of completions.
///
/// # Errors
/// Facts that cannot be read; questions that should not have been asked.
pub fn partly(
    domain: &str,
    facts: &[String],
    plan: &[String],
    query: &str,
) -> Result<(String, usize), String> {
    let question = words(query)?;
    let listed = || -> Result<Vec<String>, String> { Ok(words(&question[1])?[1..].to_vec()) };
    match question[0].as_str() {
        name @ ("possible" | "safe" | "hidden_fact") => {
            let (mut some, mut all, mut count) = (false, true, 0);
            for whole in Told::read(domain, facts)?.completions(domain)? {
                let Ok(end) = true_fluents(domain, &whole, plan) else { continue };
                count += 1;
                let is_so = match name {
                    "possible" => end.contains(&question[1]),
                    "hidden_fact" => true_fluents(domain, &whole, &[])?.contains(&question[1]),
                    _ => successors(domain, &whole, plan)?.contains(&question[1]),
                };
                some |= is_so;
                all &= is_so;
            }
            let three = if name == "safe" {
                ["surely", "surely_not", "possibly"]
            } else {
                ["yes", "no", "undecided"]
            };
            let place = match (some, all) {
                (true, true) => 0,
                (false, _) => 1,
                _ => 2,
            };
            Ok((three[place].to_owned(), count))
        }
        "settles" => {
            let options = words(&question[2])?[1..].to_vec();
            let mut ways = Vec::new();
            for whole in Told::read(domain, facts)?.completions(domain)? {
                let Ok(end) = true_fluents(domain, &whole, plan) else { continue };
                let first = true_fluents(domain, &whole, &[])?;
                ways.push((first, end.contains(&question[1])));
            }
            // What is so at the end, by whether the option is true.
            let settles = |option: &&String| {
                [true, false].into_iter().all(|known| {
                    let ends = ways.iter().filter(|(first, _)| first.contains(*option) == known);
                    ends.map(|(_, end)| *end).collect::<BTreeSet<bool>>().len() < 2
                })
            };
            let right: Vec<&String> = options.iter().filter(settles).collect();
            match right.as_slice() {
                [only] => Ok(((*only).clone(), ways.len())),
                several => Err(format!("{} of the statements settle it", several.len())),
            }
        }
        "hidden_action" => {
            let step = plan.iter().position(|action| action == "untold").ok_or("nothing is untold")?;
            let mut explanations = Vec::new();
            for action in successors(domain, facts, &plan[..step])? {
                let mut done = plan.to_vec();
                done[step].clone_from(&action);
                explanations.extend(true_fluents(domain, facts, &done).ok().map(|end| (action, end)));
            }
            explained(explanations, &listed()?)
        }
        "failed_action" => {
            let mut explanations = Vec::new();
            for step in 0..plan.len() {
                let mut done = plan.to_vec();
                done.remove(step);
                let end = true_fluents(domain, facts, &done).ok();
                explanations.extend(end.map(|end| ((step + 1).to_string(), end)));
            }
            explained(explanations, &listed()?)
        }
        _ => Err(format!("unknown question {query}")),
    }
}

/// The only explanation of what is observed, and the number of all.
fn explained(all: Vec<(String, Facts)>, observed: &[String]) -> Result<(String, usize), String> {
    let is_so =
        |end: &Facts, fact: &str| match fact.strip_prefix("neg(").and_then(|rest| rest.strip_suffix(')')) {
            Some(denied) => end.iter().all(|one| one != denied),
            None => end.iter().any(|one| one == fact),
        };
    let fits = |end: &Facts| observed.iter().all(|fact| is_so(end, fact));
    let right: Vec<&String> = all.iter().filter(|(_, end)| fits(end)).map(|(name, _)| name).collect();
    match right.as_slice() {
        [only] => Ok(((*only).clone(), all.len())),
        several => Err(format!("{} explanations", several.len())),
    }
}
