//! Robots with two grippers: a ball lies on the floor of a room or is in the left or right gripper of a robot. A robot goes
//! through a door, picks up a ball from the floor of its room with a free gripper, drops one, or swaps the two sides.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World};

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
}

#[derive(Clone, PartialEq)]
enum Place {
    Floor(String),
    Held(String, Side),
}

#[derive(Clone)]
pub struct Gripper {
    objects: Objects,
    doors: BTreeSet<(String, String)>,
    rooms: BTreeMap<String, String>,
    balls: BTreeMap<String, Place>,
}

impl Gripper {
    fn in_gripper(&self, robot: &str, side: Side) -> Option<String> {
        let place = Place::Held(robot.to_owned(), side);
        self.those("ball", |ball| self.balls[ball] == place).pop()
    }

    fn load(&self, robot: &str) -> usize {
        [Side::Left, Side::Right].iter().filter(|side| self.in_gripper(robot, **side).is_some()).count()
    }

    /// The robot that holds the ball.
    fn holder(&self, ball: &str) -> Option<&str> {
        match &self.balls[ball] {
            Place::Held(robot, _) => Some(robot),
            Place::Floor(_) => None,
        }
    }

    /// The room of a ball, held or not.
    fn room(&self, ball: &str) -> &str {
        match &self.balls[ball] {
            Place::Held(robot, _) => &self.rooms[robot],
            Place::Floor(room) => room,
        }
    }

    fn lies(&self, ball: &str, room: &str) -> bool {
        self.balls[ball] == Place::Floor(room.to_owned())
    }

    fn picks(&self, robot: &str, ball: &str, side: Side) -> bool {
        self.lies(ball, &self.rooms[robot]) && self.in_gripper(robot, side).is_none()
    }

    fn can_pick(&self, robot: &str, ball: &str) -> bool {
        self.picks(robot, ball, Side::Left) || self.picks(robot, ball, Side::Right)
    }

    fn joined(&self, one: &str, other: &str) -> bool {
        self.doors.contains(&(one.to_owned(), other.to_owned()))
    }

    fn goes(&self, robot: &str, room: &str) -> bool {
        self.joined(&self.rooms[robot], room)
    }

    fn balls_in(&self, room: &str) -> usize {
        self.those("ball", |ball| self.room(ball) == room).len()
    }

    fn empty(&self, room: &str) -> bool {
        !self.rooms.values().any(|other| other == room)
    }

    fn next_door(&self, robot: &str, ball: &str) -> bool {
        self.joined(&self.rooms[robot], self.room(ball))
    }
}

