//! Choices to tiles in a row that are to be brought into order: actions swap, rotate or reverse some of them.

use crate::iq::grammar::code::{ChoiceCode, TooShort};
use crate::iq::grammar::graph::{distances, ring};
use crate::iq::grammar::kif::KifText;
use crate::iq::grammar::solo::world::{SoloWorld, WorldScore};

/// Tiles, and what is done with them.
#[derive(Clone, Debug)]
pub struct Tiles {
    /// By action, its name and, place by place, the place where the tile goes.
    actions: Vec<(&'static str, Vec<usize>)>,
    /// By place, the tile that lies there at first.
    first: Vec<usize>,
    steps: u32,
}

/// All orders of so many tiles, in the order of the tiles' numbers.
fn orders(tiles: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..tiles {
        let longer = all.iter().flat_map(|order: &Vec<usize>| {
            let left = (0..tiles).filter(|tile| !order.contains(tile));
            left.map(|tile| order.iter().copied().chain([tile]).collect()).collect::<Vec<Vec<usize>>>()
        });
        all = longer.collect();
    }
    all
}

impl Tiles {
    /// Any tiles and actions.
    ///
    /// # Errors
    /// Those of the code.
    pub fn derive(code: &mut ChoiceCode) -> Result<Tiles, TooShort> {
        let tiles = 3 + code.several(2)?;
        let rotate = ("rotate", (0..tiles).map(|place| (place + 1) % tiles).collect::<Vec<usize>>());
        let unrotate = ("unrotate", (0..tiles).map(|place| (place + tiles - 1) % tiles).collect());
        let reverse = ("reverse", (0..tiles).rev().collect());
        let swap = |name, a: usize, b: usize| {
            let mut to: Vec<usize> = (0..tiles).collect();
            to.swap(a, b);
            (name, to)
        };
        let (left, right) = (swap("swap", 0, 1), swap("swaplast", tiles - 2, tiles - 1));
        let actions = match code.among(4)? {
            0 => vec![rotate, left],
            1 => vec![left, right, reverse],
            2 => vec![rotate, unrotate, right],
            _ => vec![swap("swapends", 0, tiles - 1), left, rotate],
        };
        let orders = orders(tiles);
        let next = |state: usize, action: usize| {
            let mut order = vec![0; tiles];
            for (place, tile) in orders[state].iter().enumerate() {
                order[actions[action].1[place]] = *tile;
            }
            orders.binary_search(&order).unwrap_or(state)
        };
        // From each order to the sorted one it is as far as the actions, undone, lead from there.
        let far = reversed(orders.len(), actions.len(), next);
        let (starts, steps) = ring(&far, 2 + code.several(5)? as u32);
        let first = orders[starts[code.among(starts.len())?]].clone();
        Ok(Tiles { actions, first, steps })
    }
}

/// How far it is from each state to the first.
fn reversed(states: usize, actions: usize, next: impl Fn(usize, usize) -> usize) -> Vec<Option<u32>> {
    let mut back = vec![vec![0; actions]; states];
    for state in 0..states {
        for action in 0..actions {
            // Actions are permutations of the states.
            back[next(state, action)][action] = state;
        }
    }
    distances(states, actions, 0, |state, action| back[state][action], &[])
}

impl SoloWorld for Tiles {
    fn kind(&self) -> String {
        "tiles".into()
    }

    fn steps(&self) -> u32 {
        self.steps
    }

    fn score(&self) -> WorldScore {
        WorldScore::Won
    }

    fn write(&self, name: &str, out: &mut KifText) {
        for (place, tile) in self.first.iter().enumerate() {
            out.line(format_args!("(init (at {name} {place} t{tile}))"));
        }
        for (action, to) in &self.actions {
            out.line(format_args!("(legal player (do {name} {action}))"));
            for (place, to) in to.iter().enumerate() {
                out.line(format_args!("(brings {name} {action} {place} {to})"));
            }
        }
        let (at, moved) = (format!("(true (at {name} ?x ?t))"), format!("(moved {name})"));
        let does = format!("(does player (do {name} ?a))");
        out.rule(&moved, &[&does]);
        out.rule(
            format_args!("(next (at {name} ?y ?t))"),
            &[&at, &does, &format!("(brings {name} ?a ?x ?y)")],
        );
        out.rule(format_args!("(next (at {name} ?x ?t))"), &[&at, &format!("(not {moved})")]);
        let all: Vec<String> =
            (0..self.first.len()).map(|place| format!("(true (at {name} {place} t{place}))")).collect();
        out.rule(format_args!("(won {name})"), &all.iter().map(String::as_str).collect::<Vec<_>>());
    }
}
