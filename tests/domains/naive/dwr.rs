//! Dock-worker robots (section 2.3): "Robots can move from one location to the adjacent one if it is not occupied by
//! another robot. [...] A crane can take the container on top of a pile at the same location and holds it. It can also
//! unload the container loaded on a robot at the same location. A crane can load the container it is holding on top of
//! an empty robot or put down the container on top of a pile at the same location." Taking and unloading need an empty
//! crane, as listing 5 says.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World};

#[derive(Clone, PartialEq)]
enum Place {
    OnRobot(String),
    HeldBy(String),
    /// The lowest container of a pile has height 1.
    InPile {
        pile: String,
        height: usize,
    },
}

#[derive(Clone)]
pub struct Dwr {
    objects: Objects,
    /// Pairs of neighbors, in both orders.
    adjacent: BTreeSet<(String, String)>,
    location_of_pile: BTreeMap<String, String>,
    location_of_crane: BTreeMap<String, String>,
    location_of_robot: BTreeMap<String, String>,
    containers: BTreeMap<String, Place>,
}

impl Dwr {
    /// What a robot carries.
    fn load_of(&self, robot: &str) -> Vec<String> {
        self.those("container", |c| self.containers[c] == Place::OnRobot(robot.to_owned()))
    }

    /// What a crane holds.
    fn held_by(&self, crane: &str) -> Vec<String> {
        self.those("container", |c| self.containers[c] == Place::HeldBy(crane.to_owned()))
    }

    /// The pile that a container is in, and its height there.
    fn pile_of(&self, container: &str) -> Option<(&str, usize)> {
        match &self.containers[container] {
            Place::InPile { pile, height } => Some((pile, *height)),
            _ => None,
        }
    }

    fn containers_in(&self, pile: &str) -> Vec<String> {
        self.those("container", |c| self.pile_of(c).is_some_and(|(p, _)| p == pile))
    }

    /// The number of containers in a pile.
    fn height(&self, pile: &str) -> usize {
        self.containers_in(pile).len()
    }

    fn is_top(&self, container: &str, pile: &str) -> bool {
        self.pile_of(container) == Some((pile, self.height(pile)))
    }

    /// Is one container higher than the other in the same pile?
    fn is_above(&self, upper: &str, lower: &str) -> bool {
        match (self.pile_of(upper), self.pile_of(lower)) {
            (Some((pile, high)), Some((other, low))) => pile == other && high > low,
            _ => false,
        }
    }

    fn is_on(&self, upper: &str, lower: &str) -> bool {
        match (self.pile_of(upper), self.pile_of(lower)) {
            (Some((pile, high)), Some((other, low))) => pile == other && high == low + 1,
            _ => false,
        }
    }

    fn occupied(&self, location: &str) -> bool {
        self.objects.of("robot").iter().any(|r| self.location_of_robot[r] == location)
    }

    /// A container is at the location of the pile, crane or robot that has it.
    fn location(&self, container: &str) -> &str {
        match &self.containers[container] {
            Place::OnRobot(robot) => &self.location_of_robot[robot],
            Place::HeldBy(crane) => &self.location_of_crane[crane],
            Place::InPile { pile, .. } => &self.location_of_pile[pile],
        }
    }

    fn containers_at(&self, location: &str) -> Vec<String> {
        self.those("container", |c| self.location(c) == location)
    }

    fn can_move(&self, robot: &str, from: &str, to: &str) -> bool {
        self.location_of_robot[robot] == from
            && self.adjacent.contains(&(from.to_owned(), to.to_owned()))
            && !self.occupied(to)
    }

    fn can_take(&self, container: &str, crane: &str, pile: &str) -> bool {
        self.location_of_crane[crane] == self.location_of_pile[pile]
            && self.held_by(crane).is_empty()
            && self.is_top(container, pile)
    }

    fn can_put_down(&self, container: &str, crane: &str, pile: &str) -> bool {
        self.location_of_crane[crane] == self.location_of_pile[pile]
            && self.held_by(crane) == [container.to_owned()]
    }

    fn can_load(&self, container: &str, crane: &str, robot: &str) -> bool {
        self.location_of_crane[crane] == self.location_of_robot[robot]
            && self.held_by(crane) == [container.to_owned()]
            && self.load_of(robot).is_empty()
    }

    fn can_unload(&self, container: &str, crane: &str, robot: &str) -> bool {
        self.location_of_crane[crane] == self.location_of_robot[robot]
            && self.held_by(crane).is_empty()
            && self.load_of(robot) == [container.to_owned()]
    }

