//! The parts of a theory to the names that logic programs have for them.

use crate::invent::theory::parts::{ConditionSubject, InventedTheory, KindNumber};

/// Names of predicates and parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TheorySymbols {
    /// By type, its predicate.
    pub kinds: Vec<String>,
    /// By type, the parameter that says how many there are.
    pub counts: Vec<String>,
    /// By static relation.
    pub statics: Vec<String>,
    /// By inertial fluent.
    pub fluents: Vec<String>,
    /// By law.
    pub laws: Vec<String>,
    /// By action.
    pub actions: Vec<String>,
}

impl TheorySymbols {
    /// Names that say nothing, the same for all theories, since a name that the solver has seen is kept for good.
    pub fn plain(theory: &InventedTheory) -> TheorySymbols {
        let numbered = |letter: &str, count: usize| (0..count).map(|n| format!("{letter}{n}")).collect();
        TheorySymbols {
            kinds: numbered("kind", theory.kinds),
            counts: numbered("count", theory.kinds),
            statics: numbered("static", theory.statics.len()),
            fluents: numbered("state", theory.fluents.len()),
            laws: numbered("law", theory.laws.len()),
            actions: numbered("do", theory.actions.len()),
        }
    }

    /// What a condition is about.
    pub(super) fn subject(&self, what: ConditionSubject) -> &str {
        match what {
            ConditionSubject::Fluent(fluent) => &self.fluents[fluent],
            ConditionSubject::Law(law) => &self.laws[law],
        }
    }

    /// Variables for things of these types: the first letter of the type, numbered where several share it.
    pub(super) fn variables(&self, kinds: &[KindNumber]) -> Vec<String> {
        let letter = |kind: &KindNumber| self.kinds[*kind].chars().next().unwrap_or('x').to_ascii_uppercase();
        let letters: Vec<char> = kinds.iter().map(letter).collect();
        let name = |(place, letter): (usize, &char)| {
            let same = |upto: usize| letters[..upto].iter().filter(|other| *other == letter).count();
            match same(letters.len()) {
                // T is the time.
                1 if *letter != 'T' => letter.to_string(),
                _ => format!("{letter}{}", same(place) + 1),
            }
        };
        letters.iter().enumerate().map(name).collect()
    }
}
