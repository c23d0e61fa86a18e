//! A maze simulator that shares nothing with the logic program: it looks at the rows as a person does.

use std::collections::{HashMap, VecDeque};

use racgen::halma::maze::grid::Direction;

/// The rows of a maze, padded with walls.
pub struct NaiveMaze {
    rows: Vec<Vec<char>>,
}

pub type Spot = (i32, i32);

impl NaiveMaze {
    pub fn new(rows: &[String]) -> NaiveMaze {
        NaiveMaze { rows: rows.iter().map(|row| row.chars().collect()).collect() }
    }

    pub fn free(&self, (x, y): Spot) -> bool {
        let row = usize::try_from(y).ok().and_then(|y| self.rows.get(y));
        let cell = usize::try_from(x).ok().and_then(|x| row?.get(x));
        cell.is_some_and(|cell| *cell != '#')
    }

    pub fn find(&self, what: char) -> Spot {
        let mut found = Vec::new();
        for (y, row) in self.rows.iter().enumerate() {
            found.extend(
                row.iter().enumerate().filter(|(_, c)| **c == what).map(|(x, _)| (x as i32, y as i32)),
            );
        }
        assert_eq!(found.len(), 1, "{what}");
        found[0]
    }

    pub fn spots(&self) -> Vec<Spot> {
        (0..10).flat_map(|y| (0..10).map(move |x| (x, y))).filter(|spot| self.free(*spot)).collect()
    }

    pub fn on((x, y): Spot, direction: Direction, units: i32) -> Spot {
        match direction {
            Direction::Left => (x - units, y),
            Direction::Up => (x, y - units),
            Direction::Right => (x + units, y),
            Direction::Down => (x, y + units),
        }
    }

    pub fn wall(&self, spot: Spot, direction: Direction) -> i32 {
        (1..).find(|units| !self.free(Self::on(spot, direction, *units))).unwrap() - 1
    }

    pub fn exits(&self, spot: Spot) -> usize {
        Direction::ALL.iter().filter(|direction| self.free(Self::on(spot, **direction, 1))).count()
    }

    pub fn crossing(&self, spot: Spot, direction: Direction) -> i32 {
        let ahead = 1..=self.wall(spot, direction);
        ahead.into_iter().find(|units| self.exits(Self::on(spot, direction, *units)) >= 3).unwrap_or(0)
    }

    /// Steps of one unit from each cell to the goal.
    pub fn distances(&self) -> HashMap<Spot, usize> {
        let goal = self.find('G');
        let mut far = HashMap::from([(goal, 0)]);
        let mut open = VecDeque::from([goal]);
        while let Some(spot) = open.pop_front() {
            for direction in Direction::ALL {
                let next = Self::on(spot, direction, 1);
                if self.free(next) && !far.contains_key(&next) {
                    far.insert(next, far[&spot] + 1);
                    open.push_back(next);
                }
            }
        }
        far
    }

    pub fn hint(&self, spot: Spot) -> Option<Direction> {
        let exits = self.exits(spot);
        if spot == self.find('G') || !(exits >= 3 || spot == self.find('S') && exits >= 2) {
            return None;
        }
        let far = self.distances();
        Direction::ALL
            .into_iter()
            .find(|d| far.get(&Self::on(spot, *d, 1)).is_some_and(|n| *n + 1 == far[&spot]))
    }

    /// The fewest moves from start to goal of at most so many units each, breadth first.
    pub fn fewest_moves(&self, most: i32) -> u32 {
        let (start, goal) = (self.find('S'), self.find('G'));
        let mut far = HashMap::from([(start, 0)]);
        let mut open = VecDeque::from([start]);
        while let Some(spot) = open.pop_front() {
            if spot == goal {
                return far[&spot];
            }
            for direction in Direction::ALL {
                for units in 1..=self.wall(spot, direction).min(most) {
                    let next = Self::on(spot, direction, units);
                    if !far.contains_key(&next) {
                        far.insert(next, far[&spot] + 1);
                        open.push_back(next);
                    }
                }
            }
        }
        panic!("the goal cannot be reached");
    }
}