impl World for Gripper {
    const TYPES: &'static [&'static str] = &["room", "robot", "ball"];
    const FLUENTS: &'static [&'static str] = &[
        "at(robot,room)",
        "lies(ball,room)",
        "left(robot,ball)",
        "right(robot,ball)",
        "in(ball,room)",
        "carries(robot,ball)",
        "free_left(robot)",
        "free_right(robot)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "go(robot,room)",
        "pick_left(robot,ball)",
        "pick_right(robot,ball)",
        "drop_left(robot)",
        "drop_right(robot)",
        "swap(robot)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "picks_any(robot)",
        "picked_by_any(ball)",
        "together(ball,ball)",
        "same_robot(ball,ball)",
        "company(robot,ball)",
        "robots_meet(robot,robot)",
        "next_door(robot,ball)",
        "one_step_away(ball,room)",
        "any_ball_in(room)",
        "more_in(room,room)",
        "mostly_held",
        "laden(robot)",
        "idle(robot)",
        "balls_held",
        "balls_on_floor(room)",
        "grippers_free",
        "robots_laden",
        "how_many_goals(robot)",
        "how_many_pickable(robot)",
        "balls_next_door(robot)",
        "rooms_with_ball",
        "rooms_without_robot",
        "beside(ball)",
        "partner(ball)",
        "robots_with(ball)",
        "which_goals(robot)",
        "which_pickable(robot)",
        "which_next_door(robot)",
        "which_held",
        "which_idle",
        "which_rooms_without_robot",
        "most_balls",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world =
            Gripper { objects, doors: BTreeSet::new(), rooms: BTreeMap::new(), balls: BTreeMap::new() };
        for fact in facts {
            match fact.as_slice() {
                ["door", one, other] => drop(world.doors.insert(((*one).to_owned(), (*other).to_owned()))),
                ["at", robot, room] => drop(world.rooms.insert((*robot).to_owned(), (*room).to_owned())),
                ["lies", ball, room] => {
                    world.balls.insert((*ball).to_owned(), Place::Floor((*room).to_owned()));
                }
                ["left", robot, ball] => {
                    world.balls.insert((*ball).to_owned(), Place::Held((*robot).to_owned(), Side::Left));
                }
                ["right", robot, ball] => {
                    world.balls.insert((*ball).to_owned(), Place::Held((*robot).to_owned(), Side::Right));
                }
                ["in" | "carries" | "free_left" | "free_right", ..] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        if world.doors.iter().any(|(one, other)| !world.joined(other, one)) {
            return Err("a door leads one way only".to_owned());
        }
        if let Some(robot) = world.objects.of("robot").iter().find(|robot| !world.rooms.contains_key(*robot))
        {
            return Err(format!("{robot} is in no room"));
        }
        match world.objects.of("ball").iter().find(|ball| !world.balls.contains_key(*ball)) {
            Some(ball) => Err(format!("{ball} has no place")),
            None => Ok(world),
        }
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["at", robot, room] => self.rooms[*robot] == *room,
            ["lies", ball, room] => self.lies(ball, room),
            ["left", robot, ball] => self.in_gripper(robot, Side::Left).as_deref() == Some(ball),
            ["right", robot, ball] => self.in_gripper(robot, Side::Right).as_deref() == Some(ball),
            ["in", ball, room] => self.room(ball) == *room,
            ["carries", robot, ball] => self.holder(ball) == Some(robot),
            ["free_left", robot] => self.in_gripper(robot, Side::Left).is_none(),
            ["free_right", robot] => self.in_gripper(robot, Side::Right).is_none(),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["go", robot, room] => self.goes(robot, room),
            ["pick_left", robot, ball] => self.picks(robot, ball, Side::Left),
            ["pick_right", robot, ball] => self.picks(robot, ball, Side::Right),
            ["drop_left", robot] => self.in_gripper(robot, Side::Left).is_some(),
            ["drop_right", robot] => self.in_gripper(robot, Side::Right).is_some(),
            ["swap", robot] => self.load(robot) > 0,
            _ => panic!("no action {action:?}"),
        }
    }

    /// An action requires facts about one of several rooms or balls, so that no single one is missing.
    fn conditions(&self, _: &[&str]) -> Vec<(String, bool)> {
        vec![]
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        let mut put = |ball: Option<String>, place: Place| ball.map(|ball| self.balls.insert(ball, place));
        match action {
            ["go", robot, room] => {
                self.rooms.insert((*robot).to_owned(), (*room).to_owned());
            }
            ["pick_left", robot, ball] => {
                put(Some((*ball).to_owned()), Place::Held((*robot).to_owned(), Side::Left));
            }
            ["pick_right", robot, ball] => {
                put(Some((*ball).to_owned()), Place::Held((*robot).to_owned(), Side::Right));
            }
            ["drop_left" | "drop_right", robot] => {
                let side = if action[0] == "drop_left" { Side::Left } else { Side::Right };
                let ball = self.in_gripper(robot, side).ok_or("there is no ball to drop")?;
                let floor = Place::Floor(self.rooms[*robot].clone());
                self.balls.insert(ball, floor);
            }
            ["swap", robot] => {
                let (left, right) = (self.in_gripper(robot, Side::Left), self.in_gripper(robot, Side::Right));
                for (ball, side) in [(left, Side::Right), (right, Side::Left)] {
                    if let Some(ball) = ball {
                        self.balls.insert(ball, Place::Held((*robot).to_owned(), side));
                    }
                }
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let held = self.those("ball", |ball| self.holder(ball).is_some());
        let robots = self.objects.of("robot");
        Some(match question {
            ["picks_any", robot] => self.any("ball", |ball| self.can_pick(robot, ball)),
            ["picked_by_any", ball] => self.any("robot", |robot| self.can_pick(robot, ball)),
            ["together", one, other] => Answer::Truth(self.room(one) == self.room(other)),
            ["same_robot", one, other] => {
                Answer::Truth(self.holder(one).is_some() && self.holder(one) == self.holder(other))
            }
            ["company", robot, ball] => Answer::Truth(self.rooms[*robot] == self.room(ball)),
            ["robots_meet", one, other] => Answer::Truth(self.rooms[*one] == self.rooms[*other]),
            ["next_door", robot, ball] => Answer::Truth(self.next_door(robot, ball)),
            ["one_step_away", ball, room] => {
                Answer::Truth(self.holder(ball).is_some_and(|robot| self.goes(robot, room)))
            }
            ["any_ball_in", room] => Answer::Truth(self.balls_in(room) > 0),
            ["more_in", one, other] => Answer::Truth(self.balls_in(one) > self.balls_in(other)),
            ["mostly_held"] => Answer::Truth(held.len() > self.balls.len() - held.len()),
            ["laden", robot] => Answer::Truth(self.load(robot) == 2),
            ["idle", robot] => Answer::Truth(self.load(robot) == 0),
            ["balls_held"] => Answer::Number(held.len()),
            ["balls_on_floor", room] => self.number("ball", |ball| self.lies(ball, room)),
            ["grippers_free"] => Answer::Number(robots.iter().map(|robot| 2 - self.load(robot)).sum()),
            ["robots_laden"] => self.number("robot", |robot| self.load(robot) == 2),
            ["how_many_goals", robot] => self.number("room", |room| self.goes(robot, room)),
            ["how_many_pickable", robot] => self.number("ball", |ball| self.can_pick(robot, ball)),
            ["balls_next_door", robot] => self.number("ball", |ball| self.next_door(robot, ball)),
            ["rooms_with_ball"] => self.number("room", |room| self.balls_in(room) > 0),
            ["rooms_without_robot"] => self.number("room", |room| self.empty(room)),
            ["beside", ball] => {
                self.which("ball", |other| other != *ball && self.room(other) == self.room(ball))
            }
            ["partner", ball] => self.which("ball", |other| {
                other != *ball && self.holder(ball).is_some() && self.holder(ball) == self.holder(other)
            }),
            ["robots_with", ball] => self.which("robot", |robot| self.rooms[robot] == self.room(ball)),
            ["which_goals", robot] => self.which("room", |room| self.goes(robot, room)),
            ["which_pickable", robot] => self.which("ball", |ball| self.can_pick(robot, ball)),
            ["which_next_door", robot] => self.which("ball", |ball| self.next_door(robot, ball)),
            ["which_held"] => Answer::Names(held),
            ["which_idle"] => self.which("robot", |robot| self.load(robot) == 0),
            ["which_rooms_without_robot"] => self.which("room", |room| self.empty(room)),
            ["most_balls"] => self.which("room", |room| {
                self.objects.of("room").iter().all(|other| self.balls_in(room) >= self.balls_in(other))
            }),
            _ => return None,
        })
    }
}
