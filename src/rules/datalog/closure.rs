//! Rules and facts to everything that follows, with proof depths: a native evaluation that can be taken back.
//!
//! Facts are processed in the order they came in (semi-naive: each joins with those before it only), so if
//! all given facts come first, a derived fact comes in at its least proof depth: 1 for one rule over given facts,
//! and one more than its deepest premise in general. clingo judges the outcome wherever a data set is made.

use rustc_hash::FxHashMap as HashMap;

use crate::rules::datalog::syntax::{Arg, Atom, Fact, Rule};
use crate::rules::error::RulesError;

/// What an argument of a body atom does when the join reaches it.
#[derive(Clone, Copy, Debug)]
enum JoinProbe {
    Constant(u32),
    Bound(u32),
    Bind(u32),
    /// Bound by an earlier argument of the same atom.
    Same(u32),
}

/// One body atom in the order of a join.
#[derive(Clone, Debug)]
struct JoinStep {
    predicate: u32,
    probes: Vec<JoinProbe>,
    access: Access,
}

/// How the rows of a body atom are found.
#[derive(Clone, Copy, Debug)]
enum Access {
    Scan,
    Lookup,
    Index(usize),
}

/// A rule, to be started from one of its body atoms.
#[derive(Clone, Debug)]
struct JoinPlan {
    start: Vec<JoinProbe>,
    steps: Vec<JoinStep>,
    head: Atom,
    variables: usize,
}

/// Columns, and rows by the values there.
type Index = (Vec<usize>, HashMap<Box<[u32]>, Vec<u32>>);

#[derive(Debug, Default)]
struct Relation {
    arity: usize,
    rows: Vec<u32>,
    /// When each row came in.
    sequence: Vec<u32>,
    depth: Vec<u32>,
    given: Vec<bool>,
    derived: usize,
    lookup: HashMap<Box<[u32]>, u32>,
    indexes: Vec<Index>,
}

impl Relation {
    fn row(&self, row: u32) -> &[u32] {
        &self.rows[row as usize * self.arity..][..self.arity]
    }
}

/// A growing set of facts, closed under rules on demand.
///
/// ```
/// use racgen::rules::datalog::closure::Closure;
/// use racgen::rules::datalog::reader::{Syntax, read_facts, read_rules};
/// use racgen::rules::datalog::syntax::Vocabulary;
/// let mut vocabulary = Vocabulary::default();
/// let text = "far(X,Y) :- near(X,Y). far(X,Z) :- far(X,Y), near(Y,Z).";
/// let rules: Vec<_> = read_rules(text, "r", Syntax::Auto, &mut vocabulary).unwrap();
/// let rules: Vec<_> = rules.into_iter().map(|read| read.rule).collect();
/// let facts = read_facts("near(a,b). near(b,c).", "f", &mut vocabulary).unwrap();
/// let mut closure = Closure::new(&rules, vocabulary.arities(), 1000);
/// facts.iter().for_each(|fact| { closure.give(fact); });
/// closure.run("the rules").unwrap();
/// let derived: Vec<_> = closure.derived().map(|(fact, depth)| (vocabulary.fact(&fact), depth)).collect();
/// assert_eq!(derived, [("far(a,b)".into(), 1), ("far(b,c)".into(), 1), ("far(a,c)".into(), 2)]);
/// ```
#[derive(Debug)]
pub struct Closure {
    relations: Vec<Relation>,
    /// The plans that start from a predicate.
    plans: Vec<Vec<JoinPlan>>,
    bodiless: Vec<Fact>,
    /// All facts in their order: predicate and row.
    log: Vec<(u32, u32)>,
    /// How far the log is processed.
    next: usize,
    given: usize,
    most: u64,
    steps: u64,
}

/// A state to return to.
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize);

impl Closure {
    /// An empty set. `arities` are those of all predicates; a run fails beyond `most` facts in all, or beyond
    /// fifty times as many steps of joins.
    pub fn new(rules: &[Rule], arities: &[usize], most: u64) -> Closure {
        let relation = |arity: &usize| Relation { arity: *arity, ..Relation::default() };
        let mut closure = Closure {
            relations: arities.iter().map(relation).collect(),
            plans: vec![Vec::new(); arities.len()],
            bodiless: Vec::new(),
            log: Vec::new(),
            next: 0,
            given: 0,
            most,
            steps: 0,
        };
        for rule in rules {
            if rule.body.is_empty() {
                let args = rule.head.args.iter().filter_map(|arg| match arg {
                    Arg::Constant(constant) => Some(*constant),
                    Arg::Variable(_) => None,
                });
                closure.bodiless.push(Fact { predicate: rule.head.predicate, args: args.collect() });
            }
            for start in 0..rule.body.len() {
                let plan = closure.plan(rule, start);
                closure.plans[rule.body[start].predicate as usize].push(plan);
            }
        }
        closure
    }

