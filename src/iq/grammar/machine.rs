//! Choices to a machine: a few states, and actions that lead from each to another. Boards to walk on, numbers to reckon
//! with, jugs to pour between and tables of states are all machines.

use crate::iq::grammar::code::{ChoiceCode, TooShort};

/// A machine. Every action can be done in every state; where there is no way, nothing changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// What it is, in a word.
    pub kind: &'static str,
    /// The names of its actions.
    pub actions: Vec<String>,
    /// State by state, where each action leads.
    pub edges: Vec<Vec<usize>>,
    /// The state at first.
    pub start: usize,
}

/// Steps to the neighbours of a cell: names, and how far across and up.
const ORTHOGONAL: [(&str, i32, i32); 4] =
    [("west", -1, 0), ("east", 1, 0), ("south", 0, -1), ("north", 0, 1)];
const DIAGONAL: [(&str, i32, i32); 4] =
    [("southwest", -1, -1), ("southeast", 1, -1), ("northwest", -1, 1), ("northeast", 1, 1)];
const LEAPS: [(&str, i32, i32); 4] = [("leap1", 1, 2), ("leap2", 2, 1), ("leap3", -1, -2), ("leap4", -2, 1)];

impl Machine {
    /// Any machine.
    ///
    /// # Errors
    /// Those of the code.
    pub fn derive(code: &mut ChoiceCode) -> Result<Machine, TooShort> {
        match code.among(6)? {
            0 => Machine::line(code),
            1 => Machine::ring(code),
            2 | 3 => Machine::board(code, 3),
            4 => Machine::counter(code),
            _ if code.bit()? => Machine::table(code),
            _ => Machine::jugs(code),
        }
    }

    /// A machine with places that two players can stand on.
    ///
    /// # Errors
    /// Those of the code.
    pub fn field(code: &mut ChoiceCode) -> Result<Machine, TooShort> {
        match code.among(3)? {
            0 => Machine::ring(code),
            _ => Machine::board(code, 3),
        }
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.edges.len()
    }

    fn of(
        kind: &'static str,
        actions: &[String],
        states: usize,
        start: usize,
        next: impl Fn(usize, usize) -> usize,
    ) -> Machine {
        let edges = (0..states).map(|state| (0..actions.len()).map(|action| next(state, action)).collect());
        Machine { kind, actions: actions.to_vec(), edges: edges.collect(), start }
    }

    /// Places in a row, with steps to both sides, and perhaps jumps.
    fn line(code: &mut ChoiceCode) -> Result<Machine, TooShort> {
        let states = 5 + code.several(11)?;
        let mut strides = vec![("back".to_owned(), -1_i64), ("forth".to_owned(), 1)];
        if code.bit()? {
            let far = 2 + code.several(3)? as i64;
            let sign = if code.bit()? { 1 } else { -1 };
            strides.push((format!("jump{far}"), sign * far));
        }
        let start = code.among(states)?;
        let names: Vec<String> = strides.iter().map(|(name, _)| name.clone()).collect();
        let next = |state: usize, action: usize| {
            let to = state as i64 + strides[action].1;
            if (0..states as i64).contains(&to) { to as usize } else { state }
        };
        Ok(Machine::of("line", &names, states, start, next))
    }

    /// Places in a circle, with two or three strides.
    fn ring(code: &mut ChoiceCode) -> Result<Machine, TooShort> {
        let states = 6 + code.several(12)?;
        let mut strides = vec![1 + code.several(2)?, states - 1 - code.several(2)?];
        if code.bit()? {
            strides.push(2 + code.among(states - 3)?);
        }
        let names: Vec<String> = (1..=strides.len()).map(|number| format!("turn{number}")).collect();
        let next = |state: usize, action: usize| (state + strides[action]) % states;
        Ok(Machine::of("ring", &names, states, 0, next))
    }

