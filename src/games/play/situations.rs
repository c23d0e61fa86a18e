//! Many situations of a game, with a move of each role, to what is legal, what goals hold, whether it is the end, and what
//! holds next, in lanes.

use racgen_logic::evaluate::circuit::CircuitValues;
use racgen_logic::evaluate::lanes::Word;

use crate::games::play::circuit::numbers;
use crate::games::play::playouts::Playouts;

/// Situations that are looked at side by side: 64 times as many.
const WIDTH: usize = 4;

/// A state and what is done in it, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSituation {
    /// The fluents that hold.
    pub fluents: Vec<u32>,
    /// A move of each role.
    pub moves: Vec<u32>,
}

/// What follows, by number and in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consequences {
    /// Moves.
    pub legal: Vec<u32>,
    /// Goals, read as if nothing was done.
    pub goals: Vec<u32>,
    /// Is the state terminal?
    pub terminal: bool,
    /// The fluents of the next state.
    pub next: Vec<u32>,
    /// The fluents that the rules for next yield when nothing is done.
    pub idle: Vec<u32>,
}

impl Playouts {
    /// Works out what follows from each of these situations.
    pub fn look(&self, situations: &[GameSituation]) -> Vec<Consequences> {
        let circuits = &self.circuits;
        let mut values: CircuitValues<WIDTH> = circuits.values();
        let mut found = Vec::with_capacity(situations.len());
        for some in situations.chunks(Word::<WIDTH>::LANES) {
            values.slots_mut().fill(Word::NONE);
            let slots = values.slots_mut();
            for (lane, situation) in some.iter().enumerate() {
                situation.fluents.iter().for_each(|fluent| slots[*fluent as usize].insert(lane));
                situation.moves.iter().for_each(|made| slots[circuits.fluents + *made as usize].insert(lane));
            }
            let (lanes, wanted) = (some.len(), Word::first(some.len()));
            circuits.find_ends(&mut values);
            let ends = values.get(circuits.terminal);
            circuits.find_goals(&mut values);
            let goals = numbers(&values, &circuits.goals, wanted, lanes);
            circuits.find_idle(&mut values);
            let idle = numbers(&values, &circuits.idle, wanted, lanes);
            circuits.find_legal(&mut values);
            let legal = numbers(&values, &circuits.legal, wanted, lanes);
            circuits.find_next(&mut values);
            let next = numbers(&values, &circuits.next, wanted, lanes);
            let lists = goals.into_iter().zip(idle).zip(legal.into_iter().zip(next)).enumerate();
            found.extend(lists.map(|(lane, ((goals, idle), (legal, next)))| Consequences {
                legal,
                goals,
                terminal: ends.get(lane),
                next,
                idle,
            }));
        }
        found
    }
}