    /// Orders the join: next is always the atom with the most bound arguments.
    fn plan(&mut self, rule: &Rule, start: usize) -> JoinPlan {
        let variables = rule.variables();
        let mut bound = vec![false; variables];
        let first = probes(&rule.body[start], &mut bound);
        let mut left: Vec<&Atom> =
            rule.body.iter().enumerate().filter(|(i, _)| *i != start).map(|(_, atom)| atom).collect();
        let mut steps = Vec::new();
        while !left.is_empty() {
            let known = |atom: &Atom| {
                let is_known = |arg: &&Arg| match arg {
                    Arg::Constant(_) => true,
                    Arg::Variable(variable) => bound[*variable as usize],
                };
                atom.args.iter().filter(is_known).count()
            };
            let best = (0..left.len()).max_by_key(|i| {
                (known(left[*i]), std::cmp::Reverse(left[*i].args.len()), std::cmp::Reverse(*i))
            });
            let atom = left.remove(best.unwrap_or(0));
            let probes = probes(atom, &mut bound);
            let columns: Vec<usize> = (0..probes.len())
                .filter(|i| matches!(probes[*i], JoinProbe::Constant(_) | JoinProbe::Bound(_)))
                .collect();
            let access = match columns.len() {
                length if length == atom.args.len() => Access::Lookup,
                0 => Access::Scan,
                _ => Access::Index(self.index(atom.predicate, columns)),
            };
            steps.push(JoinStep { predicate: atom.predicate, probes, access });
        }
        JoinPlan { start: first, steps, head: rule.head.clone(), variables }
    }

    fn index(&mut self, predicate: u32, columns: Vec<usize>) -> usize {
        let indexes = &mut self.relations[predicate as usize].indexes;
        match indexes.iter().position(|(known, _)| *known == columns) {
            Some(index) => index,
            None => {
                indexes.push((columns, HashMap::default()));
                indexes.len() - 1
            }
        }
    }

    /// An empty set under the same rules, with the same bounds.
    pub fn emptied(&self, rules: &[Rule]) -> Closure {
        let arities: Vec<usize> = self.relations.iter().map(|relation| relation.arity).collect();
        Closure::new(rules, &arities, self.most)
    }

    /// Adds a given fact; false if it was there already, given or derived.
    pub fn give(&mut self, fact: &Fact) -> bool {
        let fresh = self.insert(fact.predicate, &fact.args, 0, true);
        self.given += usize::from(fresh);
        fresh
    }

    fn insert(&mut self, predicate: u32, args: &[u32], depth: u32, given: bool) -> bool {
        let relation = &mut self.relations[predicate as usize];
        if relation.lookup.contains_key(args) {
            return false;
        }
        let row = relation.sequence.len() as u32;
        relation.lookup.insert(args.into(), row);
        relation.rows.extend_from_slice(args);
        relation.sequence.push(self.log.len() as u32);
        relation.depth.push(depth);
        relation.given.push(given);
        relation.derived += usize::from(!given);
        for (columns, index) in &mut relation.indexes {
            let key: Box<[u32]> = columns.iter().map(|column| args[*column]).collect();
            index.entry(key).or_default().push(row);
        }
        self.log.push((predicate, row));
        true
    }

    /// Derives everything that follows.
    ///
    /// # Errors
    /// [`RulesError::TooMany`], naming `what`; only [`Closure::back_to`] makes the set useful again.
    pub fn run(&mut self, what: &str) -> Result<(), RulesError> {
        for fact in std::mem::take(&mut self.bodiless) {
            self.insert(fact.predicate, &fact.args, 1, false);
        }
        self.steps = 0;
        let most_steps = self.most.saturating_mul(50);
        let mut derived: Vec<u32> = Vec::new();
        let mut beyond = false;
        while !beyond && self.next < self.log.len() {
            let (predicate, row) = self.log[self.next];
            let now = self.next as u32;
            self.next += 1;
            for number in 0..self.plans[predicate as usize].len() {
                derived.clear();
                let plan = &self.plans[predicate as usize][number];
                let relation = &self.relations[predicate as usize];
                let depth = relation.depth[row as usize] + 1;
                let mut bindings = vec![u32::MAX; plan.variables];
                if !bind(&plan.start, relation.row(row), &mut bindings) {
                    continue;
                }
                let mut join =
                    Join { closure: self, plan, now, derived: &mut derived, steps: 0, most: most_steps };
                join.step(0, &mut bindings);
                let steps = join.steps;
                let (head, arity) = (plan.head.predicate, plan.head.args.len());
                self.steps += steps;
                if arity == 0 {
                    if !derived.is_empty() {
                        self.insert(head, &[], depth, false);
                    }
                } else {
                    for args in derived.chunks_exact(arity) {
                        self.insert(head, args, depth, false);
                    }
                }
                if self.log.len() as u64 > self.most || self.steps > most_steps {
                    beyond = true;
                    break;
                }
            }
        }
        if beyond { Err(RulesError::TooMany { what: what.to_owned(), limit: self.most }) } else { Ok(()) }
    }

