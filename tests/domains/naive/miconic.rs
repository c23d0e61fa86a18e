//! Lifts: a lift is at a height; a passenger stands in the corridor of a floor or is inside a lift. Lifts go up or down by one
//! floor, or straight to the destination of someone inside; passengers board on their floor and get out on that of the lift.

use std::collections::BTreeMap;

use super::{Answer, Objects, World};

#[derive(Clone, PartialEq)]
enum Place {
    Corridor(usize),
    Lift(String),
}

#[derive(Clone)]
pub struct Miconic {
    objects: Objects,
    /// The floors from the lowest to the highest.
    floors: Vec<String>,
    destinations: BTreeMap<String, usize>,
    lifts: BTreeMap<String, usize>,
    passengers: BTreeMap<String, Place>,
}

impl Miconic {
    fn level(&self, floor: &str) -> usize {
        self.floors.iter().position(|known| known == floor).expect("a floor")
    }

    /// The level of a passenger, inside a lift or outside.
    fn height(&self, passenger: &str) -> usize {
        match &self.passengers[passenger] {
            Place::Corridor(level) => *level,
            Place::Lift(lift) => self.lifts[lift],
        }
    }

    fn lift(&self, passenger: &str) -> Option<&str> {
        match &self.passengers[passenger] {
            Place::Lift(lift) => Some(lift),
            Place::Corridor(_) => None,
        }
    }

    fn stands(&self, passenger: &str, level: usize) -> bool {
        self.passengers[passenger] == Place::Corridor(level)
    }

    fn boards(&self, passenger: &str, lift: &str) -> bool {
        self.stands(passenger, self.lifts[lift])
    }

    fn lit(&self, lift: &str, level: usize) -> bool {
        !self.those("passenger", |p| self.lift(p) == Some(lift) && self.destinations[p] == level).is_empty()
    }

    fn people(&self, level: usize) -> usize {
        self.those("passenger", |p| self.height(p) == level).len()
    }

    fn stranded(&self, passenger: &str) -> bool {
        !self.lifts.values().any(|level| *level == self.height(passenger))
    }

    fn apart(&self, lift: &str, passenger: &str) -> usize {
        self.lifts[lift].abs_diff(self.height(passenger))
    }
}

