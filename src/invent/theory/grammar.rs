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
    use std::collections::{BTreeMap, BTreeSet};

    use racgen_logic::seed::stream;

    use super::*;
    use crate::invent::theory::parts::{ConditionSubject, TheoryCondition};

    #[test]
    fn each_cell_comes_once_in_a_round() {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for number in 0..QuotaCell::count() {
            *seen.entry(format!("{:?}", QuotaCell::of(number))).or_default() += 1;
        }
        assert_eq!(QuotaCell::count(), 140);
        assert!(seen.len() == 140 && seen.values().all(|times| *times == 1));
        // So each mechanism and each kind of laws has a fixed share of any 140 numbers in a row.
        for first in [0, 7, 1000] {
            let cells: Vec<QuotaCell> = (first..first + QuotaCell::count()).map(QuotaCell::of).collect();
            for mechanism in TheoryMechanism::ALL {
                assert_eq!(cells.iter().filter(|cell| cell.mechanisms.contains(&mechanism)).count(), 60);
            }
            for laws in LawKind::ALL {
                assert_eq!(cells.iter().filter(|cell| cell.laws == laws).count(), 35);
            }
        }
    }

    /// What a theory has, in words.
    fn parts(theory: &InventedTheory) -> BTreeSet<String> {
        let mut all =
            BTreeSet::from([format!("{} types", theory.kinds), format!("{} actions", theory.actions.len())]);
        all.extend(theory.statics.iter().map(|relation| relation.shape.name().to_owned()));
        all.extend(theory.fluents.iter().map(|fluent| format!("fluents of {}", fluent.kinds.len())));
        all.extend(theory.fluents.iter().map(|fluent| format!("{:?}", fluent.kind)));
        let effects = || theory.actions.iter().flat_map(|action| &action.effects);
        all.extend(effects().map(|effect| {
            let each = if effect.each.is_empty() { "" } else { "on all " };
            format!("an effect {each}{}", if effect.when.is_empty() { "always" } else { "under conditions" })
        }));
        let conditions = theory.actions.iter().flat_map(|action| &action.requires);
        all.extend(conditions.map(|condition| match condition {
            TheoryCondition::Is { positive, .. } | TheoryCondition::Any { positive, .. } => {
                format!("required: {positive}")
            }
            TheoryCondition::Fewer { .. } | TheoryCondition::Number { .. } => "required: counted".to_owned(),
            _ => "required: other".to_owned(),
        }));
        for (number, law) in theory.laws.iter().enumerate() {
            let reads = |condition: &TheoryCondition| match condition {
                TheoryCondition::Is { what: ConditionSubject::Law(read), .. } => Some(*read == number),
                _ => None,
            };
            let read = law.cases.iter().flat_map(|case| &case.when).find_map(reads);
            all.insert(format!("law: {read:?}"));
        }
        all
    }

    #[test]
    fn theories_have_all_that_they_may_have() {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for number in 0..280 {
            let rngs = (0..4).map(|attempt: u32| stream(4, &[&number.to_string(), &attempt.to_string()]));
            if let Some((theory, _)) = rngs.into_iter().find_map(|rng| draw(&QuotaCell::of(number), rng)) {
                parts(&theory).into_iter().for_each(|part| *seen.entry(part).or_default() += 1);
            }
        }
        let wanted = [
            "2 types",
            "3 types",
            "4 types",
            "5 types",
            "2 actions",
            "4 actions",
            "7 actions",
            "graph",
            "tree",
            "line",
            "ring",
            "grid",
            "order",
            "partition",
            "fluents of 0",
            "fluents of 1",
            "fluents of 2",
            "At",
            "State",
            "In",
            "On",
            "Has(2)",
            "Has(3)",
            "Tied",
            "an effect always",
            "an effect under conditions",
            "an effect on all under conditions",
            "required: true",
            "required: false",
            "required: counted",
            "law: None",
            "law: Some(false)",
            "law: Some(true)",
        ];
        for part in wanted {
            assert!(seen.contains_key(part), "{part}: {seen:#?}");
        }
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