    /// The present state. Everything must have been derived.
    pub fn mark(&self) -> Mark {
        Mark(self.log.len())
    }

    /// Forgets all facts since the mark.
    pub fn back_to(&mut self, mark: Mark) {
        while self.log.len() > mark.0 {
            let Some((predicate, row)) = self.log.pop() else { break };
            let relation = &mut self.relations[predicate as usize];
            let args: Box<[u32]> = relation.row(row).into();
            relation.lookup.remove(&args);
            for (columns, index) in &mut relation.indexes {
                let key: Vec<u32> = columns.iter().map(|column| args[*column]).collect();
                if let Some(rows) = index.get_mut(key.as_slice()) {
                    rows.pop();
                }
            }
            relation.rows.truncate(row as usize * relation.arity);
            relation.sequence.truncate(row as usize);
            relation.depth.truncate(row as usize);
            let given = relation.given.pop().unwrap_or_default();
            relation.derived -= usize::from(!given);
            self.given -= usize::from(given);
        }
        self.next = mark.0;
    }

    /// Is the fact in the set?
    pub fn contains(&self, predicate: u32, args: &[u32]) -> bool {
        self.relations[predicate as usize].lookup.contains_key(args)
    }

    /// The proof depth of a fact in the set; 0 for a given one.
    pub fn depth(&self, predicate: u32, args: &[u32]) -> Option<u32> {
        let relation = &self.relations[predicate as usize];
        relation.lookup.get(args).map(|row| relation.depth[*row as usize])
    }

    /// How many facts are given.
    pub fn given_count(&self) -> usize {
        self.given
    }

    /// How many facts are derived.
    pub fn derived_count(&self) -> usize {
        self.log.len() - self.given
    }

    /// How many facts of one predicate are derived.
    pub fn derived_of(&self, predicate: u32) -> usize {
        self.relations[predicate as usize].derived
    }

    fn facts(&self, given: bool) -> impl Iterator<Item = (Fact, u32)> {
        self.log.iter().filter_map(move |(predicate, row)| {
            let relation = &self.relations[*predicate as usize];
            let fact = || Fact { predicate: *predicate, args: relation.row(*row).into() };
            (relation.given[*row as usize] == given).then(|| (fact(), relation.depth[*row as usize]))
        })
    }

    /// The given facts in the order they came in.
    pub fn given(&self) -> impl Iterator<Item = Fact> {
        self.facts(true).map(|(fact, _)| fact)
    }

    /// The derived facts and their proof depths, in the order they came in.
    pub fn derived(&self) -> impl Iterator<Item = (Fact, u32)> {
        self.facts(false)
    }
}

fn probes(atom: &Atom, bound: &mut [bool]) -> Vec<JoinProbe> {
    let mut here: Vec<u32> = Vec::new();
    let probes = atom.args.iter().map(|arg| match *arg {
        Arg::Constant(constant) => JoinProbe::Constant(constant),
        Arg::Variable(variable) if here.contains(&variable) => JoinProbe::Same(variable),
        Arg::Variable(variable) if bound[variable as usize] => JoinProbe::Bound(variable),
        Arg::Variable(variable) => {
            here.push(variable);
            JoinProbe::Bind(variable)
        }
    });
    let probes = probes.collect();
    here.into_iter().for_each(|variable| bound[variable as usize] = true);
    probes
}

/// Matches a row; variables that it binds are set.
fn bind(probes: &[JoinProbe], row: &[u32], bindings: &mut [u32]) -> bool {
    probes.iter().zip(row).all(|(probe, value)| match *probe {
        JoinProbe::Constant(constant) => constant == *value,
        JoinProbe::Bound(variable) | JoinProbe::Same(variable) => bindings[variable as usize] == *value,
        JoinProbe::Bind(variable) => {
            bindings[variable as usize] = *value;
            true
        }
    })
}

struct Join<'a> {
    closure: &'a Closure,
    plan: &'a JoinPlan,
    /// Only facts that came in no later take part.
    now: u32,
    derived: &'a mut Vec<u32>,
    steps: u64,
    most: u64,
}

