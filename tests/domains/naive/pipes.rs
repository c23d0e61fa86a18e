//! Pipes: water goes from full tanks through open valves to junctions, from these to others either way, and to fountains.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World};

/// A pipe with its valve.
#[derive(Clone)]
struct Pipe {
    valve: String,
    ends: (String, String),
}

#[derive(Clone)]
pub struct Pipes {
    objects: Objects,
    pipes: Vec<Pipe>,
    open: BTreeSet<String>,
    full: BTreeSet<String>,
    dyed: BTreeSet<String>,
    junction_of: BTreeMap<String, String>,
}

impl Pipes {
    /// The other ends of the pipes at one place, through valves of which something is so.
    fn next_to(&self, place: &str, so: impl Fn(&str) -> bool) -> Vec<String> {
        let passable = self.pipes.iter().filter(|pipe| so(&pipe.valve));
        passable
            .filter_map(|pipe| match &pipe.ends {
                (one, other) if one == place => Some(other.clone()),
                (one, other) if other == place => Some(one.clone()),
                _ => None,
            })
            .collect()
    }

    /// All junctions and fountains that water from the tank reaches, found by following it.
    fn flow(&self, tank: &str) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut heads = if self.full.contains(tank) { vec![tank.to_owned()] } else { vec![] };
        while let Some(head) = heads.pop() {
            for next in self.next_to(&head, |valve| self.open.contains(valve)) {
                if self.objects.is(&next, "tank") || !reached.insert(next.clone()) {
                    continue;
                }
                if self.objects.is(&next, "junction") {
                    heads.push(next);
                }
            }
        }
        reached
    }

    fn suppliers(&self, place: &str) -> Vec<String> {
        self.objects.those("tank", |tank| self.flow(tank).contains(place))
    }

    fn wet(&self, place: &str) -> bool {
        !self.suppliers(place).is_empty()
    }

    fn colored(&self, place: &str) -> bool {
        self.suppliers(place).iter().any(|tank| self.dyed.contains(tank))
    }

    fn reached_by(&self, tank: &str, kind: &str) -> Vec<String> {
        let reached = self.flow(tank);
        self.objects.those(kind, |place| reached.contains(place))
    }

    /// The valves of the pipes that end at a place.
    fn valves_at(&self, place: &str) -> Vec<String> {
        let at = self.pipes.iter().filter(|pipe| pipe.ends.0 == place || pipe.ends.1 == place);
        at.map(|pipe| pipe.valve.clone()).collect()
    }

    fn turnable(&self, valve: &str) -> bool {
        self.junction_of.values().any(|junction| self.valves_at(junction).iter().any(|v| v == valve))
    }

    fn is_at_tank(&self, robot: &str, tank: &str) -> bool {
        self.next_to(&self.junction_of[robot], |_| true).iter().any(|end| end == tank)
    }

    fn goes_to(&self, robot: &str) -> Vec<String> {
        let ends = self.next_to(&self.junction_of[robot], |_| true);
        ends.into_iter().filter(|end| self.objects.is(end, "junction")).collect()
    }
}

