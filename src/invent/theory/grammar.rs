//! The number of a domain to its cell of the quotas, and random numbers to a theory of that cell.

use rand::rngs::ChaCha8Rng;

use crate::invent::theory::couplings::{builder, couple};
use crate::invent::theory::drawing::GrammarDrawing;
use crate::invent::theory::parts::{InventedTheory, LawKind, TheoryMechanism};

/// What a domain's number fixes of it: with 140 numbers in a row each pair and each triple of mechanisms comes with each
/// kind of laws once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotaCell {
    /// Two or three mechanisms.
    pub mechanisms: Vec<TheoryMechanism>,
    /// The kind of static laws.
    pub laws: LawKind,
}

/// A step through the combinations that has no factor in common with their number, so that neighbours differ much.
const STEP: u64 = 12;

impl QuotaCell {
    /// How many cells there are.
    pub fn count() -> u64 {
        (QuotaCell::combinations().len() * LawKind::ALL.len()) as u64
    }

    /// The cell of a number.
    pub fn of(number: u64) -> QuotaCell {
        let all = QuotaCell::combinations();
        let (place, round) = (number % all.len() as u64, number / all.len() as u64);
        let mechanisms = all[(place * STEP % all.len() as u64) as usize].clone();
        let laws = LawKind::ALL[((place + round) % LawKind::ALL.len() as u64) as usize];
        QuotaCell { mechanisms, laws }
    }

    /// All pairs and triples of mechanisms.
    pub fn combinations() -> Vec<Vec<TheoryMechanism>> {
        let all = 1..1u32 << TheoryMechanism::ALL.len();
        let of = |bits: u32| {
            let chosen = TheoryMechanism::ALL.iter().enumerate().filter(|(place, _)| bits >> place & 1 == 1);
            chosen.map(|(_, mechanism)| *mechanism).collect()
        };
        all.filter(|bits| (2..=3).contains(&bits.count_ones())).map(of).collect()
    }
}

/// A theory of a cell with its length in bits; none where the choices lead nowhere.
pub fn draw(cell: &QuotaCell, rng: ChaCha8Rng) -> Option<(InventedTheory, f64)> {
    let mut drawing = GrammarDrawing::new(rng);
    let small = cell.mechanisms.len() > 2;
    let mut made = builder(&mut drawing);
    for mechanism in &cell.mechanisms {
        made.add(*mechanism, small);
    }
    if made.theory.kinds < 2 {
        return None;
    }
    made.homes();
    let more = made.drawing.one_of(4);
    if !couple(&mut made, &cell.mechanisms, more) || !made.laws(cell.laws) {
        return None;
    }
    let theory = made.theory;
    (2..=7).contains(&theory.actions.len()).then(|| (theory, drawing.bits()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use racgen_logic::seed::stream;

    use super::*;

    #[test]
    fn each_cell_comes_once_in_a_round() {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for number in 0..QuotaCell::count() {
            *seen.entry(format!("{:?}", QuotaCell::of(number))).or_default() += 1;
        }
        assert_eq!(QuotaCell::count(), 140);
        assert!(seen.len() == 140 && seen.values().all(|times| *times == 1));
    }

    #[test]
    fn theories_depend_on_their_random_numbers_alone() {
        let mut drawn = 0;
        for number in 0..140 {
            let of = |attempt: u32| {
                draw(&QuotaCell::of(number), stream(3, &[&number.to_string(), &attempt.to_string()]))
            };
            for attempt in 0..4 {
                assert_eq!(of(attempt), of(attempt));
                let Some((theory, bits)) = of(attempt) else { continue };
                assert_eq!(theory.mechanisms(), QuotaCell::of(number).mechanisms);
                assert!((2..=5).contains(&theory.kinds) && bits > 5.0, "{theory:?} {bits}");
                drawn += 1;
            }
        }
        assert!(drawn > 300, "only {drawn} theories of 560");
    }
}
