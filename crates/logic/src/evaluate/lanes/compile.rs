//! Ground rules to gates in an order of evaluation.

use std::sync::Arc;

use rustc_hash::FxHashMap as HashMap;

use super::sums::LaneSum;
use super::{
    IndexRange, LaneBody, LaneEvaluator, LaneLiteral, LaneRule, LaneStep, LaneWiring, LoopStep, Rival,
};
use crate::evaluate::Unsupported;
use crate::evaluate::definitions::{Definitions, VIOLATION};
use crate::ground::{Body, GroundProgram, Literal};

impl LaneEvaluator {
    /// Compiles the rules that the target atoms and all constraints depend on.
    ///
    /// # Errors
    /// [`Unsupported::Disjunction`].
    pub fn new(program: &GroundProgram, targets: &[u32]) -> Result<LaneEvaluator, Unsupported> {
        let mut definitions = Definitions::new(program)?;
        definitions.forget_what_never_holds();
        let mut targets = targets.to_vec();
        targets.push(VIOLATION);
        let components = definitions.components(&targets);
        let mut component_of = vec![u32::MAX; definitions.atoms];
        for (number, members) in components.iter().enumerate() {
            members.iter().for_each(|atom| component_of[*atom as usize] = number as u32);
        }
        let mut compiler = Compiler {
            steps: Vec::new(),
            wiring: LaneWiring { atoms: definitions.atoms, ..LaneWiring::default() },
            definitions,
            component_of,
            shared: HashMap::default(),
            assumed: HashMap::default(),
        };
        components.iter().for_each(|members| compiler.component(members));
        Ok(LaneEvaluator { steps: compiler.steps, wiring: Arc::new(compiler.wiring) })
    }
}

struct Compiler<'p> {
    steps: Vec<LaneStep>,
    wiring: LaneWiring,
    definitions: Definitions<'p>,
    component_of: Vec<u32>,
    /// Weighted literals, sorted, to the place of their sum.
    shared: HashMap<Vec<(Literal, i32)>, u32>,
    /// The second words of the members of the loop through negation that is being compiled.
    assumed: HashMap<u32, u32>,
}

/// How the members of a component depend on each other: on some that are negated, on some that are not.
#[derive(Clone, Copy, Default)]
struct Recursion {
    negative: bool,
    positive: bool,
}

impl<'p> Compiler<'p> {
    /// Adds the step of a component, after the steps of the sums that its rules read.
    fn component(&mut self, members: &[u32]) {
        if members.iter().all(|atom| self.definitions.input[*atom as usize]) {
            return;
        }
        let Recursion { negative, positive } = self.recursion(members);
        let step = match members {
            [atom] if !negative && !positive => LaneStep::Atom(*atom, self.rules(members)),
            [one, other] if self.are_rivals(*one, *other) => {
                let rivals = [self.rival(*one, *other), self.rival(*other, *one)];
                self.wiring.rivals.push(rivals);
                LaneStep::Rivals(self.wiring.rivals.len() as u32 - 1)
            }
            _ => {
                let wiring = &mut self.wiring;
                let from = wiring.members.len() as u32;
                wiring.members.extend(members);
                let assumed = (wiring.atoms + wiring.assumed.len()) as u32;
                if negative {
                    wiring.assumed.extend(members);
                    self.assumed = members.iter().copied().zip(assumed..).collect();
                }
                let members_at = IndexRange { from, to: self.wiring.members.len() as u32 };
                let rules = self.rules(members);
                self.assumed.clear();
                self.wiring.loops.push(LoopStep { members: members_at, rules, negative, positive, assumed });
                LaneStep::Loop(self.wiring.loops.len() as u32 - 1)
            }
        };
        self.steps.push(step);
    }

