//! Ground rules as clingo handed them over, to searches that are given them again instead of grounding.
//!
//! Grounding takes several times as long as adding rules that are ground already, happens in one thread at a time, and is
//! the same for all layouts of a level where these are facts that a program leaves open.

use std::time::Duration;

use clingo::{Atom, Backend, ClingoError, SolverLiteral, WeightedLiteral};
use rand::rngs::ChaCha8Rng;

use super::control::{SearchContext, free};
use super::gate;
use super::program::Program;
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

/// Ground rules, their atoms and literals in lists of all of them.
#[derive(Default)]
pub(super) struct RecordedRules {
    rules: Vec<RecordedRule>,
    heads: Vec<Atom>,
    literals: Vec<SolverLiteral>,
    weighted: Vec<WeightedLiteral>,
}

/// Where the head and the body of a rule end in those lists.
struct RecordedRule {
    choice: bool,
    /// Of a sum, what it has to come to.
    bound: Option<i32>,
    head: usize,
    body: usize,
}

impl RecordedRules {
    pub(super) fn rule(&mut self, choice: bool, head: &[Atom], body: &[SolverLiteral]) {
        self.heads.extend_from_slice(head);
        self.literals.extend_from_slice(body);
        let (head, body) = (self.heads.len(), self.literals.len());
        self.rules.push(RecordedRule { choice, bound: None, head, body });
    }

    pub(super) fn weight_rule(&mut self, choice: bool, head: &[Atom], bound: i32, body: &[WeightedLiteral]) {
        self.heads.extend_from_slice(head);
        self.weighted.extend_from_slice(body);
        let (head, body) = (self.heads.len(), self.weighted.len());
        self.rules.push(RecordedRule { choice, bound: Some(bound), head, body });
    }

    /// The largest number of an atom.
    fn atoms(&self) -> u32 {
        let heads = self.heads.iter().map(|atom| SolverLiteral::from(*atom));
        let all = heads.chain(self.literals.iter().copied()).chain(self.weighted.iter().map(|w| w.literal()));
        all.map(number).max().unwrap_or(0)
    }

    /// Adds the rules to a control that has none, as they are left where the truth of some atoms is known.
    fn add(&self, backend: &mut Backend, known: &KnownAtoms) -> Result<(), ClingoError> {
        let (mut heads, mut literals, mut weighted) = (0, 0, 0);
        let mut chosen = Vec::new();
        for rule in &self.rules {
            let mut head = &self.heads[heads..rule.head];
            heads = rule.head;
            if rule.choice {
                chosen.clear();
                chosen.extend(head.iter().filter(|atom| known.of((**atom).into()).is_none()));
                head = &chosen;
            }
            let is_idle = rule.choice && head.is_empty();
            match rule.bound {
                None => {
                    let body = &self.literals[literals..rule.body];
                    literals = rule.body;
                    if !is_idle && !body.iter().any(|literal| known.of(*literal) == Some(false)) {
                        backend.rule(rule.choice, head, body)?;
                    }
                }
                Some(bound) => {
                    let body = &self.weighted[weighted..rule.body];
                    weighted = rule.body;
                    if !is_idle {
                        backend.weight_rule(rule.choice, head, bound, body)?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn number(literal: SolverLiteral) -> u32 {
    literal.get_integer().unsigned_abs()
}

/// By atom, whether it is known to be true or false.
struct KnownAtoms(Vec<Option<bool>>);

impl KnownAtoms {
    fn of(&self, literal: SolverLiteral) -> Option<bool> {
        self.0[number(literal) as usize].map(|value| value == (literal.get_integer() > 0))
    }
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
        let added = self.add(control.backend(), known);
        if let Err(error) = added {
            free::<SearchContext>(control);
            return Err(error.into());
        }
        Ok(Search::ready(control, dice, self.named.clone(), limit))
    }

    fn add(&self, backend: Result<Backend, ClingoError>, known: &[(u32, bool)]) -> Result<(), ClingoError> {
        let mut backend = backend?;
        let atoms = known.iter().map(|(atom, _)| *atom).fold(self.rules.atoms(), u32::max);
        let mut values = KnownAtoms(vec![None; atoms as usize + 1]);
        for (atom, value) in known {
            values.0[*atom as usize] = Some(*value);
        }
        // Atoms are numbered from one on, as they were before.
        for value in &values.0[1..] {
            let atom = backend.add_atom(None)?;
            if *value == Some(true) {
                backend.rule(false, &[atom], &[])?;
            }
        }
        self.rules.add(&mut backend, &values)
    }
}
