//! Ground rules and a situation to the truth of chosen atoms: a native evaluator for the rules that clingo grounded.
//!
//! The atoms of the choice rules are the inputs. Everything else is evaluated component by component along the
//! dependency graph, each component to its well-founded model, which is the only answer set where it is total.
//! Where it is not, or where a program has disjunctions, the caller has clingo decide.

use rustc_hash::FxHashMap as HashMap;

use crate::ground::{Body, GroundProgram, Literal};

/// Why a program or situation is beyond this evaluator.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Unsupported {
    /// A rule has several atoms in its head.
    #[error("the program has a disjunctive rule")]
    Disjunction,
    /// Negation in a loop leaves atoms undecided in this situation.
    #[error("negation in a loop leaves the situation undecided")]
    Undecided,
}

/// A truth value for each atom, by its number.
#[derive(Clone, Debug)]
pub struct Values {
    now: Vec<bool>,
    /// What negated atoms read while a loop through negation is settled; equal to `now` elsewhere.
    fixed: Vec<bool>,
}

impl Values {
    /// Is the atom true?
    pub fn get(&self, atom: u32) -> bool {
        self.now[atom as usize]
    }

    /// Gives an input its value.
    pub fn set(&mut self, atom: u32, value: bool) {
        self.now[atom as usize] = value;
        self.fixed[atom as usize] = value;
    }
}

/// The rules that the targets depend on, in an order of evaluation.
///
/// ```
/// use racgen::{Evaluator, Program, Source};
/// let program = Program {
///     sources: vec![Source::new("lamp.lp", "{ switch; power }. light :- switch, power. dark :- not light.")],
///     ..Program::default()
/// };
/// let ground = program.ground(&[("switch", 0), ("power", 0), ("dark", 0)]).unwrap();
/// let atom = |name| ground.predicate(name, 0).next().unwrap().1.unwrap();
/// let evaluator = Evaluator::new(&ground, &[atom("dark")]).unwrap();
/// let mut values = evaluator.values();
/// values.set(atom("switch"), true);
/// assert!(evaluator.run(&mut values).unwrap());
/// assert!(values.get(atom("dark")));
/// ```
#[derive(Debug)]
pub struct Evaluator {
    atoms: usize,
    steps: Vec<EvalStep>,
    rules: Vec<CompiledRule>,
    literals: Vec<Literal>,
    sums: Vec<Sum>,
    /// Constraints, as ranges of rules whose bodies must all be false.
    constraints: Vec<CompiledRule>,
    members: Vec<u32>,
}

/// One component of the dependency graph.
#[derive(Clone, Copy, Debug)]
enum EvalStep {
    /// A single atom that does not depend on itself: the range of its rules.
    Atom(u32, u32, u32),
    /// The sum of a weighted body that several rules share.
    Sum(u32),
    /// Atoms that depend on each other: ranges of members and of rules; does the loop pass a negation?
    Loop { members: (u32, u32), rules: (u32, u32), negative: bool },
}

#[derive(Clone, Copy, Debug)]
struct CompiledRule {
    head: u32,
    body: CompiledBody,
}

#[derive(Clone, Copy, Debug)]
enum CompiledBody {
    All(u32, u32),
    AtLeast { sum: u32, bound: i32 },
}

#[derive(Debug)]
struct Sum {
    literals: Vec<(Literal, i32)>,
}

fn holds(literal: Literal, values: &Values) -> bool {
    values.now[literal.atom() as usize] == literal.positive()
}

/// As [`holds`], with negated atoms read from what is fixed.
fn follows(literal: Literal, values: &Values) -> bool {
    if literal.positive() {
        values.now[literal.atom() as usize]
    } else {
        !values.fixed[literal.atom() as usize]
    }
}

impl Evaluator {
    /// What each atom is defined by: the atoms in the bodies of its rules.
    pub fn definitions(&self) -> HashMap<u32, Vec<u32>> {
        let mut all: HashMap<u32, Vec<u32>> = HashMap::default();
        for rule in &self.rules {
            let bodies = all.entry(rule.head).or_default();
            match rule.body {
                CompiledBody::All(from, to) => {
                    bodies.extend(self.literals[from as usize..to as usize].iter().map(|l| l.atom()));
                }
                CompiledBody::AtLeast { sum, .. } => {
                    bodies.extend(self.sums[sum as usize].literals.iter().map(|(l, _)| l.atom()));
                }
            }
        }
        all
    }