impl World for Pipes {
    const TYPES: &'static [&'static str] = &["tank", "junction", "fountain", "valve", "robot"];
    const FLUENTS: &'static [&'static str] = &[
        "open(valve)",
        "at(robot,junction)",
        "full(tank)",
        "dyed(tank)",
        "wet(junction)",
        "colored(junction)",
        "plays(fountain)",
        "colored(fountain)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "go(robot,junction)",
        "turn(robot,valve)",
        "drain(robot,tank)",
        "fill(robot,tank)",
        "dye(robot,tank)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "feeds(tank,fountain)",
        "comes_from(junction,tank)",
        "clear(fountain)",
        "alike(fountain,fountain)",
        "mostly_playing",
        "turnable(valve)",
        "stands_in_water(robot)",
        "supplying(fountain)",
        "dry_fountains",
        "clear_fountains",
        "dry_junctions",
        "open_at(junction)",
        "served_from(tank)",
        "clear_tanks",
        "turnable_shut",
        "which_supplying(fountain)",
        "which_served(tank)",
        "which_reached(tank)",
        "which_dry",
        "which_clear",
        "which_dry_junctions",
        "which_shut_at(junction)",
        "which_turnable_open",
        "which_beside(robot)",
        "which_empty",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world = Pipes {
            objects,
            pipes: vec![],
            open: BTreeSet::new(),
            full: BTreeSet::new(),
            dyed: BTreeSet::new(),
            junction_of: BTreeMap::new(),
        };
        let owned = |text: &&str| (*text).to_owned();
        for fact in facts {
            match fact.as_slice() {
                ["supplies" | "joins" | "serves", valve, one, other] => {
                    world.pipes.push(Pipe { valve: owned(valve), ends: (owned(one), owned(other)) });
                }
                ["open", valve] => drop(world.open.insert(owned(valve))),
                ["full", tank] => drop(world.full.insert(owned(tank))),
                ["dyed", tank] => drop(world.dyed.insert(owned(tank))),
                ["at", robot, junction] => {
                    if world.junction_of.insert(owned(robot), owned(junction)).is_some() {
                        return Err(format!("{robot} is at two junctions"));
                    }
                }
                ["wet" | "colored" | "plays", _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        if let Some(robot) = world.objects.of("robot").iter().find(|r| !world.junction_of.contains_key(*r)) {
            return Err(format!("{robot} is at no junction"));
        }
        match world.dyed.difference(&world.full).next() {
            Some(tank) => Err(format!("{tank} is empty and dyed")),
            None => Ok(world),
        }
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["open", valve] => self.open.contains(*valve),
            ["at", robot, junction] => self.junction_of[*robot] == *junction,
            ["full", tank] => self.full.contains(*tank),
            ["dyed", tank] => self.dyed.contains(*tank),
            ["wet" | "plays", place] => self.wet(place),
            ["colored", place] => self.colored(place),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    /// Where a tank has a single pipe, or a junction a single neighbor, a robot has only one place to be at.
    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        let beside = |place: &str| {
            let ends = self.next_to(place, |_| true);
            ends.into_iter().filter(|end| self.objects.is(end, "junction")).collect::<Vec<_>>()
        };
        let (robot, place) = (action[1], action[2]);
        let at = match beside(place).as_slice() {
            [junction] => (format!("at({robot},{junction})"), true),
            _ => return vec![],
        };
        match action[0] {
            "go" => vec![at],
            "drain" => vec![at, (format!("full({place})"), true)],
            "fill" => vec![at, (format!("full({place})"), false)],
            "dye" => vec![at, (format!("full({place})"), true), (format!("dyed({place})"), false)],
            _ => vec![],
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["go", robot, junction] => self.goes_to(robot).iter().any(|to| to == junction),
            ["turn", robot, valve] => self.valves_at(&self.junction_of[*robot]).iter().any(|v| v == valve),
            ["drain", robot, tank] => self.is_at_tank(robot, tank) && self.full.contains(*tank),
            ["fill", robot, tank] => self.is_at_tank(robot, tank) && !self.full.contains(*tank),
            ["dye", robot, tank] => {
                self.is_at_tank(robot, tank) && self.full.contains(*tank) && !self.dyed.contains(*tank)
            }
            _ => panic!("no action {action:?}"),
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["go", robot, junction] => {
                self.junction_of.insert((*robot).to_owned(), (*junction).to_owned());
            }
            ["turn", _, valve] => {
                if !self.open.remove(*valve) {
                    self.open.insert((*valve).to_owned());
                }
            }
            ["drain", _, tank] => {
                self.full.remove(*tank);
                self.dyed.remove(*tank);
            }
            ["fill", _, tank] => drop(self.full.insert((*tank).to_owned())),
            ["dye", _, tank] => drop(self.dyed.insert((*tank).to_owned())),
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let all = &self.objects;
        let number = |found: Vec<String>| Answer::Number(found.len());
        let clear = |fountain: &str| self.wet(fountain) && !self.colored(fountain);
        Some(match question {
            // Does water from the tank come out of the fountain, reach the junction?
            ["feeds", tank, fountain] => Answer::Truth(self.flow(tank).contains(*fountain)),
            ["comes_from", junction, tank] => Answer::Truth(self.flow(tank).contains(*junction)),
            ["clear", fountain] => Answer::Truth(clear(fountain)),
            // Are both playing or both dry?
            ["alike", one, other] => Answer::Truth(self.wet(one) == self.wet(other)),
            ["mostly_playing"] => Answer::Truth(
                all.those("fountain", |f| self.wet(f)).len() > all.those("fountain", |f| !self.wet(f)).len(),
            ),
            ["turnable", valve] => Answer::Truth(self.turnable(valve)),
            ["stands_in_water", robot] => Answer::Truth(self.wet(&self.junction_of[*robot])),
            ["supplying", fountain] => number(self.suppliers(fountain)),
            ["which_supplying", fountain] => Answer::Names(self.suppliers(fountain)),
            ["dry_fountains"] => number(all.those("fountain", |f| !self.wet(f))),
            ["which_dry"] => Answer::Names(all.those("fountain", |f| !self.wet(f))),
            ["clear_fountains"] => number(all.those("fountain", clear)),
            ["which_clear"] => Answer::Names(all.those("fountain", clear)),
            ["dry_junctions"] => number(all.those("junction", |j| !self.wet(j))),
            ["which_dry_junctions"] => Answer::Names(all.those("junction", |j| !self.wet(j))),
            // How many valves of pipes at the junction are open, which are shut?
            ["open_at", junction] => {
                Answer::Number(self.valves_at(junction).iter().filter(|v| self.open.contains(*v)).count())
            }
            ["which_shut_at", junction] => {
                let valves = self.valves_at(junction).into_iter();
                Answer::Names(valves.filter(|valve| !self.open.contains(valve)).collect())
            }
            ["served_from", tank] => number(self.reached_by(tank, "fountain")),
            ["which_served", tank] => Answer::Names(self.reached_by(tank, "fountain")),
            ["which_reached", tank] => Answer::Names(self.reached_by(tank, "junction")),
            ["clear_tanks"] => Answer::Number(self.full.difference(&self.dyed).count()),
            ["turnable_shut"] => number(all.those("valve", |v| self.turnable(v) && !self.open.contains(v))),
            ["which_turnable_open"] => {
                Answer::Names(all.those("valve", |v| self.turnable(v) && self.open.contains(v)))
            }
            ["which_beside", robot] => Answer::Names(self.goes_to(robot)),
            ["which_empty"] => Answer::Names(all.those("tank", |t| !self.full.contains(t))),
            _ => return None,
        })
    }
}