    fn bodies(&self, atom: u32) -> impl Iterator<Item = &'p Body> {
        self.definitions.of(atom).iter().map(|rule| self.definitions.body(*rule))
    }

    fn recursion(&self, members: &[u32]) -> Recursion {
        let own = self.component_of[members[0] as usize];
        let literals = members.iter().flat_map(|atom| self.bodies(*atom)).flat_map(Body::weighted);
        let within = literals.filter(|(literal, _)| self.component_of[literal.atom() as usize] == own);
        within.fold(Recursion::default(), |found, (literal, _)| Recursion {
            negative: found.negative || !literal.positive(),
            positive: found.positive || literal.positive(),
        })
    }

    /// Do both atoms read nothing of this component but, negated and once in a body, each other?
    fn are_rivals(&self, one: u32, other: u32) -> bool {
        let reads_only = |atom: u32, rival: u32| {
            self.bodies(atom).all(|body| match body {
                Body::All(literals) => {
                    let mut within = literals.iter().filter(|l| l.atom() == atom || l.atom() == rival);
                    within.all(|literal| literal.atom() == rival && !literal.positive())
                }
                Body::Sum(_, literals) => literals.iter().all(|(l, _)| l.atom() != atom && l.atom() != rival),
            })
        };
        reads_only(one, other) && reads_only(other, one)
    }

    fn rival(&mut self, atom: u32, other: u32) -> Rival {
        let reads = |body: &Body| body.weighted().any(|(literal, _)| literal.atom() == other);
        let (default, own): (Vec<&Body>, Vec<&Body>) = self.bodies(atom).partition(|body| reads(body));
        let own = self.compiled(own.into_iter().map(|body| (atom, body)));
        let from = self.wiring.rules.len() as u32;
        for body in default {
            let literals = body.weighted().map(|(literal, _)| literal).filter(|l| l.atom() != other);
            let body = self.all(literals);
            self.wiring.rules.push(LaneRule { head: atom, body });
        }
        let default = IndexRange { from, to: self.wiring.rules.len() as u32 };
        Rival { atom, own, default }
    }

    /// Compiles the rules of a component.
    fn rules(&mut self, members: &[u32]) -> IndexRange {
        let bodies: Vec<(u32, &Body)> =
            members.iter().flat_map(|atom| self.bodies(*atom).map(|body| (*atom, body))).collect();
        self.compiled(bodies.into_iter())
    }

    fn compiled(&mut self, bodies: impl Iterator<Item = (u32, &'p Body)>) -> IndexRange {
        let from = self.wiring.rules.len() as u32;
        for (head, body) in bodies {
            let body = self.body(head, body);
            self.wiring.rules.push(LaneRule { head, body });
        }
        IndexRange { from, to: self.wiring.rules.len() as u32 }
    }

    /// Where the literal's word stands; negated members of the loop being compiled have a second one.
    fn literal(assumed: &HashMap<u32, u32>, literal: Literal) -> LaneLiteral {
        let second = assumed.get(&literal.atom()).filter(|_| !literal.positive());
        LaneLiteral::new(second.copied().unwrap_or(literal.atom()), literal.positive())
    }

    fn all(&mut self, literals: impl Iterator<Item = Literal>) -> LaneBody {
        let wiring = &mut self.wiring;
        let from = wiring.literals.len() as u32;
        wiring.literals.extend(literals.map(|literal| Compiler::literal(&self.assumed, literal)));
        LaneBody::All(IndexRange { from, to: wiring.literals.len() as u32 })
    }

    fn body(&mut self, head: u32, body: &Body) -> LaneBody {
        let Body::Sum(bound, weighted) = body else {
            return self.all(body.weighted().map(|(literal, _)| literal));
        };
        let own = self.component_of[head as usize];
        let recursive = weighted.iter().any(|(l, _)| self.component_of[l.atom() as usize] == own);
        let bound = *bound;
        if recursive {
            return LaneBody::Sum { sum: self.sum(weighted), bound };
        }
        let mut key = weighted.clone();
        key.sort_unstable();
        let sum = match self.shared.get(&key) {
            Some(sum) => *sum,
            None => {
                let sum = self.sum(&key);
                self.steps.push(LaneStep::Sum(sum));
                self.shared.insert(key, sum);
                sum
            }
        };
        LaneBody::AtLeast { sum, bound }
    }

    fn sum(&mut self, weighted: &[(Literal, i32)]) -> u32 {
        let wiring = &mut self.wiring;
        let literals = weighted.iter().map(|(l, weight)| (Compiler::literal(&self.assumed, *l), *weight));
        let sum = LaneSum::new(literals, wiring.digits);
        wiring.digits += sum.width();
        wiring.sums.push(sum);
        wiring.sums.len() as u32 - 1
    }
}
