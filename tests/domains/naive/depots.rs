//! Depots: a crate is in a stack on a pallet, hangs from a hoist, or is in a truck. A hoist lifts the top of a stack at its
//! depot, puts what it holds on a pallet without a stack or on the top of a stack there, and loads and unloads trucks there.

use std::collections::BTreeMap;

use super::{Answer, Objects, World};

#[derive(Clone)]
pub struct Depots {
    objects: Objects,
    /// The depots of pallets, hoists and trucks.
    depots: BTreeMap<String, String>,
    /// The crates of each pallet, from the lowest to the highest.
    stacks: BTreeMap<String, Vec<String>>,
    /// What each hoist holds.
    held: BTreeMap<String, String>,
    /// The trucks of crates.
    loads: BTreeMap<String, String>,
}

impl Depots {
    /// The pallet of a crate's stack, and how many crates are below it.
    fn stack(&self, crate_: &str) -> Option<(&str, usize)> {
        self.stacks.iter().find_map(|(pallet, stack)| {
            let place = stack.iter().position(|other| other == crate_)?;
            Some((pallet.as_str(), place))
        })
    }

    fn hoist(&self, crate_: &str) -> Option<&str> {
        self.held.iter().find(|(_, held)| *held == crate_).map(|(hoist, _)| hoist.as_str())
    }

    fn truck(&self, crate_: &str) -> Option<&str> {
        self.loads.get(crate_).map(String::as_str)
    }

    /// The depot of a crate, wherever it is there.
    fn depot(&self, crate_: &str) -> Option<&str> {
        let bearer =
            self.stack(crate_).map(|(pallet, _)| pallet).or(self.hoist(crate_)).or(self.truck(crate_))?;
        self.depots.get(bearer).map(String::as_str)
    }

    fn is_pallet(&self, surface: &str) -> bool {
        self.stacks.contains_key(surface)
    }

    /// What is directly under a crate.
    fn under(&self, crate_: &str) -> Option<&str> {
        let (pallet, place) = self.stack(crate_)?;
        Some(if place == 0 { pallet } else { &self.stacks[pallet][place - 1] })
    }

    fn clear(&self, surface: &str) -> bool {
        match self.stacks.get(surface) {
            Some(stack) => stack.is_empty(),
            None => self.stack(surface).is_some_and(|(pallet, n)| n + 1 == self.stacks[pallet].len()),
        }
    }

    fn free(&self, hoist: &str) -> bool {
        !self.held.contains_key(hoist)
    }

    fn lifts(&self, hoist: &str, crate_: &str) -> bool {
        self.free(hoist) && self.clear(crate_) && self.depot(crate_) == Some(&self.depots[hoist])
    }

    fn puts(&self, hoist: &str, surface: &str) -> bool {
        let depot = if self.is_pallet(surface) {
            self.depots.get(surface).map(String::as_str)
        } else {
            self.depot(surface)
        };
        !self.free(hoist) && self.clear(surface) && depot == Some(&self.depots[hoist])
    }

    fn loads(&self, hoist: &str, truck: &str) -> bool {
        !self.free(hoist) && self.depots[hoist] == self.depots[truck]
    }

    fn unloads(&self, hoist: &str, crate_: &str) -> bool {
        self.free(hoist) && self.truck(crate_).is_some_and(|truck| self.depots[truck] == self.depots[hoist])
    }

    fn crates_at(&self, depot: &str) -> usize {
        self.those("crate", |c| self.depot(c) == Some(depot)).len()
    }

    /// The crates of the same stack that are higher, or lower.
    fn others(&self, crate_: &str, higher: bool) -> Vec<String> {
        let Some((pallet, place)) = self.stack(crate_) else { return vec![] };
        let stack = &self.stacks[pallet];
        if higher { stack[place + 1..].to_vec() } else { stack[..place].to_vec() }
    }
}

/// The stack that stands on a pallet: what is on it, what is on that, and so on.
fn stack_on(pallet: &str, on: &BTreeMap<&str, &str>) -> Vec<String> {
    let mut stack: Vec<String> = Vec::new();
    let mut below = pallet;
    while let Some(above) = on.get(below) {
        if stack.iter().any(|known| known == above) {
            break;
        }
        stack.push((*above).to_owned());
        below = above;
    }
    stack
}

