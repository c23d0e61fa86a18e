//! Ground rules as clingo handed them over to a control that is given them again.

use clingo::{Atom, Backend, ClingoError, SolverLiteral, WeightedLiteral};

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

    /// Adds the rules to a control that has none, as they are left where some atoms are `known` to be true or false.
    pub(super) fn add(&self, backend: &mut Backend, known: &[(u32, bool)]) -> Result<(), ClingoError> {
        let atoms = known.iter().map(|(atom, _)| *atom).fold(self.atoms(), u32::max);
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
        self.add_rules(backend, &values)
    }

    fn add_rules(&self, backend: &mut Backend, known: &KnownAtoms) -> Result<(), ClingoError> {
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
