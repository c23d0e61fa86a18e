//! Ground rules and a situation to the truth of chosen atoms, worked out afresh for each situation.
//!
//! The program is evaluated component by component along the dependency graph, each component to its well-founded
//! model, which is the only answer set where it is total. Where it is not, or where a program has disjunctions, the
//! caller has clingo decide.

mod compile;
mod loops;

use rustc_hash::FxHashMap as HashMap;

use super::definitions::VIOLATION;
use super::truth_values::TruthValues;
use super::{Evaluate, Unsupported};
use crate::ground::Literal;

/// The rules that the targets and all constraints depend on, in an order of evaluation.
///
/// ```
/// use racgen_logic::clingo::{Program, Source};
/// use racgen_logic::evaluate::{Evaluate, batch::BatchEvaluator};
///
/// let lamp = "{ switch; power }. light :- switch, power. dark :- not light.";
/// let program = Program { sources: vec![Source::new("lamp.lp", lamp)], ..Program::default() };
/// let ground = program.ground(&[("switch", 0), ("power", 0), ("dark", 0)]).unwrap();
/// let atom = |name| ground.predicate(name, 0).next().unwrap().1.unwrap();
///
/// let evaluator = BatchEvaluator::new(&ground, &[atom("dark")]).unwrap();
/// let mut values = evaluator.values();
/// evaluator.set(&mut values, atom("switch"), true);
/// assert!(evaluator.run(&mut values).unwrap());
/// assert!(evaluator.truth(&values, atom("dark")));
/// ```
#[derive(Debug)]
pub struct BatchEvaluator {
    atoms: usize,
    steps: Vec<EvalStep>,
    rules: Vec<CompiledRule>,
    literals: Vec<Literal>,
    /// Weighted literals of bodies; several rules may share one.
    sums: Vec<Vec<(Literal, i32)>>,
    members: Vec<u32>,
}

/// One situation of a [`BatchEvaluator`].
#[derive(Clone, Debug)]
pub struct BatchValues {
    now: TruthValues,
    /// What negated atoms read while a loop through negation is settled; equal to `now` elsewhere.
    fixed: TruthValues,
    /// What the weighted literals add up to. Not even as many weights as memory holds exceed 64 bits.
    sums: Vec<i64>,
}

impl BatchValues {
    #[inline]
    fn set(&mut self, atom: u32, value: bool) {
        self.now.set(atom, value);
        self.fixed.set(atom, value);
    }
}

/// One component of the dependency graph.
#[derive(Clone, Copy, Debug)]
enum EvalStep {
    /// A single atom that does not depend on itself, and its rules.
    Atom(u32, IndexRange),
    /// A sum of weighted literals.
    Sum(u32),
    /// Atoms that depend on each other.
    Loop(LoopStep),
}

#[derive(Clone, Copy, Debug)]
struct LoopStep {
    members: IndexRange,
    rules: IndexRange,
    /// Does the loop pass a negation?
    negative: bool,
}

#[derive(Clone, Copy, Debug)]
struct CompiledRule {
    head: u32,
    body: CompiledBody,
}

#[derive(Clone, Copy, Debug)]
enum CompiledBody {
    All(IndexRange),
    AtLeast { sum: u32, bound: i32 },
}

/// A part of a list, in half the memory of the standard library's ranges.
#[derive(Clone, Copy, Debug)]
struct IndexRange {
    from: u32,
    to: u32,
}

impl IndexRange {
    #[inline]
    fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.from as usize..self.to as usize]
    }
}

impl BatchEvaluator {
    /// What each atom is defined by: the atoms in the bodies of its rules.
    pub fn definitions(&self) -> HashMap<u32, Vec<u32>> {
        let mut all: HashMap<u32, Vec<u32>> = HashMap::default();
        for rule in &self.rules {
            let read = all.entry(rule.head).or_default();
            match rule.body {
                CompiledBody::All(literals) => {
                    read.extend(literals.of(&self.literals).iter().map(|l| l.atom()));
                }
                CompiledBody::AtLeast { sum, .. } => {
                    read.extend(self.sums[sum as usize].iter().map(|(l, _)| l.atom()));
                }
            }
        }
        all
    }

    /// The rules, those of one atom together, and each atom after those that it depends on, unless they depend on it:
    /// the atom, and the literals that must all hold; none for rules that weigh their literals.
    pub fn rules(&self) -> impl Iterator<Item = (u32, Option<&[Literal]>)> {
        let bodies = self.steps.iter().flat_map(|step| match step {
            EvalStep::Atom(_, rules) | EvalStep::Loop(LoopStep { rules, .. }) => rules.of(&self.rules),
            EvalStep::Sum(_) => &[],
        });
        bodies.map(|rule| match rule.body {
            CompiledBody::All(literals) => (rule.head, Some(literals.of(&self.literals))),
            CompiledBody::AtLeast { .. } => (rule.head, None),
        })
    }

    /// Does the body follow from what is settled?
    #[inline]
    fn follows(&self, body: CompiledBody, values: &BatchValues) -> bool {
        match body {
            CompiledBody::All(literals) => {
                literals.of(&self.literals).iter().all(|literal| values.now.holds(*literal))
            }
            CompiledBody::AtLeast { sum, bound } => values.sums[sum as usize] >= i64::from(bound),
        }
    }

    /// The sum of the weights of those literals that hold.
    #[inline]
    fn sum(&self, sum: u32, holds: impl Fn(Literal) -> bool) -> i64 {
        let literals = self.sums[sum as usize].iter();
        literals.map(|(literal, weight)| if holds(*literal) { i64::from(*weight) } else { 0 }).sum()
    }
}

impl Evaluate for BatchEvaluator {
    type Values = BatchValues;

    fn values(&self) -> BatchValues {
        let all_false = TruthValues::new(self.atoms);
        BatchValues { now: all_false.clone(), fixed: all_false, sums: vec![0; self.sums.len()] }
    }

    #[inline]
    fn set(&self, values: &mut BatchValues, input: u32, value: bool) {
        values.set(input, value);
    }

    fn run(&self, values: &mut BatchValues) -> Result<bool, Unsupported> {
        for step in &self.steps {
            match *step {
                EvalStep::Atom(atom, rules) => {
                    let mut rules = rules.of(&self.rules).iter();
                    let value = rules.any(|rule| self.follows(rule.body, values));
                    values.set(atom, value);
                }
                EvalStep::Sum(sum) => {
                    values.sums[sum as usize] = self.sum(sum, |literal| values.now.holds(literal));
                }
                EvalStep::Loop(step) => self.settle(step, values)?,
            }
        }
        Ok(!values.now.get(VIOLATION))
    }

    #[inline]
    fn truth(&self, values: &BatchValues, atom: u32) -> bool {
        values.now.get(atom)
    }
}