impl World for Depots {
    const TYPES: &'static [&'static str] = &["depot", "truck", "hoist", "pallet", "crate"];
    const FLUENTS: &'static [&'static str] = &[
        "at(truck,depot)",
        "on(crate,pallet)",
        "on(crate,crate)",
        "holding(hoist,crate)",
        "in(crate,truck)",
        "stacked(crate,pallet)",
        "at(crate,depot)",
        "clear(crate)",
        "clear(pallet)",
        "free(hoist)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "drive(truck,depot)",
        "lift(hoist,crate)",
        "put(hoist,pallet)",
        "put(hoist,crate)",
        "load(hoist,truck)",
        "unload(hoist,crate)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "above(crate,crate)",
        "same_stack(crate,crate)",
        "together(crate,crate)",
        "meets(truck,crate)",
        "at_bottom(crate)",
        "liftable(crate)",
        "loads_any(truck)",
        "puts_any(hoist)",
        "taller(pallet,pallet)",
        "any_crate_at(depot)",
        "any_truck_at(depot)",
        "more_at(depot,depot)",
        "carries(truck)",
        "crates_held",
        "crates_in_trucks",
        "crates_stacked",
        "tallest",
        "how_many_above(crate)",
        "how_many_below(crate)",
        "how_many_lift(hoist)",
        "how_many_put(hoist)",
        "hoists_for(truck)",
        "depots_with_crate",
        "crates_above(crate)",
        "crates_below(crate)",
        "top_of(pallet)",
        "which_lift(hoist)",
        "which_unload(hoist)",
        "which_pallets(hoist)",
        "beside(crate)",
        "which_held",
        "which_in_trucks",
        "trucks_with(crate)",
        "which_load(truck)",
        "most_crates",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let (mut depots, mut held, mut loads) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut on: BTreeMap<&str, &str> = BTreeMap::new();
        for fact in facts {
            match fact.as_slice() {
                ["pallet_at" | "hoist_at", thing, depot] => {
                    depots.insert((*thing).to_owned(), (*depot).to_owned());
                }
                ["at", truck, depot] if objects.is(truck, "truck") => {
                    depots.insert((*truck).to_owned(), (*depot).to_owned());
                }
                ["on", upper, lower] => {
                    if on.insert(*lower, *upper).is_some() {
                        return Err(format!("two crates are on {lower}"));
                    }
                }
                ["holding", hoist, crate_] => drop(held.insert((*hoist).to_owned(), (*crate_).to_owned())),
                ["in", crate_, truck] => drop(loads.insert((*crate_).to_owned(), (*truck).to_owned())),
                ["at" | "stacked" | "clear" | "free", ..] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        let stacks = objects.of("pallet").into_iter().map(|pallet| {
            let stack = stack_on(&pallet, &on);
            (pallet, stack)
        });
        let world = Depots { stacks: stacks.collect(), objects, depots, held, loads };
        for kind in ["pallet", "hoist", "truck"] {
            if let Some(id) = world.objects.of(kind).iter().find(|id| !world.depots.contains_key(*id)) {
                return Err(format!("{id} is at no depot"));
            }
        }
        match world.objects.of("crate").iter().find(|id| world.depot(id).is_none()) {
            Some(id) => Err(format!("{id} has no place")),
            None => Ok(world),
        }
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["at", thing, depot] if self.objects.is(thing, "truck") => self.depots[*thing] == *depot,
            ["at", crate_, depot] => self.depot(crate_) == Some(depot),
            ["on", crate_, surface] => self.under(crate_) == Some(surface),
            ["holding", hoist, crate_] => self.hoist(crate_) == Some(hoist),
            ["in", crate_, truck] => self.truck(crate_) == Some(truck),
            ["stacked", crate_, pallet] => self.stack(crate_).is_some_and(|(p, _)| p == *pallet),
            ["clear", surface] => self.clear(surface),
            ["free", hoist] => self.free(hoist),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["drive", truck, depot] => self.depots[*truck] != *depot,
            ["lift", hoist, crate_] => self.lifts(hoist, crate_),
            ["put", hoist, surface] => self.puts(hoist, surface),
            ["load", hoist, truck] => self.loads(hoist, truck),
            ["unload", hoist, crate_] => self.unloads(hoist, crate_),
            _ => panic!("no action {action:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        let trucks = self.objects.of("truck");
        match action {
            ["lift", hoist, crate_] => vec![
                (format!("free({hoist})"), true),
                (format!("clear({crate_})"), true),
                (format!("at({crate_},{})", self.depots[*hoist]), true),
            ],
            ["put", hoist, surface] => {
                let mut all = vec![(format!("free({hoist})"), false), (format!("clear({surface})"), true)];
                if !self.is_pallet(surface) {
                    all.push((format!("at({surface},{})", self.depots[*hoist]), true));
                }
                all
            }
            ["load", hoist, truck] => vec![
                (format!("free({hoist})"), false),
                (format!("at({truck},{})", self.depots[*hoist]), true),
            ],
            // With several trucks the crate may be in any of them.
            ["unload", hoist, crate_] if trucks.len() == 1 => vec![
                (format!("free({hoist})"), true),
                (format!("in({crate_},{})", trucks[0]), true),
                (format!("at({},{})", trucks[0], self.depots[*hoist]), true),
            ],
            _ => vec![],
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["drive", truck, depot] => {
                self.depots.insert((*truck).to_owned(), (*depot).to_owned());
            }
            ["lift", hoist, crate_] => {
                for stack in self.stacks.values_mut() {
                    stack.retain(|other| other != crate_);
                }
                self.held.insert((*hoist).to_owned(), (*crate_).to_owned());
            }
            ["put", hoist, surface] => {
                let pallet = match self.stack(surface) {
                    Some((pallet, _)) => pallet.to_owned(),
                    None => (*surface).to_owned(),
                };
                let crate_ = self.held.remove(*hoist).ok_or("the hoist holds nothing")?;
                self.stacks.get_mut(&pallet).ok_or("there is no such stack")?.push(crate_);
            }
            ["load", hoist, truck] => {
                let crate_ = self.held.remove(*hoist).ok_or("the hoist holds nothing")?;
                self.loads.insert(crate_, (*truck).to_owned());
            }
            ["unload", hoist, crate_] => {
                self.loads.remove(*crate_);
                self.held.insert((*hoist).to_owned(), (*crate_).to_owned());
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let stacked = || self.those("crate", |c| self.stack(c).is_some());
        let surfaces = || [self.objects.of("pallet"), self.objects.of("crate")].concat();
        let on_hoists = || self.those("crate", |c| self.hoist(c).is_some());
        let in_trucks = || self.those("crate", |c| self.truck(c).is_some());
        Some(match question {
            ["above", upper, lower] => {
                Answer::Truth(self.others(lower, true).iter().any(|other| other == upper))
            }
            ["same_stack", one, other] => {
                let pallet = |c: &str| self.stack(c).map(|(pallet, _)| pallet);
                Answer::Truth(pallet(one).is_some() && pallet(one) == pallet(other))
            }
            ["together", one, other] => Answer::Truth(self.depot(one) == self.depot(other)),
            ["meets", truck, crate_] => Answer::Truth(self.depot(crate_) == Some(&self.depots[*truck])),
            ["at_bottom", crate_] => Answer::Truth(self.under(crate_).is_some_and(|s| self.is_pallet(s))),
            ["liftable", crate_] => self.any("hoist", |hoist| self.lifts(hoist, crate_)),
            ["loads_any", truck] => self.any("hoist", |hoist| self.loads(hoist, truck)),
            ["puts_any", hoist] => Answer::Truth(surfaces().iter().any(|surface| self.puts(hoist, surface))),
            ["taller", one, other] => Answer::Truth(self.stacks[*one].len() > self.stacks[*other].len()),
            ["any_crate_at", depot] => Answer::Truth(self.crates_at(depot) > 0),
            ["any_truck_at", depot] => self.any("truck", |truck| self.depots[truck] == *depot),
            ["more_at", one, other] => Answer::Truth(self.crates_at(one) > self.crates_at(other)),
            ["carries", truck] => self.any("crate", |c| self.truck(c) == Some(truck)),
            ["crates_held"] => Answer::Number(on_hoists().len()),
            ["crates_in_trucks"] => Answer::Number(in_trucks().len()),
            ["crates_stacked"] => Answer::Number(stacked().len()),
            ["tallest"] => Answer::Number(self.stacks.values().map(Vec::len).max().unwrap_or_default()),
            ["how_many_above", crate_] => Answer::Number(self.others(crate_, true).len()),
            ["how_many_below", crate_] => Answer::Number(self.others(crate_, false).len()),
            ["how_many_lift", hoist] => self.number("crate", |c| self.lifts(hoist, c)),
            ["how_many_put", hoist] => {
                Answer::Number(surfaces().iter().filter(|surface| self.puts(hoist, surface)).count())
            }
            ["hoists_for", truck] => self.number("hoist", |hoist| self.depots[hoist] == self.depots[*truck]),
            ["depots_with_crate"] => self.number("depot", |depot| self.crates_at(depot) > 0),
            ["crates_above", crate_] => Answer::Names(self.others(crate_, true)),
            ["crates_below", crate_] => Answer::Names(self.others(crate_, false)),
            ["top_of", pallet] => Answer::Names(self.stacks[*pallet].last().cloned().into_iter().collect()),
            ["which_lift", hoist] => self.which("crate", |c| self.lifts(hoist, c)),
            ["which_unload", hoist] => self.which("crate", |c| self.unloads(hoist, c)),
            ["which_pallets", hoist] => self.which("pallet", |pallet| self.puts(hoist, pallet)),
            ["beside", crate_] => {
                self.which("crate", |other| other != *crate_ && self.depot(other) == self.depot(crate_))
            }
            ["which_held"] => Answer::Names(on_hoists()),
            ["which_in_trucks"] => Answer::Names(in_trucks()),
            ["trucks_with", crate_] => {
                self.which("truck", |truck| self.depot(crate_) == Some(&self.depots[truck]))
            }
            ["which_load", truck] => self.which("hoist", |hoist| self.loads(hoist, truck)),
            ["most_crates"] => self.which("depot", |depot| {
                let all = self.objects.of("depot");
                all.iter().all(|other| self.crates_at(depot) >= self.crates_at(other))
            }),
            _ => return None,
        })
    }
}