    /// Can the crane take the container from some pile?
    fn can_pick_up(&self, crane: &str, container: &str) -> bool {
        self.objects.of("pile").iter().any(|p| self.can_take(container, crane, p))
    }

    /// The locations that a robot can move to.
    fn moves(&self, robot: &str) -> Vec<String> {
        self.those("location", |to| self.can_move(robot, &self.location_of_robot[robot], to))
    }

    /// The number of actions that a crane can carry out.
    fn crane_actions(&self, crane: &str) -> usize {
        let mut actions = 0;
        for container in self.objects.of("container") {
            for pile in self.objects.of("pile") {
                actions += usize::from(self.can_take(&container, crane, &pile));
                actions += usize::from(self.can_put_down(&container, crane, &pile));
            }
            for robot in self.objects.of("robot") {
                actions += usize::from(self.can_load(&container, crane, &robot));
                actions += usize::from(self.can_unload(&container, crane, &robot));
            }
        }
        actions
    }

    /// Do the places of things make a situation?
    fn check(&self) -> Result<(), String> {
        let whereabouts = [
            ("pile", &self.location_of_pile),
            ("crane", &self.location_of_crane),
            ("robot", &self.location_of_robot),
        ];
        for (kind, places) in whereabouts {
            for id in self.objects.of(kind) {
                if !places.get(&id).is_some_and(|location| self.objects.is(location, "location")) {
                    return Err(format!("{id} is at no location"));
                }
            }
        }
        for location in self.objects.of("location") {
            if self.those("robot", |r| self.location_of_robot[r] == location).len() > 1 {
                return Err(format!("two robots are at {location}"));
            }
        }
        for container in self.objects.of("container") {
            let placed = match self.containers.get(&container) {
                Some(Place::OnRobot(robot)) => self.objects.is(robot, "robot"),
                Some(Place::HeldBy(crane)) => self.objects.is(crane, "crane"),
                Some(Place::InPile { pile, .. }) => self.objects.is(pile, "pile"),
                None => false,
            };
            if !placed {
                return Err(format!("{container} has no place"));
            }
        }
        for robot in self.objects.of("robot") {
            if self.load_of(&robot).len() > 1 {
                return Err(format!("{robot} carries two containers"));
            }
        }
        for crane in self.objects.of("crane") {
            if self.held_by(&crane).len() > 1 {
                return Err(format!("{crane} holds two containers"));
            }
        }
        for pile in self.objects.of("pile") {
            for height in 1..=self.height(&pile) {
                if self.those("container", |c| self.pile_of(c) == Some((&pile, height))).len() != 1 {
                    return Err(format!("the containers in {pile} are no single stack"));
                }
            }
        }
        Ok(())
    }
}

/// Follows the containers from one to the one under it, down to the one that is on none: how many are these?
fn height_of(container: &str, facts: &[Vec<&str>]) -> Result<usize, String> {
    let mut at = container;
    for height in 1..=facts.len() + 1 {
        let under = facts.iter().find_map(|fact| match fact.as_slice() {
            ["on", upper, lower] if *upper == at => Some(*lower),
            _ => None,
        });
        match under {
            Some(lower) => at = lower,
            None => return Ok(height),
        }
    }
    Err(format!("{container} stands on itself"))
}

