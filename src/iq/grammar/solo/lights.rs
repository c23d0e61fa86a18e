//! Choices to lamps that are all to be lit: buttons toggle some of them each.

use crate::iq::grammar::code::{ChoiceCode, TooShort};
use crate::iq::grammar::graph::{distances, ring};
use crate::iq::grammar::kif::KifText;
use crate::iq::grammar::solo::world::{SoloWorld, WorldScore};

/// Lamps and buttons.
#[derive(Clone, Debug)]
pub struct Lights {
    lamps: usize,
    /// The lamps that each button toggles, as bits.
    buttons: Vec<usize>,
    /// The lamps that are lit at first.
    lit: usize,
    steps: u32,
}

impl Lights {
    /// Any lamps and buttons.
    ///
    /// # Errors
    /// Those of the code.
    pub fn derive(code: &mut ChoiceCode) -> Result<Lights, TooShort> {
        let lamps = 3 + code.several(4)?;
        let all = (1 << lamps) - 1;
        let bit = |lamp: usize| 1 << (lamp % lamps);
        let mut buttons: Vec<usize> = match code.several(3)? {
            0 => (0..lamps).map(|lamp| bit(lamp) | bit(lamp + 1)).collect(),
            1 => (0..lamps).map(|lamp| bit(lamp) | bit(lamp + 1) | bit(lamp + lamps - 1)).collect(),
            2 => (0..lamps).map(|lamp| all & !bit(lamp)).collect(),
            _ => {
                let mut buttons = Vec::new();
                for _ in 0..2 + code.several(4)? {
                    buttons.push(1 + code.among(all)?);
                }
                buttons
            }
        };
        buttons.sort_unstable();
        buttons.dedup();
        let next = |state: usize, button: usize| state ^ buttons[button];
        let far = distances(1 << lamps, buttons.len(), all, next, &[]);
        let (starts, steps) = ring(&far, 2 + code.several(4)? as u32);
        let lit = starts[code.among(starts.len())?];
        Ok(Lights { lamps, buttons, lit, steps })
    }
}

impl SoloWorld for Lights {
    fn kind(&self) -> String {
        "lights".into()
    }

    fn steps(&self) -> u32 {
        self.steps
    }

    fn score(&self) -> WorldScore {
        WorldScore::Won
    }

    fn write(&self, name: &str, out: &mut KifText) {
        let has = |mask: usize, lamp: usize| mask >> lamp & 1 == 1;
        for lamp in (0..self.lamps).filter(|lamp| has(self.lit, *lamp)) {
            out.line(format_args!("(init (at {name} {lamp}))"));
        }
        for (button, mask) in self.buttons.iter().enumerate() {
            out.line(format_args!("(legal player (do {name} press{button}))"));
            for lamp in (0..self.lamps).filter(|lamp| has(*mask, *lamp)) {
                out.line(format_args!("(toggles {name} press{button} {lamp})"));
            }
        }
        for lamp in 0..self.lamps {
            out.line(format_args!("(lamp {name} {lamp})"));
        }
        let (flipped, lit) = (format!("(flipped {name} ?x)"), format!("(true (at {name} ?x))"));
        out.rule(&flipped, &[&format!("(does player (do {name} ?a))"), &format!("(toggles {name} ?a ?x)")]);
        let next = format!("(next (at {name} ?x))");
        out.rule(&next, &[&lit, &format!("(not {flipped})")]);
        out.rule(&next, &[&format!("(lamp {name} ?x)"), &flipped, &format!("(not {lit})")]);
        let all: Vec<String> = (0..self.lamps).map(|lamp| format!("(true (at {name} {lamp}))")).collect();
        out.rule(format_args!("(won {name})"), &all.iter().map(String::as_str).collect::<Vec<_>>());
    }
}