impl Join<'_> {
    fn step(&mut self, number: usize, bindings: &mut [u32]) {
        self.steps += 1;
        let Some(step) = self.plan.steps.get(number) else {
            for arg in &self.plan.head.args {
                self.derived.push(match arg {
                    Arg::Constant(constant) => *constant,
                    Arg::Variable(variable) => bindings[*variable as usize],
                });
            }
            if self.plan.head.args.is_empty() {
                self.derived.push(0);
            }
            return;
        };
        // A copy of the reference: the rows are read while `self` counts.
        let closure = self.closure;
        let relation = &closure.relations[step.predicate as usize];
        let value = |probe: &JoinProbe| match *probe {
            JoinProbe::Constant(constant) => constant,
            JoinProbe::Bound(variable) | JoinProbe::Bind(variable) | JoinProbe::Same(variable) => {
                bindings[variable as usize]
            }
        };
        match step.access {
            Access::Lookup => {
                let key: Vec<u32> = step.probes.iter().map(value).collect();
                let found = relation.lookup.get(key.as_slice());
                if found.is_some_and(|row| relation.sequence[*row as usize] <= self.now) {
                    self.step(number + 1, bindings);
                }
            }
            Access::Index(index) => {
                let (columns, index) = &relation.indexes[index];
                let key: Vec<u32> = columns.iter().map(|column| value(&step.probes[*column])).collect();
                let rows = index.get(key.as_slice()).map_or(&[][..], Vec::as_slice);
                self.rows(number, relation, step, rows.iter().copied(), bindings);
            }
            Access::Scan => {
                self.rows(number, relation, step, 0..relation.sequence.len() as u32, bindings);
            }
        }
    }

    fn rows(
        &mut self,
        number: usize,
        relation: &Relation,
        step: &JoinStep,
        rows: impl Iterator<Item = u32>,
        bindings: &mut [u32],
    ) {
        for row in rows {
            // Rows stand in the order they came in.
            if relation.sequence[row as usize] > self.now || self.steps > self.most {
                break;
            }
            self.steps += 1;
            if bind(&step.probes, relation.row(row), bindings) {
                self.step(number + 1, bindings);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::datalog::reader::{Syntax, read_facts, read_rules};
    use crate::rules::datalog::syntax::Vocabulary;

    fn closure(rules: &str, facts: &str, most: u64) -> (Vocabulary, Closure) {
        let mut vocabulary = Vocabulary::default();
        let read = read_rules(rules, "r", Syntax::Auto, &mut vocabulary).expect("rules");
        let rules: Vec<Rule> = read.into_iter().map(|read| read.rule).collect();
        let facts = read_facts(facts, "f", &mut vocabulary).expect("facts");
        let mut closure = Closure::new(&rules, vocabulary.arities(), most);
        facts.iter().for_each(|fact| _ = closure.give(fact));
        (vocabulary, closure)
    }

    #[test]
    fn depths_are_least() {
        let rules = "r(X,Y) :- e(X,Y). r(X,Z) :- r(X,Y), r(Y,Z).";
        let (vocabulary, mut closure) = closure(rules, "e(a,b). e(b,c). e(c,d). e(d,e). e(a,e).", 1000);
        closure.run("r").expect("small");
        let depth = |text: &str| {
            let found = closure.derived().find(|(fact, _)| vocabulary.fact(fact) == text);
            found.map(|(_, depth)| depth)
        };
        assert_eq!(depth("r(a,e)"), Some(1));
        assert_eq!(depth("r(a,c)"), Some(2));
        assert_eq!(depth("r(b,e)"), Some(3));
        assert_eq!(closure.derived_count(), 10);
    }

    #[test]
    fn what_is_taken_back_leaves_no_trace() {
        let rules = "r(X,Y) :- e(X,Y). r(X,Z) :- r(X,Y), e(Y,Z). s(X) :- e(X,X), t(k,X).";
        let (mut vocabulary, mut closure) = closure(rules, "e(a,b). e(b,c). t(k,a).", 1000);
        closure.run("r").expect("small");
        let all = |closure: &Closure| closure.derived().map(|(fact, _)| fact).collect::<Vec<_>>();
        let before = all(&closure);
        let mark = closure.mark();
        for text in ["e(c,a). ", "e(a,a). "] {
            for fact in read_facts(text, "f", &mut vocabulary).expect("facts") {
                assert!(closure.give(&fact));
            }
            closure.run("r").expect("small");
        }
        assert_eq!(closure.derived_of(2), 1);
        assert_eq!(closure.derived_count(), 10);
        closure.back_to(mark);
        assert_eq!(all(&closure), before);
        closure.run("r").expect("small");
        assert_eq!(all(&closure), before);
    }

    #[test]
    fn bounds_hold() {
        let facts: String = (0..200).map(|i| format!("q(c{i}).")).collect();
        let (_, mut closure) = closure("p(X,Y,Z) :- q(X), q(Y), q(Z).", &facts, 10_000);
        let error = closure.run("the learner").expect_err("too many");
        assert!(error.to_string().starts_with("the rules of the learner derive more than 10000 facts"));
    }
}
