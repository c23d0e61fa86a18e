//! Grid with keys: robots go from square to square of a town, carry one key each, and lock and unlock squares beside
//! their own. Written from the sentences of the rules in the phrase book.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World, in_order, pairs};

/// The street and the avenue that cross there.
type Square = (String, String);

#[derive(Clone)]
enum Place {
    Ground(Square),
    Hand(String),
}

#[derive(Clone)]
pub struct Grid {
    objects: Objects,
    /// From north to south.
    streets: Vec<String>,
    /// From west to east.
    avenues: Vec<String>,
    shape: BTreeMap<String, String>,
    locks: BTreeMap<Square, String>,
    robots: BTreeMap<String, Square>,
    keys: BTreeMap<String, Place>,
    locked: BTreeSet<Square>,
}

impl Grid {
    fn square_of(&self, key: &str) -> Square {
        match &self.keys[key] {
            Place::Ground(square) => square.clone(),
            Place::Hand(robot) => self.robots[robot].clone(),
        }
    }

    fn held_by(&self, robot: &str) -> Option<String> {
        self.those("key", |key| matches!(&self.keys[key], Place::Hand(holder) if holder == robot)).pop()
    }

    fn lies_in(&self, key: &str, square: &Square) -> bool {
        matches!(&self.keys[key], Place::Ground(place) if place == square)
    }

    /// Row and column, counted from the north-west.
    fn position(&self, square: &Square) -> (i32, i32) {
        let place = |order: &[String], id: &str| order.iter().position(|o| o == id).expect("known") as i32;
        (place(&self.streets, &square.0), place(&self.avenues, &square.1))
    }

    fn square_at(&self, row: i32, column: i32) -> Option<Square> {
        let street = self.streets.get(usize::try_from(row).ok()?)?;
        let avenue = self.avenues.get(usize::try_from(column).ok()?)?;
        Some((street.clone(), avenue.clone()))
    }

    fn ahead(&self, square: &Square, direction: &str) -> Option<Square> {
        let (row, column) = self.position(square);
        match direction {
            "north" => self.square_at(row - 1, column),
            "south" => self.square_at(row + 1, column),
            "west" => self.square_at(row, column - 1),
            "east" => self.square_at(row, column + 1),
            _ => None,
        }
    }

    fn beside(&self, one: &Square, other: &Square) -> bool {
        let ((a, b), (c, d)) = (self.position(one), self.position(other));
        (a - c).abs() + (b - d).abs() == 1
    }

    fn squares(&self) -> Vec<Square> {
        let all = self.streets.iter().flat_map(|s| self.avenues.iter().map(move |a| (s.clone(), a.clone())));
        all.collect()
    }

    fn moves(&self, robot: &str) -> Vec<&'static str> {
        let open = |direction: &&str| {
            let next = self.ahead(&self.robots[robot], direction);
            next.is_some_and(|square| !self.locked.contains(&square))
        };
        ["north", "south", "west", "east"].into_iter().filter(open).collect()
    }

    /// All squares that the robot gets to by moves alone, its own included.
    fn reach(&self, robot: &str) -> Vec<Square> {
        let mut found = vec![self.robots[robot].clone()];
        let mut done = 0;
        while done < found.len() {
            for direction in ["north", "south", "west", "east"] {
                let next = self.ahead(&found[done], direction);
                if let Some(square) = next.filter(|s| !self.locked.contains(s) && !found.contains(s)) {
                    found.push(square);
                }
            }
            done += 1;
        }
        found
    }

    fn keys_in_reach(&self, robot: &str) -> Vec<String> {
        let reach = self.reach(robot);
        self.those("key", |key| reach.iter().any(|square| self.lies_in(key, square)))
    }

    fn fits(&self, robot: &str, square: &Square) -> bool {
        let held = self.held_by(robot).map(|key| &self.shape[&key]);
        held.is_some() && held == self.locks.get(square)
    }

    fn can_unlock(&self, robot: &str, square: &Square) -> bool {
        self.locked.contains(square) && self.fits(robot, square) && self.beside(&self.robots[robot], square)
    }

    fn can_lock(&self, robot: &str, square: &Square) -> bool {
        !self.locked.contains(square)
            && self.fits(robot, square)
            && self.beside(&self.robots[robot], square)
            && self.robots.values().all(|place| place != square)
    }

    fn place(&self, id: &str) -> Square {
        self.robots.get(id).cloned().unwrap_or_else(|| self.square_of(id))
    }

    fn empty(&self, square: &Square) -> bool {
        self.robots.values().all(|s| s != square)
            && self.keys.keys().all(|key| self.square_of(key) != *square)
    }

    fn check(&self) -> Result<(), String> {
        if self.objects.of("robot").iter().any(|robot| !self.robots.contains_key(robot)) {
            return Err("a robot is nowhere".to_owned());
        }
        for key in self.objects.of("key") {
            if !self.keys.contains_key(&key) || !self.shape.contains_key(&key) {
                return Err(format!("{key} has no place or no shape"));
            }
        }
        for robot in self.robots.keys() {
            let held =
                self.keys.values().filter(|place| matches!(place, Place::Hand(r) if r == robot)).count();
            if held > 1 || self.locked.contains(&self.robots[robot]) {
                return Err(format!("{robot} holds two keys or is locked in"));
            }
        }
        if self.locked.iter().any(|square| !self.locks.contains_key(square)) {
            return Err("a square is locked without a lock".to_owned());
        }
        Ok(())
    }
}