impl World for Dwr {
    const TYPES: &'static [&'static str] = &["location", "crane", "robot", "pile", "container"];
    const FLUENTS: &'static [&'static str] = &[
        "at(robot,location)",
        "occupied(location)",
        "loaded(robot,container)",
        "unloaded(robot)",
        "holding(crane,container)",
        "empty(crane)",
        "in(container,pile)",
        "on(container,container)",
        "top(container,pile)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "move(robot,location,location)",
        "take(container,crane,pile)",
        "putdown(container,crane,pile)",
        "load(container,crane,robot)",
        "unload(container,crane,robot)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "any_container_at(location)",
        "is_empty(pile)",
        "above(container,container)",
        "same_pile(container,container)",
        "same_location(container,container)",
        "height_is(pile,number)",
        "can_pick_up(crane,container)",
        "can_load(container,robot)",
        "can_move(robot)",
        "cranes_not_empty",
        "robots_loaded",
        "locations_free",
        "piles_empty",
        "containers_in_piles",
        "tall_piles",
        "tallest_stack",
        "how_many_containers_at(location)",
        "how_many_above(container)",
        "how_many_below(container)",
        "crane_actions(crane)",
        "how_many_moves(robot)",
        "location_of(container)",
        "place_of(container)",
        "containers_at(location)",
        "containers_above(container)",
        "containers_below(container)",
        "lowest(pile)",
        "which_cranes_not_empty",
        "which_robots_loaded",
        "which_locations_free",
        "which_piles_empty",
        "which_can_be_picked_up(crane)",
        "which_moves(robot)",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world = Dwr {
            objects,
            adjacent: BTreeSet::new(),
            location_of_pile: BTreeMap::new(),
            location_of_crane: BTreeMap::new(),
            location_of_robot: BTreeMap::new(),
            containers: BTreeMap::new(),
        };
        for fact in facts {
            match fact.as_slice() {
                ["adjacent", a, b] => {
                    world.adjacent.insert(((*a).to_owned(), (*b).to_owned()));
                    world.adjacent.insert(((*b).to_owned(), (*a).to_owned()));
                }
                ["attached", pile, location] => {
                    let before = world.location_of_pile.insert((*pile).to_owned(), (*location).to_owned());
                    if before.is_some_and(|before| before != *location) {
                        return Err(format!("{pile} is attached to two locations"));
                    }
                }
                ["belong", crane, location] => {
                    let before = world.location_of_crane.insert((*crane).to_owned(), (*location).to_owned());
                    if before.is_some_and(|before| before != *location) {
                        return Err(format!("{crane} belongs to two locations"));
                    }
                }
                ["at", robot, location] => {
                    world.location_of_robot.insert((*robot).to_owned(), (*location).to_owned());
                }
                ["loaded", robot, container] => {
                    world.containers.insert((*container).to_owned(), Place::OnRobot((*robot).to_owned()));
                }
                ["holding", crane, container] => {
                    world.containers.insert((*container).to_owned(), Place::HeldBy((*crane).to_owned()));
                }
                ["in", container, pile] => {
                    let height = height_of(container, facts)?;
                    let place = Place::InPile { pile: (*pile).to_owned(), height };
                    world.containers.insert((*container).to_owned(), place);
                }
                // These follow from the others; that they are in accord with them is seen to afterwards.
                ["on" | "top", _, _] | ["occupied" | "unloaded" | "empty", _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        world.check()?;
        Ok(world)
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["at", robot, location] => self.location_of_robot[*robot] == *location,
            ["occupied", location] => self.occupied(location),
            ["loaded", robot, container] => self.load_of(robot) == [(*container).to_owned()],
            ["unloaded", robot] => self.load_of(robot).is_empty(),
            ["holding", crane, container] => self.held_by(crane) == [(*container).to_owned()],
            ["empty", crane] => self.held_by(crane).is_empty(),
            ["in", container, pile] => self.pile_of(container).is_some_and(|(p, _)| p == *pile),
            ["on", upper, lower] => self.is_on(upper, lower),
            ["top", container, pile] => self.is_top(container, pile),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        let place = |crane: &str| self.location_of_crane[crane].clone();
        let all = match action {
            ["move", robot, from, to] => {
                return vec![(format!("at({robot},{from})"), true), (format!("occupied({to})"), false)];
            }
            ["take", container, crane, pile] => {
                vec![format!("empty({crane})"), format!("top({container},{pile})")]
            }
            ["putdown", container, crane, _] => vec![format!("holding({crane},{container})")],
            ["load", container, crane, robot] => vec![
                format!("holding({crane},{container})"),
                format!("unloaded({robot})"),
                format!("at({robot},{})", place(crane)),
            ],
            ["unload", container, crane, robot] => vec![
                format!("loaded({robot},{container})"),
                format!("empty({crane})"),
                format!("at({robot},{})", place(crane)),
            ],
            _ => vec![],
        };
        all.into_iter().map(|fact| (fact, true)).collect()
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["move", robot, from, to] => self.can_move(robot, from, to),
            ["take", container, crane, pile] => self.can_take(container, crane, pile),
            ["putdown", container, crane, pile] => self.can_put_down(container, crane, pile),
            ["load", container, crane, robot] => self.can_load(container, crane, robot),
            ["unload", container, crane, robot] => self.can_unload(container, crane, robot),
            _ => panic!("no action {action:?}"),
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["move", robot, _, to] => {
                self.location_of_robot.insert((*robot).to_owned(), (*to).to_owned());
            }
            ["take", container, crane, _] | ["unload", container, crane, _] => {
                self.containers.insert((*container).to_owned(), Place::HeldBy((*crane).to_owned()));
            }
            ["putdown", container, _, pile] => {
                let place = Place::InPile { pile: (*pile).to_owned(), height: self.height(pile) + 1 };
                self.containers.insert((*container).to_owned(), place);
            }
            ["load", container, _, robot] => {
                self.containers.insert((*container).to_owned(), Place::OnRobot((*robot).to_owned()));
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let loaded = || self.those("robot", |r| !self.load_of(r).is_empty());
        let busy = || self.those("crane", |k| !self.held_by(k).is_empty());
        let free = || self.those("location", |l| !self.occupied(l));
        let empty_piles = || self.those("pile", |p| self.height(p) == 0);
        let above = |c: &str| self.those("container", |other| self.is_above(other, c));
        let below = |c: &str| self.those("container", |other| self.is_above(c, other));
        Some(match question {
            // Is there a container at the location?
            ["any_container_at", location] => Answer::Truth(!self.containers_at(location).is_empty()),
            // Is it true that the pile contains no container?
            ["is_empty", pile] => Answer::Truth(self.height(pile) == 0),
            // Is the upper container higher than the lower one in the same pile?
            ["above", upper, lower] => Answer::Truth(self.is_above(upper, lower)),
            // Is there a pile that contains both?
            ["same_pile", one, other] => Answer::Truth((self.objects.of("pile").iter()).any(|p| {
                self.containers_in(p).iter().any(|c| c == one)
                    && self.containers_in(p).iter().any(|c| c == other)
            })),
            ["same_location", one, other] => Answer::Truth(self.location(one) == self.location(other)),
            // Is that the number of containers in the pile?
            ["height_is", pile, number] => Answer::Truth(self.height(pile).to_string() == *number),
            // Can the crane pick up the container from some pile?
            ["can_pick_up", crane, container] => Answer::Truth(self.can_pick_up(crane, container)),
            // Can some crane load the container onto the robot?
            ["can_load", container, robot] => {
                Answer::Truth(!self.those("crane", |crane| self.can_load(container, crane, robot)).is_empty())
            }
            // Is there a location that the robot can move to?
            ["can_move", robot] => Answer::Truth(!self.moves(robot).is_empty()),
            ["cranes_not_empty"] => Answer::Number(busy().len()),
            ["robots_loaded"] => Answer::Number(loaded().len()),
            ["locations_free"] => Answer::Number(free().len()),
            ["piles_empty"] => Answer::Number(empty_piles().len()),
            ["containers_in_piles"] => {
                Answer::Number(self.those("container", |c| self.pile_of(c).is_some()).len())
            }
            // How many piles contain at least two containers?
            ["tall_piles"] => Answer::Number(self.those("pile", |p| self.height(p) >= 2).len()),
            // What is the height of the highest pile?
            ["tallest_stack"] => {
                Answer::Number(self.objects.of("pile").iter().map(|p| self.height(p)).max().unwrap_or(0))
            }
            ["how_many_containers_at", location] => Answer::Number(self.containers_at(location).len()),
            ["how_many_above", container] => Answer::Number(above(container).len()),
            ["how_many_below", container] => Answer::Number(below(container).len()),
            // How many different actions can the crane carry out?
            ["crane_actions", crane] => Answer::Number(self.crane_actions(crane)),
            // To how many locations can the robot move?
            ["how_many_moves", robot] => Answer::Number(self.moves(robot).len()),
            ["location_of", container] => Answer::Names(vec![self.location(container).to_owned()]),
            // Which pile, crane or robot has the container?
            ["place_of", container] => Answer::Names(match self.containers[*container].clone() {
                Place::OnRobot(robot) => vec![robot],
                Place::HeldBy(crane) => vec![crane],
                Place::InPile { pile, .. } => vec![pile],
            }),
            ["containers_at", location] => Answer::Names(self.containers_at(location)),
            ["containers_above", container] => Answer::Names(above(container)),
            ["containers_below", container] => Answer::Names(below(container)),
            // Which container is at the bottom of the pile?
            ["lowest", pile] => {
                Answer::Names(self.those("container", |c| self.pile_of(c) == Some((pile, 1))))
            }
            ["which_cranes_not_empty"] => Answer::Names(busy()),
            ["which_robots_loaded"] => Answer::Names(loaded()),
            ["which_locations_free"] => Answer::Names(free()),
            ["which_piles_empty"] => Answer::Names(empty_piles()),
            ["which_can_be_picked_up", crane] => {
                Answer::Names(self.those("container", |c| self.can_pick_up(crane, c)))
            }
            ["which_moves", robot] => Answer::Names(self.moves(robot)),
            _ => return None,
        })
    }
}