    /// Compiles the rules that the target atoms and all constraints depend on.
    ///
    /// # Errors
    /// [`Unsupported::Disjunction`].
    pub fn new(program: &GroundProgram, targets: &[u32]) -> Result<Evaluator, Unsupported> {
        let count = program.atoms as usize + 1;
        let mut defining: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut open = vec![false; count];
        for (index, rule) in program.rules.iter().enumerate() {
            if rule.choice {
                rule.head.iter().for_each(|a| open[*a as usize] = true);
            } else if rule.head.len() > 1 {
                return Err(Unsupported::Disjunction);
            } else if let Some(head) = rule.head.first() {
                defining[*head as usize].push(index as u32);
            }
        }
        let body_atoms = |body: &Body| -> Vec<u32> {
            match body {
                Body::All(literals) => literals.iter().map(|l| l.atom()).collect(),
                Body::Sum(_, literals) => literals.iter().map(|(l, _)| l.atom()).collect(),
            }
        };
        let constraints = || program.rules.iter().filter(|rule| rule.head.is_empty() && !rule.choice);
        let mut targets = targets.to_vec();
        targets.extend(constraints().flat_map(|rule| body_atoms(&rule.body)));
        let components = components(count, &targets, |atom, visit| {
            if !open[atom as usize] {
                for rule in &defining[atom as usize] {
                    body_atoms(&program.rules[*rule as usize].body).into_iter().for_each(&mut *visit);
                }
            }
        });

        let mut evaluator = Evaluator {
            atoms: count,
            steps: Vec::new(),
            rules: Vec::new(),
            literals: Vec::new(),
            sums: Vec::new(),
            constraints: Vec::new(),
            members: Vec::new(),
        };
        let mut shared: HashMap<Vec<(Literal, i32)>, u32> = HashMap::default();
        let mut component_of = vec![u32::MAX; count];
        for (number, atoms) in components.iter().enumerate() {
            atoms.iter().for_each(|a| component_of[*a as usize] = number as u32);
        }
        for (number, atoms) in components.iter().enumerate() {
            if let [atom] = atoms[..]
                && open[atom as usize]
            {
                continue;
            }
            let first_rule = evaluator.rules.len() as u32;
            let (mut recursive, mut negative) = (false, false);
            for atom in atoms {
                for index in &defining[*atom as usize] {
                    let rule = &program.rules[*index as usize];
                    let within = |l: Literal| component_of[l.atom() as usize] == number as u32;
                    let mut loops = |l: Literal| {
                        recursive |= within(l);
                        negative |= within(l) && !l.positive();
                    };
                    match &rule.body {
                        Body::All(literals) => literals.iter().for_each(|l| loops(*l)),
                        Body::Sum(_, literals) => literals.iter().for_each(|(l, _)| loops(*l)),
                    }
                    let body = evaluator.compile(&rule.body, &mut shared);
                    evaluator.rules.push(CompiledRule { head: *atom, body });
                }
            }
            let rules = (first_rule, evaluator.rules.len() as u32);
            if recursive {
                let first = evaluator.members.len() as u32;
                evaluator.members.extend(atoms);
                let members = (first, evaluator.members.len() as u32);
                evaluator.steps.push(EvalStep::Loop { members, rules, negative });
            } else {
                evaluator.steps.push(EvalStep::Atom(atoms[0], rules.0, rules.1));
            }
        }
        for rule in constraints() {
            let body = evaluator.compile(&rule.body, &mut shared);
            evaluator.constraints.push(CompiledRule { head: 0, body });
        }
        Ok(evaluator)
    }

    fn compile(&mut self, body: &Body, shared: &mut HashMap<Vec<(Literal, i32)>, u32>) -> CompiledBody {
        match body {
            Body::All(literals) => {
                let first = self.literals.len() as u32;
                self.literals.extend(literals);
                CompiledBody::All(first, self.literals.len() as u32)
            }
            Body::Sum(bound, literals) => {
                let mut key = literals.clone();
                key.sort_unstable();
                let sum = *shared.entry(key).or_insert_with_key(|literals| {
                    self.sums.push(Sum { literals: literals.clone() });
                    let sum = self.sums.len() as u32 - 1;
                    self.steps.push(EvalStep::Sum(sum));
                    sum
                });
                CompiledBody::AtLeast { sum, bound: *bound }
            }
        }
    }

    /// Values to set the inputs in: all false.
    pub fn values(&self) -> Values {
        Values { now: vec![false; self.atoms], fixed: vec![false; self.atoms] }
    }