impl World for Miconic {
    const TYPES: &'static [&'static str] = &["lift", "floor", "passenger"];
    const FLUENTS: &'static [&'static str] = &[
        "lift_at(lift,floor)",
        "stands(passenger,floor)",
        "rides(passenger,lift)",
        "on(passenger,floor)",
        "arrived(passenger)",
        "lit(lift,floor)",
        "called(floor)",
    ];
    const ACTIONS: &'static [&'static str] =
        &["up(lift)", "down(lift)", "serve(lift,floor)", "board(passenger,lift)", "leave(passenger)"];
    const FAMILIES: &'static [&'static str] = &[
        "higher(passenger,passenger)",
        "lift_higher(lift,passenger)",
        "boards_any(passenger)",
        "boarded_by_any(lift)",
        "together(passenger,passenger)",
        "same_lift(passenger,passenger)",
        "meets(passenger,lift)",
        "wants_up(passenger)",
        "right_floor(passenger)",
        "anyone_on(floor)",
        "more_on(floor,floor)",
        "occupied(lift)",
        "riders",
        "stops_to_go(passenger)",
        "floors_apart(lift,passenger)",
        "floors_above(lift)",
        "how_many_want_up",
        "how_many_want_down",
        "stranded",
        "floors_with_lift",
        "floors_with_people",
        "beside(passenger)",
        "fellow(passenger)",
        "which_lifts_with(passenger)",
        "which_board(lift)",
        "which_want_up",
        "which_stranded",
        "floor_above(lift)",
        "highest",
        "nearest(passenger)",
        "most_people",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let above: BTreeMap<&str, &str> =
            facts.iter().filter(|fact| fact[0] == "next_above").map(|fact| (fact[2], fact[1])).collect();
        let lowest =
            objects.of("floor").into_iter().find(|floor| !above.values().any(|upper| upper == floor));
        let mut floors = vec![lowest.ok_or("no floor is the lowest")?];
        while let Some(next) = above.get(floors[floors.len() - 1].as_str()) {
            floors.push((*next).to_owned());
        }
        if floors.len() != objects.of("floor").len() {
            return Err("the floors are not one above the other".to_owned());
        }
        let mut world = Miconic {
            objects,
            floors,
            destinations: BTreeMap::new(),
            lifts: BTreeMap::new(),
            passengers: BTreeMap::new(),
        };
        for fact in facts {
            match fact.as_slice() {
                ["destination", passenger, floor] => {
                    let level = world.level(floor);
                    world.destinations.insert((*passenger).to_owned(), level);
                }
                ["lift_at", lift, floor] => {
                    let level = world.level(floor);
                    world.lifts.insert((*lift).to_owned(), level);
                }
                ["stands", passenger, floor] => {
                    let place = Place::Corridor(world.level(floor));
                    world.passengers.insert((*passenger).to_owned(), place);
                }
                ["rides", passenger, lift] => {
                    world.passengers.insert((*passenger).to_owned(), Place::Lift((*lift).to_owned()));
                }
                ["next_above" | "on" | "arrived" | "lit" | "called", ..] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        if let Some(lift) = world.objects.of("lift").iter().find(|lift| !world.lifts.contains_key(*lift)) {
            return Err(format!("{lift} is on no floor"));
        }
        let placed = |p: &String| world.passengers.contains_key(p) && world.destinations.contains_key(p);
        match world.objects.of("passenger").iter().find(|passenger| !placed(passenger)) {
            Some(passenger) => Err(format!("{passenger} has no place or no destination")),
            None => Ok(world),
        }
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["lift_at", lift, floor] => self.lifts[*lift] == self.level(floor),
            ["stands", passenger, floor] => self.stands(passenger, self.level(floor)),
            ["rides", passenger, lift] => self.lift(passenger) == Some(lift),
            ["on", passenger, floor] => self.height(passenger) == self.level(floor),
            ["arrived", passenger] => self.stands(passenger, self.destinations[*passenger]),
            ["lit", lift, floor] => self.lit(lift, self.level(floor)),
            ["called", floor] => {
                let level = self.level(floor);
                !self
                    .those("passenger", |p| self.stands(p, level) && self.destinations[p] != level)
                    .is_empty()
            }
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["up", lift] => self.lifts[*lift] + 1 < self.floors.len(),
            ["down", lift] => self.lifts[*lift] > 0,
            ["serve", lift, floor] => {
                let level = self.level(floor);
                self.lit(lift, level) && self.lifts[*lift] != level
            }
            ["board", passenger, lift] => self.boards(passenger, lift),
            ["leave", passenger] => self.lift(passenger).is_some(),
            _ => panic!("no action {action:?}"),
        }
    }

    /// What several facts can each bring about is not among them.
    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        match action {
            ["serve", lift, floor] => {
                vec![(format!("lit({lift},{floor})"), true), (format!("lift_at({lift},{floor})"), false)]
            }
            _ => vec![],
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        let moved = |lift: &str, level: usize, lifts: &mut BTreeMap<String, usize>| {
            lifts.insert(lift.to_owned(), level);
        };
        match action {
            ["up", lift] => moved(lift, self.lifts[*lift] + 1, &mut self.lifts),
            ["down", lift] => moved(lift, self.lifts[*lift] - 1, &mut self.lifts),
            ["serve", lift, floor] => moved(lift, self.level(floor), &mut self.lifts),
            ["board", passenger, lift] => {
                self.passengers.insert((*passenger).to_owned(), Place::Lift((*lift).to_owned()));
            }
            ["leave", passenger] => {
                let place = Place::Corridor(self.height(passenger));
                self.passengers.insert((*passenger).to_owned(), place);
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let goal = |p: &str| self.destinations[p];
        let up = |p: &str| self.height(p) < goal(p);
        let top = self.objects.of("passenger").iter().map(|p| self.height(p)).max().unwrap_or_default();
        Some(match question {
            ["higher", one, other] => Answer::Truth(self.height(one) > self.height(other)),
            ["lift_higher", lift, passenger] => Answer::Truth(self.lifts[*lift] > self.height(passenger)),
            ["boards_any", passenger] => self.any("lift", |lift| self.boards(passenger, lift)),
            ["boarded_by_any", lift] => self.any("passenger", |p| self.boards(p, lift)),
            ["together", one, other] => Answer::Truth(self.height(one) == self.height(other)),
            ["same_lift", one, other] => {
                Answer::Truth(self.lift(one).is_some() && self.lift(one) == self.lift(other))
            }
            ["meets", passenger, lift] => Answer::Truth(self.apart(lift, passenger) == 0),
            ["wants_up", passenger] => Answer::Truth(up(passenger)),
            ["right_floor", passenger] => Answer::Truth(self.height(passenger) == goal(passenger)),
            ["anyone_on", floor] => Answer::Truth(self.people(self.level(floor)) > 0),
            ["more_on", one, other] => {
                Answer::Truth(self.people(self.level(one)) > self.people(self.level(other)))
            }
            ["occupied", lift] => self.any("passenger", |p| self.lift(p) == Some(lift)),
            ["riders"] => self.number("passenger", |p| self.lift(p).is_some()),
            ["stops_to_go", passenger] => Answer::Number(self.height(passenger).abs_diff(goal(passenger))),
            ["floors_apart", lift, passenger] => Answer::Number(self.apart(lift, passenger)),
            ["floors_above", lift] => Answer::Number(self.floors.len() - 1 - self.lifts[*lift]),
            ["how_many_want_up"] => self.number("passenger", up),
            ["how_many_want_down"] => self.number("passenger", |p| self.height(p) > goal(p)),
            ["stranded"] => self.number("passenger", |p| self.stranded(p)),
            ["floors_with_lift"] => {
                self.number("floor", |floor| self.lifts.values().any(|level| *level == self.level(floor)))
            }
            ["floors_with_people"] => self.number("floor", |floor| self.people(self.level(floor)) > 0),
            ["beside", passenger] => {
                self.which("passenger", |p| p != *passenger && self.height(p) == self.height(passenger))
            }
            ["fellow", passenger] => self.which("passenger", |p| {
                p != *passenger && self.lift(p).is_some() && self.lift(p) == self.lift(passenger)
            }),
            ["which_lifts_with", passenger] => self.which("lift", |lift| self.apart(lift, passenger) == 0),
            ["which_board", lift] => self.which("passenger", |p| self.boards(p, lift)),
            ["which_want_up"] => self.which("passenger", up),
            ["which_stranded"] => self.which("passenger", |p| self.stranded(p)),
            ["floor_above", lift] => {
                Answer::Names(self.floors.get(self.lifts[*lift] + 1).cloned().into_iter().collect())
            }
            ["highest"] => self.which("passenger", |p| self.height(p) == top),
            ["nearest", passenger] => self.which("lift", |lift| {
                let others = self.objects.of("lift");
                others.iter().all(|other| self.apart(lift, passenger) <= self.apart(other, passenger))
            }),
            ["most_people"] => self.which("floor", |floor| {
                let here = self.people(self.level(floor));
                (0..self.floors.len()).all(|level| here >= self.people(level))
            }),
            _ => return None,
        })
    }
}