fn square(street: &str, avenue: &str) -> Square {
    (street.to_owned(), avenue.to_owned())
}

impl World for Grid {
    const TYPES: &'static [&'static str] = &["street", "avenue", "robot", "key", "shape"];
    const FLUENTS: &'static [&'static str] = &[
        "at(robot,street,avenue)",
        "lying(key,street,avenue)",
        "holding(robot,key)",
        "locked(street,avenue)",
        "located(key,street,avenue)",
        "empty_handed(robot)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "move(robot,north)",
        "move(robot,south)",
        "move(robot,west)",
        "move(robot,east)",
        "pick_up(robot,key)",
        "put_down(robot)",
        "swap(robot,key)",
        "unlock(robot,street,avenue)",
        "lock(robot,street,avenue)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "reachable(robot,street,avenue)",
        "key_reachable(robot,key)",
        "fits(robot,street,avenue)",
        "can_be_unlocked(street,avenue)",
        "can_be_locked(street,avenue)",
        "is_empty(street,avenue)",
        "any_key_in(street,avenue)",
        "same_square(robot,key)",
        "same_square(key,key)",
        "same_square(robot,robot)",
        "same_street(robot,key)",
        "same_avenue(robot,key)",
        "farther_north(robot,key)",
        "farther_west(robot,key)",
        "on_street(robot,street)",
        "on_avenue(robot,avenue)",
        "squares_locked",
        "robots_with_key",
        "keys_held",
        "keys_on_street(street)",
        "keys_on_avenue(avenue)",
        "empty_squares",
        "squares_with_keys",
        "how_many_moves(robot)",
        "how_many_reachable(robot)",
        "how_many_keys_reachable(robot)",
        "how_many_locks_fit(robot)",
        "street_of(robot)",
        "street_of(key)",
        "avenue_of(robot)",
        "avenue_of(key)",
        "which_keys_on_street(street)",
        "which_keys_on_avenue(avenue)",
        "shape_held(robot)",
        "keys_beside(robot)",
        "which_keys_reachable(robot)",
        "companions(key)",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world = Grid {
            streets: in_order(&objects.of("street"), &pairs::<Vec<_>>(facts, "north_of"))?,
            avenues: in_order(&objects.of("avenue"), &pairs::<Vec<_>>(facts, "west_of"))?,
            shape: pairs(facts, "shape_of"),
            locks: BTreeMap::new(),
            robots: BTreeMap::new(),
            keys: BTreeMap::new(),
            locked: BTreeSet::new(),
            objects,
        };
        for fact in facts {
            match fact.as_slice() {
                ["lock_shape", s, a, shape] => {
                    world.locks.insert(square(s, a), (*shape).to_owned());
                }
                ["at", robot, s, a] => {
                    world.robots.insert((*robot).to_owned(), square(s, a));
                }
                ["lying", key, s, a] => {
                    world.keys.insert((*key).to_owned(), Place::Ground(square(s, a)));
                }
                ["holding", robot, key] => {
                    world.keys.insert((*key).to_owned(), Place::Hand((*robot).to_owned()));
                }
                ["locked", s, a] => {
                    world.locked.insert(square(s, a));
                }
                ["north_of" | "west_of" | "shape_of", _, _] | ["located", _, _, _] | ["empty_handed", _] => {}
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
            ["at", robot, s, a] => self.robots[*robot] == square(s, a),
            ["lying", key, s, a] => self.lies_in(key, &square(s, a)),
            ["holding", robot, key] => self.held_by(robot).as_deref() == Some(*key),
            ["locked", s, a] => self.locked.contains(&square(s, a)),
            ["located", key, s, a] => self.square_of(key) == square(s, a),
            ["empty_handed", robot] => self.held_by(robot).is_none(),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        let here = |robot: &str, key: &str| self.lies_in(key, &self.robots[robot]);
        match action {
            ["move", robot, direction] => self.moves(robot).contains(direction),
            ["pick_up", robot, key] => self.held_by(robot).is_none() && here(robot, key),
            ["put_down", robot] => self.held_by(robot).is_some(),
            ["swap", robot, key] => self.held_by(robot).is_some() && here(robot, key),
            ["unlock", robot, s, a] => self.can_unlock(robot, &square(s, a)),
            ["lock", robot, s, a] => self.can_lock(robot, &square(s, a)),
            _ => panic!("no action {action:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        match action {
            ["pick_up", robot, _] => vec![(format!("empty_handed({robot})"), true)],
            ["put_down", robot] | ["swap", robot, _] => vec![(format!("empty_handed({robot})"), false)],
            ["unlock", _, s, a] => vec![(format!("locked({s},{a})"), true)],
            ["lock", _, s, a] => vec![(format!("locked({s},{a})"), false)],
            _ => vec![],
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["move", robot, direction] => {
                let next = self.ahead(&self.robots[*robot], direction).ok_or("no square there")?;
                self.robots.insert((*robot).to_owned(), next);
            }
            ["pick_up", robot, key] => {
                self.keys.insert((*key).to_owned(), Place::Hand((*robot).to_owned()));
            }
            ["put_down", robot] => {
                let key = self.held_by(robot).ok_or("no key in the hand")?;
                self.keys.insert(key, Place::Ground(self.robots[*robot].clone()));
            }
            ["swap", robot, key] => {
                let held = self.held_by(robot).ok_or("no key in the hand")?;
                self.keys.insert(held, Place::Ground(self.robots[*robot].clone()));
                self.keys.insert((*key).to_owned(), Place::Hand((*robot).to_owned()));
            }
            ["unlock", _, s, a] => {
                self.locked.remove(&square(s, a));
            }
            ["lock", _, s, a] => {
                self.locked.insert(square(s, a));
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let row = |id: &str| self.position(&self.place(id)).0;
        let column = |id: &str| self.position(&self.place(id)).1;
        let squares = |test: &dyn Fn(&Square) -> bool| self.squares().iter().filter(|s| test(s)).count();
        let on_street = |s: &str| self.those("key", |key| self.square_of(key).0 == s);
        let on_avenue = |a: &str| self.those("key", |key| self.square_of(key).1 == a);
        let held = || self.those("key", |key| matches!(self.keys[key], Place::Hand(_)));
        let has_lock = |s: &str, a: &str| self.locks.contains_key(&square(s, a)).then(|| square(s, a));
        Some(match question {
            ["reachable", robot, s, a] => Answer::Truth(self.reach(robot).contains(&square(s, a))),
            ["key_reachable", robot, key] => {
                Answer::Truth(self.keys_in_reach(robot).iter().any(|k| k == key))
            }
            ["fits", robot, s, a] => Answer::Truth(self.fits(robot, &has_lock(s, a)?)),
            ["can_be_unlocked", s, a] => {
                let place = has_lock(s, a)?;
                Answer::Truth(!self.those("robot", |robot| self.can_unlock(robot, &place)).is_empty())
            }
            ["can_be_locked", s, a] => {
                let place = has_lock(s, a)?;
                Answer::Truth(!self.those("robot", |robot| self.can_lock(robot, &place)).is_empty())
            }
            ["is_empty", s, a] => Answer::Truth(self.empty(&square(s, a))),
            ["any_key_in", s, a] => {
                Answer::Truth(self.keys.keys().any(|key| self.square_of(key) == square(s, a)))
            }
            ["same_square", one, other] => Answer::Truth(self.place(one) == self.place(other)),
            ["same_street", one, other] => Answer::Truth(row(one) == row(other)),
            ["same_avenue", one, other] => Answer::Truth(column(one) == column(other)),
            ["farther_north", one, other] => Answer::Truth(row(one) < row(other)),
            ["farther_west", one, other] => Answer::Truth(column(one) < column(other)),
            ["on_street", robot, s] => Answer::Truth(self.robots[*robot].0 == *s),
            ["on_avenue", robot, a] => Answer::Truth(self.robots[*robot].1 == *a),
            ["squares_locked"] => Answer::Number(self.locked.len()),
            ["robots_with_key"] => {
                Answer::Number(self.those("robot", |robot| self.held_by(robot).is_some()).len())
            }
            ["keys_held"] => Answer::Number(held().len()),
            ["keys_on_street", s] => Answer::Number(on_street(s).len()),
            ["keys_on_avenue", a] => Answer::Number(on_avenue(a).len()),
            ["empty_squares"] => Answer::Number(squares(&|s| self.empty(s))),
            ["squares_with_keys"] => {
                Answer::Number(squares(&|s| self.keys.keys().any(|key| self.square_of(key) == *s)))
            }
            ["how_many_moves", robot] => Answer::Number(self.moves(robot).len()),
            ["how_many_reachable", robot] => Answer::Number(self.reach(robot).len() - 1),
            ["how_many_keys_reachable", robot] => Answer::Number(self.keys_in_reach(robot).len()),
            ["how_many_locks_fit", robot] => Answer::Number(squares(&|s| self.fits(robot, s))),
            ["street_of", id] => Answer::Names(vec![self.place(id).0]),
            ["avenue_of", id] => Answer::Names(vec![self.place(id).1]),
            ["which_keys_on_street", s] => Answer::Names(on_street(s)),
            ["which_keys_on_avenue", a] => Answer::Names(on_avenue(a)),
            ["shape_held", robot] => {
                Answer::Names(self.held_by(robot).map(|key| self.shape[&key].clone()).into_iter().collect())
            }
            ["keys_beside", robot] => {
                Answer::Names(self.those("key", |key| self.lies_in(key, &self.robots[*robot])))
            }
            ["which_keys_reachable", robot] => Answer::Names(self.keys_in_reach(robot)),
            ["companions", key] => {
                let here = self.square_of(key);
                Answer::Names(self.those("key", |other| other != *key && self.square_of(other) == here))
            }
            _ => return None,
        })
    }
}
