//! The words of `mechanisms` in `domain.toml` to what makes a domain's questions hard.

use racgen_logic::clingo::Source;
use racgen_logic::fault::{Fault, Faults, line_of};
use serde::Serialize;
use toml::Spanned;

/// What happens in a domain that a reader has to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mechanism {
    /// Things stand on things, and only the uppermost can be had.
    Stack,
    /// Things are inside things, or carried by them, and move along.
    Containment,
    /// What is reached, or what spreads, depends on connections between places.
    Graph,
    /// Effects follow from effects by laws.
    Ramification,
    /// Amounts change.
    Numbers,
    /// What may be together is restricted.
    Constraints,
    /// Some actions have more than one outcome.
    Nondeterminism,
}

impl Mechanism {
    /// All of them, in the order in which they are told.
    pub const ALL: [Mechanism; 7] = [
        Mechanism::Stack,
        Mechanism::Containment,
        Mechanism::Graph,
        Mechanism::Ramification,
        Mechanism::Numbers,
        Mechanism::Constraints,
        Mechanism::Nondeterminism,
    ];

    /// The word of `domain.toml`.
    pub fn word(self) -> &'static str {
        match self {
            Mechanism::Stack => "stack",
            Mechanism::Containment => "containment",
            Mechanism::Graph => "graph",
            Mechanism::Ramification => "ramification",
            Mechanism::Numbers => "numbers",
            Mechanism::Constraints => "constraints",
            Mechanism::Nondeterminism => "nondeterminism",
        }
    }

    /// Their words, one after the other.
    pub fn list(mechanisms: &[Mechanism]) -> String {
        mechanisms.iter().map(|mechanism| mechanism.word()).collect::<Vec<_>>().join(", ")
    }
}

/// The mechanisms of a list of `head`, in the order of [`Mechanism::ALL`]; each may stand there once.
pub(crate) fn mechanisms(head: &Source, written: &[Spanned<String>], faults: &mut Faults) -> Vec<Mechanism> {
    let mut found = Vec::new();
    for word in written {
        let line = line_of(&head.text, word.span().start);
        match Mechanism::ALL.into_iter().find(|known| known.word() == word.get_ref()) {
            Some(known) if found.contains(&known) => {
                let cause = format!("the mechanism `{}` stands here twice", word.get_ref());
                faults.push(Fault::new(&head.name, line, cause, "name each mechanism once"));
            }
            Some(known) => found.push(known),
            None => {
                let known = Mechanism::list(&Mechanism::ALL);
                let cause = format!("`{}` is no mechanism", word.get_ref());
                faults.push(Fault::new(&head.name, line, cause, format!("choose among {known}")));
            }
        }
    }
    Mechanism::ALL.into_iter().filter(|known| found.contains(known)).collect()
}
