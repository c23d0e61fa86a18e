//! Ferries: a vehicle stands on the quay of a port or on the deck of a ferry. It drives aboard a ferry at its port that has
//! room, and ashore where its ferry lies; a large ferry has room for two vehicles, any other for one. A ferry sails along
//! one route.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World};

#[derive(Clone, PartialEq)]
enum Place {
    Quay(String),
    Deck(String),
}

#[derive(Clone)]
pub struct Ferry {
    objects: Objects,
    routes: BTreeSet<(String, String)>,
    large: BTreeSet<String>,
    ports: BTreeMap<String, String>,
    vehicles: BTreeMap<String, Place>,
}

impl Ferry {
    /// The ferry that the vehicle is aboard.
    fn ferry(&self, vehicle: &str) -> Option<&str> {
        match &self.vehicles[vehicle] {
            Place::Deck(ferry) => Some(ferry),
            Place::Quay(_) => None,
        }
    }

    /// The port of a vehicle, aboard or ashore.
    fn port(&self, vehicle: &str) -> &str {
        match &self.vehicles[vehicle] {
            Place::Deck(ferry) => &self.ports[ferry],
            Place::Quay(port) => port,
        }
    }

    fn load(&self, ferry: &str) -> usize {
        self.those("car", |car| self.ferry(car) == Some(ferry)).len()
    }

    fn room(&self, ferry: &str) -> usize {
        if self.large.contains(ferry) { 2 } else { 1 }
    }

    fn joined(&self, one: &str, other: &str) -> bool {
        self.routes.contains(&(one.to_owned(), other.to_owned()))
    }

    fn boards(&self, vehicle: &str, ferry: &str) -> bool {
        self.vehicles[vehicle] == Place::Quay(self.ports[ferry].clone())
            && self.load(ferry) < self.room(ferry)
    }

    fn sails(&self, ferry: &str, port: &str) -> bool {
        self.joined(&self.ports[ferry], port)
    }

    fn vehicles_at(&self, port: &str) -> usize {
        self.those("car", |car| self.port(car) == port).len()
    }

    fn ferries_at(&self, port: &str) -> usize {
        self.those("ferry", |ferry| self.ports[ferry] == port).len()
    }
}

