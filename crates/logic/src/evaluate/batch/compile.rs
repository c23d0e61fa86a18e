//! Ground rules to steps in an order of evaluation.

use rustc_hash::FxHashMap as HashMap;

use super::{BatchEvaluator, CompiledBody, CompiledRule, EvalStep, IndexRange, LoopStep};
use crate::evaluate::Unsupported;
use crate::evaluate::definitions::{Definitions, VIOLATION};
use crate::ground::{Body, GroundProgram, Literal};

impl BatchEvaluator {
    /// Compiles the rules that the target atoms and all constraints depend on.
    ///
    /// # Errors
    /// [`Unsupported::Disjunction`].
    pub fn new(program: &GroundProgram, targets: &[u32]) -> Result<BatchEvaluator, Unsupported> {
        let definitions = Definitions::new(program)?;
        let mut targets = targets.to_vec();
        targets.push(VIOLATION);
        let components = definitions.components(&targets);
        let mut component_of = vec![u32::MAX; definitions.atoms];
        for (number, members) in components.iter().enumerate() {
            members.iter().for_each(|atom| component_of[*atom as usize] = number as u32);
        }
        let mut compiler = Compiler {
            evaluator: BatchEvaluator {
                atoms: definitions.atoms,
                steps: Vec::new(),
                rules: Vec::new(),
                literals: Vec::new(),
                sums: Vec::new(),
                members: Vec::new(),
            },
            definitions,
            component_of,
            shared: HashMap::default(),
        };
        components.iter().for_each(|members| compiler.component(members));
        Ok(compiler.evaluator)
    }
}

struct Compiler<'p> {
    evaluator: BatchEvaluator,
    definitions: Definitions<'p>,
    component_of: Vec<u32>,
    /// Weighted literals, sorted, to the place of their sum.
    shared: HashMap<Vec<(Literal, i32)>, u32>,
}

impl Compiler<'_> {
    /// Adds the step of a component, after the steps of the sums that its rules read.
    fn component(&mut self, members: &[u32]) {
        if members.iter().all(|atom| self.definitions.input[*atom as usize]) {
            return;
        }
        let rules = self.rules(members);
        let step = match self.recursion(members) {
            None => EvalStep::Atom(members[0], rules),
            Some(negative) => {
                let from = self.evaluator.members.len() as u32;
                self.evaluator.members.extend(members);
                let members = IndexRange { from, to: self.evaluator.members.len() as u32 };
                EvalStep::Loop(LoopStep { members, rules, negative })
            }
        };
        self.evaluator.steps.push(step);
    }

    /// Compiles the rules of a component.
    fn rules(&mut self, members: &[u32]) -> IndexRange {
        let from = self.evaluator.rules.len() as u32;
        for head in members {
            for place in 0..self.definitions.of(*head).len() {
                let body = self.definitions.body(self.definitions.of(*head)[place]);
                let body = self.body(body);
                self.evaluator.rules.push(CompiledRule { head: *head, body });
            }
        }
        IndexRange { from, to: self.evaluator.rules.len() as u32 }
    }

    /// Do the members depend on each other, and if so, does the loop pass a negation?
    fn recursion(&self, members: &[u32]) -> Option<bool> {
        let rules = members.iter().flat_map(|atom| self.definitions.of(*atom));
        let literals =
            rules.flat_map(|rule| self.definitions.body(*rule).weighted()).map(|(literal, _)| literal);
        let of = |atom: u32| self.component_of[atom as usize];
        let within = literals.filter(|literal| of(literal.atom()) == of(members[0]));
        within.map(|literal| !literal.positive()).reduce(|any, negative| any || negative)
    }

    fn body(&mut self, body: &Body) -> CompiledBody {
        let evaluator = &mut self.evaluator;
        match body {
            Body::All(literals) => {
                let from = evaluator.literals.len() as u32;
                evaluator.literals.extend(literals);
                CompiledBody::All(IndexRange { from, to: evaluator.literals.len() as u32 })
            }
            Body::Sum(bound, literals) => {
                let mut key = literals.clone();
                key.sort_unstable();
                let sum = *self.shared.entry(key).or_insert_with_key(|literals| {
                    let sum = evaluator.sums.len() as u32;
                    evaluator.sums.push(literals.clone());
                    evaluator.steps.push(EvalStep::Sum(sum));
                    sum
                });
                CompiledBody::AtLeast { sum, bound: *bound }
            }
        }
    }
}