    /// Cells of a board with or without an edge, with walls here and there, and steps of a kind.
    fn board(code: &mut ChoiceCode, least: usize) -> Result<Machine, TooShort> {
        let (wide, high) = (least + code.several(3)?, least + code.several(3)?);
        let endless = code.bit()?;
        let steps: Vec<(&str, i32, i32)> = match code.several(3)? {
            0 => ORTHOGONAL.to_vec(),
            1 => DIAGONAL.iter().chain(&ORTHOGONAL[..2]).copied().collect(),
            2 => ORTHOGONAL[..2].iter().chain(&LEAPS).copied().collect(),
            _ => [ORTHOGONAL, DIAGONAL].concat(),
        };
        let cells = wide * high;
        let start = code.among(cells)?;
        let mut walls = Vec::new();
        for _ in 0..code.several(5)? {
            walls.push(code.among(cells)?);
        }
        let names: Vec<String> = steps.iter().map(|(name, ..)| (*name).to_owned()).collect();
        let next = |state: usize, action: usize| {
            let (_, across, up) = steps[action];
            let (x, y) = ((state % wide) as i32 + across, (state / wide) as i32 + up);
            let inside = (0..wide as i32).contains(&x) && (0..high as i32).contains(&y);
            let (x, y) = (x.rem_euclid(wide as i32) as usize, y.rem_euclid(high as i32) as usize);
            let to = y * wide + x;
            if (inside || endless) && !walls.contains(&to) { to } else { state }
        };
        Ok(Machine::of(if endless { "torus" } else { "grid" }, &names, cells, start, next))
    }

    /// A number below a modulus, to add to, to take from and to multiply.
    fn counter(code: &mut ChoiceCode) -> Result<Machine, TooShort> {
        let modulus = 8 + code.several(16)?;
        let mut changes = Vec::new();
        for _ in 0..2 + code.several(2)? {
            let operand = 1 + code.several(5)?;
            changes.push(match code.among(3)? {
                0 => (format!("add{operand}"), 1, operand),
                1 => (format!("sub{operand}"), 1, modulus - operand % modulus),
                _ => (format!("times{}", operand + 1), operand + 1, 0),
            });
        }
        changes.sort();
        changes.dedup();
        let start = code.among(modulus)?;
        let names: Vec<String> = changes.iter().map(|(name, ..)| name.clone()).collect();
        let next = |state: usize, action: usize| (state * changes[action].1 + changes[action].2) % modulus;
        Ok(Machine::of("counter", &names, modulus, start, next))
    }

    /// States with a table of where two or three actions lead.
    fn table(code: &mut ChoiceCode) -> Result<Machine, TooShort> {
        let (states, actions) = (5 + code.several(5)?, 2 + code.several(1)?);
        let mut edges = vec![vec![0; actions]; states];
        for to in edges.iter_mut().flatten() {
            *to = code.among(states)?;
        }
        let names = (1..=actions).map(|number| format!("push{number}")).collect();
        Ok(Machine { kind: "table", actions: names, edges, start: 0 })
    }

    /// Two jugs that are filled, emptied and poured into each other.
    fn jugs(code: &mut ChoiceCode) -> Result<Machine, TooShort> {
        let (left, right) = (2 + code.several(4)?, 3 + code.several(4)?);
        let names = ["fill1", "fill2", "empty1", "empty2", "pour12", "pour21"].map(str::to_owned);
        let next = |state: usize, action: usize| {
            let (a, b) = (state % (left + 1), state / (left + 1));
            let (a, b) = match action {
                0 => (left, b),
                1 => (a, right),
                2 => (0, b),
                3 => (a, 0),
                4 => (a - a.min(right - b), b + a.min(right - b)),
                _ => (a + b.min(left - a), b - b.min(left - a)),
            };
            b * (left + 1) + a
        };
        Ok(Machine::of("jugs", &names, (left + 1) * (right + 1), 0, next))
    }
}
