//! Ground rules as clingo handed them over, to searches that are given them again instead of grounding.
//!
//! Grounding takes several times as long as adding rules that are ground already, happens in one thread at a time, and is
//! the same for all layouts of a level where these are facts that a program leaves open.

use std::time::Duration;

use rand::rngs::ChaCha8Rng;

use super::control::{SearchContext, free};
use super::gate;
use super::program::Program;
use super::recorded_rules::RecordedRules;
use super::search::Search;
use super::symbols::NamedAtom;
use crate::error::LogicError;
use crate::term::Term;

/// All ground rules of a program, and its named atoms.
///
/// ```
/// use std::time::Duration;
///
/// use racgen_logic::clingo::{Program, Source};
///
/// let lamp = "{ power }. 1 { lamp(1..3) } 1. light :- lamp(L), power, L < 3.";
/// let program = Program { sources: vec![Source::new("lamp.lp", lamp)], ..Program::default() };
/// let (ground, recorded) = program.ground_and_record(&[("power", 0), ("light", 0)], None).unwrap();
/// let power = ground.predicate("power", 0).next().unwrap().1.unwrap();
///
/// let lights = |known: &[(u32, bool)]| {
///     let mut search = recorded.search(known, None, Duration::from_secs(1)).unwrap();
///     let found = search.enumerate(10).unwrap();
///     (found.len(), found.iter().filter(|atoms| atoms.iter().any(|atom| atom.is("light", 0))).count())
/// };
/// assert_eq!(lights(&[]), (6, 2));
/// assert_eq!(lights(&[(power, true)]), (3, 2));
/// assert_eq!(lights(&[(power, false)]), (3, 0));
/// ```
pub struct RecordedProgram {
    program: Program,
    rules: RecordedRules,
    named: Vec<NamedAtom>,
}

impl RecordedProgram {
    pub(super) fn new(program: &Program, rules: RecordedRules, named: Vec<NamedAtom>) -> RecordedProgram {
        RecordedProgram { program: program.clone(), rules, named }
    }

    /// Keeps the names of those atoms only that `wanted` accepts.
    pub fn named(mut self, wanted: impl Fn(&Term) -> bool) -> RecordedProgram {
        self.named.retain(|(term, _)| wanted(term));
        self
    }

    /// As [`Program::search`], where of atoms that may be chosen some are `known` to be true or false.
    ///
    /// # Errors
    /// clingo's.
    pub fn search(
        &self,
        known: &[(u32, bool)],
        rng: Option<ChaCha8Rng>,
        limit: Duration,
    ) -> Result<Search, LogicError> {
        let (mut control, dice) = {
            let _gate = gate::enter(&self.program);
            Search::control(&[], rng)?
        };
        let added = control.backend().and_then(|mut backend| self.rules.add(&mut backend, known));
        if let Err(error) = added {
            free::<SearchContext>(control);
            return Err(error.into());
        }
        Ok(Search::ready(control, dice, self.named.clone(), limit))
    }
}