    /// Evaluates the targets for the inputs found in `values`; says whether all constraints are met.
    ///
    /// # Errors
    /// [`Unsupported::Undecided`] if the well-founded model is not total.
    pub fn run(&self, values: &mut Values) -> Result<bool, Unsupported> {
        let mut sums = vec![0; self.sums.len()];
        for step in &self.steps {
            match *step {
                EvalStep::Atom(atom, first, last) => {
                    let rules = &self.rules[first as usize..last as usize];
                    let value = rules.iter().any(|rule| self.body(rule.body, values, &sums));
                    values.set(atom, value);
                }
                EvalStep::Sum(sum) => sums[sum as usize] = self.sum(sum, values),
                EvalStep::Loop { members, rules, negative } => {
                    let members = &self.members[members.0 as usize..members.1 as usize];
                    let rules = &self.rules[rules.0 as usize..rules.1 as usize];
                    members.iter().for_each(|atom| values.set(*atom, false));
                    if negative {
                        self.alternate(members, rules, values)?;
                    } else {
                        self.close(rules, values);
                        members.iter().for_each(|atom| values.set(*atom, values.get(*atom)));
                    }
                }
            }
        }
        Ok(!self.constraints.iter().any(|rule| self.body(rule.body, values, &sums)))
    }

    fn sum(&self, sum: u32, values: &Values) -> i32 {
        let literals = &self.sums[sum as usize].literals;
        literals.iter().map(|(l, weight)| if holds(*l, values) { *weight } else { 0 }).sum()
    }

    fn body(&self, body: CompiledBody, values: &Values, sums: &[i32]) -> bool {
        match body {
            CompiledBody::All(first, last) => {
                self.literals[first as usize..last as usize].iter().all(|l| holds(*l, values))
            }
            CompiledBody::AtLeast { sum, bound } => sums[sum as usize] >= bound,
        }
    }

    /// The least fixpoint of rules over each other, with negated atoms fixed.
    fn close(&self, rules: &[CompiledRule], values: &mut Values) {
        loop {
            let mut changed = false;
            for rule in rules {
                if values.get(rule.head) {
                    continue;
                }
                let fires = match rule.body {
                    CompiledBody::All(first, last) => {
                        self.literals[first as usize..last as usize].iter().all(|l| follows(*l, values))
                    }
                    CompiledBody::AtLeast { sum, bound } => {
                        let literals = &self.sums[sum as usize].literals;
                        let met = |l: &(Literal, i32)| if follows(l.0, values) { l.1 } else { 0 };
                        literals.iter().map(met).sum::<i32>() >= bound
                    }
                };
                if fires {
                    values.now[rule.head as usize] = true;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The well-founded model of a loop through negation, by alternating fixpoints (Van Gelder 1989).
    /// All members are false on entry.
    fn alternate(
        &self,
        members: &[u32],
        rules: &[CompiledRule],
        values: &mut Values,
    ) -> Result<(), Unsupported> {
        let mut certain = vec![false; members.len()];
        loop {
            // Assuming only what is certain, the closure holds all that is possible; and the other way round.
            self.close(rules, values);
            let possible: Vec<bool> = members.iter().map(|atom| values.get(*atom)).collect();
            for (atom, value) in members.iter().zip(&possible) {
                values.fixed[*atom as usize] = *value;
                values.now[*atom as usize] = false;
            }
            self.close(rules, values);
            let next: Vec<bool> = members.iter().map(|atom| values.get(*atom)).collect();
            members.iter().zip(&next).for_each(|(atom, value)| values.fixed[*atom as usize] = *value);
            if next == possible {
                return Ok(());
            }
            if next == certain {
                return Err(Unsupported::Undecided);
            }
            members.iter().for_each(|atom| values.now[*atom as usize] = false);
            certain = next;
        }
    }
}

/// Strongly connected components of what is reachable from the targets, each after those it depends on (Tarjan).
pub fn components(
    count: usize,
    targets: &[u32],
    successors: impl Fn(u32, &mut dyn FnMut(u32)),
) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let (mut index, mut low) = (vec![NEW; count], vec![0; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    for target in targets {
        if index[*target as usize] != NEW {
            continue;
        }
        let mut calls: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut enter = Some(*target);
        loop {
            if let Some(atom) = enter.take() {
                index[atom as usize] = next;
                low[atom as usize] = next;
                next += 1;
                stack.push(atom);
                on_stack[atom as usize] = true;
                let mut children = Vec::new();
                successors(atom, &mut |child| children.push(child));
                children.reverse();
                calls.push((atom, children));
            }
            let Some((atom, children)) = calls.last_mut() else {
                break;
            };
            let atom = *atom;
            if let Some(child) = children.pop() {
                if index[child as usize] == NEW {
                    enter = Some(child);
                } else if on_stack[child as usize] {
                    low[atom as usize] = low[atom as usize].min(index[child as usize]);
                }
                continue;
            }
            calls.pop();
            if let Some((parent, _)) = calls.last() {
                low[*parent as usize] = low[*parent as usize].min(low[atom as usize]);
            }
            if low[atom as usize] == index[atom as usize] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member as usize] = false;
                    component.push(member);
                    if member == atom {
                        break;
                    }
                }
                component.reverse();
                found.push(component);
            }
        }
    }
    found
}
