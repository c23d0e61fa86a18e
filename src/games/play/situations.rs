//! Many situations of a game, with a move of each role, to what is legal, what goals hold, whether it is the end, and what
//! holds next, in lanes.

use racgen_logic::evaluate::circuit::{CircuitValues, Output};
use racgen_logic::evaluate::lanes::Word;

use crate::games::play::playouts::Playouts;

/// Situations that are looked at side by side: 64 times as many.
const WIDTH: usize = 4;

/// A state and what is done in it, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// The fluents that hold.
    pub fluents: Vec<u32>,
    /// A move of each role.
    pub moves: Vec<u32>,
}

/// What follows, by number and in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// Moves.
    pub legal: Vec<u32>,
    /// Goals, read as if nothing was done.
    pub goals: Vec<u32>,
    /// Is the state terminal?
    pub terminal: bool,
    /// The fluents of the next state.
    pub next: Vec<u32>,
}

impl Playouts {
    /// Works out what follows from each of these situations.
    pub fn look(&self, situations: &[Situation]) -> Vec<Outlook> {
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
            let mut all = vec![Outlook::default(); some.len()];
            circuits.find_ends(&mut values);
            let ends = values.get(circuits.terminal) & Word::first(some.len());
            ends.lanes().for_each(|lane| all[lane].terminal = true);
            circuits.find_goals(&mut values);
            read(&values, &circuits.goals, &mut all, |outlook| &mut outlook.goals);
            circuits.find_legal(&mut values);
            read(&values, &circuits.legal, &mut all, |outlook| &mut outlook.legal);
            circuits.find_next(&mut values);
            read(&values, &circuits.next, &mut all, |outlook| &mut outlook.next);
            found.append(&mut all);
        }
        found
    }
}

/// Adds the number of each output to the lists of the lanes in which it is true.
fn read<const L: usize>(
    values: &CircuitValues<L>,
    outputs: &[Output],
    all: &mut [Outlook],
    list: impl Fn(&mut Outlook) -> &mut Vec<u32>,
) {
    for (number, output) in outputs.iter().enumerate() {
        let truth = values.get(*output) & Word::first(all.len());
        truth.lanes().for_each(|lane| list(&mut all[lane]).push(number as u32));
    }
}
