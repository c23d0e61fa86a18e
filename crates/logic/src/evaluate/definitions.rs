//! A ground program to the rules that define each of its atoms.

use super::components::components;
use super::unsupported::Unsupported;
use crate::ground::{Body, GroundProgram, Literal};

/// What a violated constraint makes true. clingo numbers the atoms of rules from 1, and calls 0 what is never true, as
/// this is where the constraints are met.
pub(super) const VIOLATION: u32 = 0;

/// The rules of a program without disjunctions, by the atoms that they define. A constraint defines [`VIOLATION`];
/// inputs are defined by nothing.
pub(super) struct Definitions<'p> {
    /// One more than the largest number of an atom.
    pub(super) atoms: usize,
    /// Heads and bodies.
    pub(super) rules: Vec<(u32, &'p Body)>,
    /// By atom, the places of its rules.
    of: Vec<Vec<u32>>,
    /// By atom, whether it is an input.
    pub(super) input: Vec<bool>,
}

impl<'p> Definitions<'p> {
    /// The definitions in a program.
    ///
    /// # Errors
    /// [`Unsupported::Disjunction`].
    pub(super) fn new(program: &'p GroundProgram) -> Result<Definitions<'p>, Unsupported> {
        let atoms = program.atoms as usize + 1;
        let mut input = vec![false; atoms];
        for atom in program.rules.iter().filter(|rule| rule.choice).flat_map(|rule| &rule.head) {
            input[*atom as usize] = true;
        }
        let mut rules = Vec::new();
        let mut of = vec![Vec::new(); atoms];
        for rule in program.rules.iter().filter(|rule| !rule.choice) {
            if rule.head.len() > 1 {
                return Err(Unsupported::Disjunction);
            }
            let head = rule.head.first().copied().unwrap_or(VIOLATION);
            if !input[head as usize] {
                of[head as usize].push(rules.len() as u32);
                rules.push((head, &rule.body));
            }
        }
        Ok(Definitions { atoms, rules, of, input })
    }

    /// Takes out the constraints on an atom and another one that is defined as its negation, which nothing violates:
    /// otherwise whatever is evaluated would depend on these atoms.
    pub(super) fn forget_what_never_holds(&mut self) {
        let mut constraints = std::mem::take(&mut self.of[VIOLATION as usize]);
        constraints.retain(|rule| match self.body(*rule) {
            Body::All(literals) => match literals[..] {
                [one, other] => !self.is_negation(one, other) && !self.is_negation(other, one),
                _ => true,
            },
            Body::Sum(..) => true,
        });
        self.of[VIOLATION as usize] = constraints;
    }

    /// Is one literal an atom that holds exactly where the other one, an atom as well, does not?
    fn is_negation(&self, one: Literal, other: Literal) -> bool {
        let negated = Literal::from_signed(-(other.atom() as i32));
        let defined = || match self.of(one.atom()) {
            [only] => matches!(self.body(*only), Body::All(literals) if literals[..] == [negated]),
            _ => false,
        };
        one.positive() && other.positive() && !self.input[one.atom() as usize] && defined()
    }

    /// The places of an atom's rules.
    pub(super) fn of(&self, atom: u32) -> &[u32] {
        &self.of[atom as usize]
    }

    /// The body of the rule at a place.
    pub(super) fn body(&self, rule: u32) -> &'p Body {
        self.rules[rule as usize].1
    }

    /// The atoms that the targets depend on, those that depend on each other together, each after what it depends on.
    pub(super) fn components(&self, targets: &[u32]) -> Vec<Vec<u32>> {
        components(self.atoms, targets, |atom, visit| {
            let bodies = self.of(atom).iter().map(|rule| self.body(*rule));
            bodies.flat_map(Body::weighted).for_each(|(literal, _)| visit(literal.atom()));
        })
    }
}