impl World for Ferry {
    const TYPES: &'static [&'static str] = &["port", "ferry", "car"];
    const FLUENTS: &'static [&'static str] = &[
        "moored(ferry,port)",
        "ashore(car,port)",
        "aboard(car,ferry)",
        "at(car,port)",
        "empty(ferry)",
        "full(ferry)",
    ];
    const ACTIONS: &'static [&'static str] = &["board(car,ferry)", "debark(car)", "sail(ferry,port)"];
    const FAMILIES: &'static [&'static str] = &[
        "boardable_any(car)",
        "takes_any(ferry)",
        "together(car,car)",
        "meets(car,ferry)",
        "shipmates(car,car)",
        "any_vehicle_at(port)",
        "any_ferry_at(port)",
        "more_at(port,port)",
        "mostly_aboard",
        "one_sail_away(car,port)",
        "linked(ferry,ferry)",
        "vehicles_aboard",
        "vehicles_ready",
        "places_left",
        "how_many_goals(ferry)",
        "how_many_boardable(ferry)",
        "ports_with_vehicle",
        "ports_without_ferry",
        "beside(car)",
        "fellow(car)",
        "ferries_of_port_of(car)",
        "which_goals(ferry)",
        "which_boardable(ferry)",
        "which_board(car)",
        "which_aboard",
        "which_ports_without_ferry",
        "most_vehicles",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world = Ferry {
            objects,
            routes: BTreeSet::new(),
            large: BTreeSet::new(),
            ports: BTreeMap::new(),
            vehicles: BTreeMap::new(),
        };
        for fact in facts {
            match fact.as_slice() {
                ["route", one, other] => drop(world.routes.insert(((*one).to_owned(), (*other).to_owned()))),
                ["large", ferry] => drop(world.large.insert((*ferry).to_owned())),
                ["moored", ferry, port] => drop(world.ports.insert((*ferry).to_owned(), (*port).to_owned())),
                ["ashore", car, port] => {
                    world.vehicles.insert((*car).to_owned(), Place::Quay((*port).to_owned()));
                }
                ["aboard", car, ferry] => {
                    world.vehicles.insert((*car).to_owned(), Place::Deck((*ferry).to_owned()));
                }
                ["at" | "empty" | "full", ..] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        let routes = world.routes.clone();
        if routes.iter().any(|(one, other)| !routes.contains(&(other.clone(), one.clone()))) {
            return Err("a route leads one way only".to_owned());
        }
        for ferry in world.objects.of("ferry") {
            if !world.ports.contains_key(&ferry) {
                return Err(format!("{ferry} is at no port"));
            }
        }
        for vehicle in world.objects.of("car") {
            if !world.vehicles.contains_key(&vehicle) {
                return Err(format!("{vehicle} has no place"));
            }
        }
        match world.objects.of("ferry").iter().find(|ferry| world.load(ferry) > world.room(ferry)) {
            Some(ferry) => Err(format!("{ferry} carries too much")),
            None => Ok(world),
        }
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["moored", ferry, port] => self.ports[*ferry] == *port,
            ["ashore", car, port] => self.vehicles[*car] == Place::Quay((*port).to_owned()),
            ["aboard", car, ferry] => self.ferry(car) == Some(ferry),
            ["at", car, port] => self.port(car) == *port,
            ["empty", ferry] => self.load(ferry) == 0,
            ["full", ferry] => self.load(ferry) == self.room(ferry),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["board", car, ferry] => self.boards(car, ferry),
            ["debark", car] => self.ferry(car).is_some(),
            ["sail", ferry, port] => self.sails(ferry, port),
            _ => panic!("no action {action:?}"),
        }
    }

    fn conditions(&self, _: &[&str]) -> Vec<(String, bool)> {
        vec![]
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["board", car, ferry] => {
                self.vehicles.insert((*car).to_owned(), Place::Deck((*ferry).to_owned()));
            }
            ["debark", car] => {
                let quay = Place::Quay(self.port(car).to_owned());
                self.vehicles.insert((*car).to_owned(), quay);
            }
            ["sail", ferry, port] => {
                self.ports.insert((*ferry).to_owned(), (*port).to_owned());
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let ferries = self.objects.of("ferry");
        let aboard = self.those("car", |car| self.ferry(car).is_some());
        let total: usize = ferries.iter().map(|ferry| self.room(ferry)).sum();
        Some(match question {
            ["boardable_any", car] => self.any("ferry", |ferry| self.boards(car, ferry)),
            ["takes_any", ferry] => self.any("car", |car| self.boards(car, ferry)),
            ["together", one, other] => Answer::Truth(self.port(one) == self.port(other)),
            ["meets", car, ferry] => Answer::Truth(self.port(car) == self.ports[*ferry]),
            ["shipmates", one, other] => {
                Answer::Truth(self.ferry(one).is_some() && self.ferry(one) == self.ferry(other))
            }
            ["any_vehicle_at", port] => Answer::Truth(self.vehicles_at(port) > 0),
            ["any_ferry_at", port] => Answer::Truth(self.ferries_at(port) > 0),
            ["more_at", one, other] => Answer::Truth(self.vehicles_at(one) > self.vehicles_at(other)),
            ["mostly_aboard"] => Answer::Truth(aboard.len() > self.vehicles.len() - aboard.len()),
            ["one_sail_away", car, port] => {
                Answer::Truth(self.ferry(car).is_some_and(|ferry| self.sails(ferry, port)))
            }
            ["linked", one, other] => Answer::Truth(self.joined(&self.ports[*one], &self.ports[*other])),
            ["vehicles_aboard"] => Answer::Number(aboard.len()),
            ["vehicles_ready"] => {
                self.number("car", |car| ferries.iter().any(|ferry| self.boards(car, ferry)))
            }
            ["places_left"] => Answer::Number(total - aboard.len()),
            ["how_many_goals", ferry] => self.number("port", |port| self.sails(ferry, port)),
            ["how_many_boardable", ferry] => self.number("car", |car| self.boards(car, ferry)),
            ["ports_with_vehicle"] => self.number("port", |port| self.vehicles_at(port) > 0),
            ["ports_without_ferry"] => self.number("port", |port| self.ferries_at(port) == 0),
            ["beside", car] => self.which("car", |other| other != *car && self.port(other) == self.port(car)),
            ["fellow", car] => self.which("car", |other| {
                other != *car && self.ferry(car).is_some() && self.ferry(car) == self.ferry(other)
            }),
            ["ferries_of_port_of", car] => self.which("ferry", |ferry| self.ports[ferry] == self.port(car)),
            ["which_goals", ferry] => self.which("port", |port| self.sails(ferry, port)),
            ["which_boardable", ferry] => self.which("car", |car| self.boards(car, ferry)),
            ["which_board", car] => self.which("ferry", |ferry| self.boards(car, ferry)),
            ["which_aboard"] => Answer::Names(aboard),
            ["which_ports_without_ferry"] => self.which("port", |port| self.ferries_at(port) == 0),
            ["most_vehicles"] => self.which("port", |port| {
                self.objects.of("port").iter().all(|other| self.vehicles_at(port) >= self.vehicles_at(other))
            }),
            _ => return None,
        })
    }
}
