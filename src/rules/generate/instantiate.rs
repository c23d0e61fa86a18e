//! A rule graph to support facts: the graph is instantiated bottom-up, again and again (section 4, "Facts").

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use serde::Serialize;

use crate::rules::datalog::closure::Closure;
use crate::rules::datalog::syntax::{Arg, Atom, Fact, Rule};
use crate::rules::error::RulesError;
use crate::rules::generate::graph::{RuleGraph, Setback};
use crate::rules::generate::settings::RuleSettings;

/// How often a recursive rule is instantiated once more for its own body atom, and how many times at most.
const UNROLL: f64 = 0.5;
const MOST_UNROLLED: usize = 2;
/// Instances in a row that added nothing, or too much, before the try ends.
const MOST_IDLE: usize = 400;
/// Tries to find constants for one near miss.
const NEAR_MISS_TRIES: usize = 50;

/// What follows from the facts of an instance so far.
const WHAT: &str = "the original";

/// Puts instances of a rule graph into a closure.
pub struct Instantiation<'a> {
    graph: &'a RuleGraph,
    /// Facts so far.
    pub closure: Closure,
    constants: u32,
    full_every: u32,
    skip: u32,
    rounds: u32,
    /// What `grow` put in and did not take back.
    pub instances: Instances,
    /// Do the variables of an instance stand for constants that differ?
    distinct: bool,
    rng: ChaCha8Rng,
}

/// Instances of rule graphs: what the diversification parameters came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Instances {
    /// With all their rules.
    pub complete: usize,
    /// With one alternative each, and perhaps without some of their rules.
    pub partial: usize,
    /// Rule instances of the partial ones.
    pub rules: usize,
    /// How many of these are left out.
    pub skipped: usize,
}

/// Whether growth goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// There are too few facts.
    Wanting,
    /// There are enough.
    Enough,
    /// There are too many.
    Excess,
}

impl<'a> Instantiation<'a> {
    /// An instantiation without facts. No more than `most` facts may hold at any time.
    pub fn new(graph: &'a RuleGraph, s: &RuleSettings, constants: u32, most: u64, rng: ChaCha8Rng) -> Self {
        let closure = Closure::new(&graph.rules(), graph.vocabulary.arities(), most);
        let (full_every, skip) = (s.full_every, s.skip);
        Instantiation {
            graph,
            closure,
            constants,
            full_every,
            skip,
            rounds: 0,
            instances: Instances::default(),
            distinct: false,
            rng,
        }
    }

    /// The same, but variables of one instance stand for constants that differ, as far as there are enough: only an atom
    /// that names a variable twice has a constant twice.
    pub fn without_repetitions(self) -> Self {
        Instantiation { distinct: true, ..self }
    }

    /// The same, with other random numbers from here on.
    pub fn continued(self, rng: ChaCha8Rng) -> Self {
        Instantiation { rng, ..self }
    }

    /// Instantiates all graphs in turn until there are enough facts. An instance that leads to too many is taken
    /// back.
    ///
    /// # Errors
    /// What stood in the way.
    pub fn grow(&mut self, judge: impl Fn(&Closure) -> Growth) -> Result<(), Setback> {
        let (mut idle, mut excess) = (0, 0);
        while judge(&self.closure) == Growth::Wanting {
            let full = self.rounds.is_multiple_of(self.full_every);
            self.rounds += 1;
            let before = self.closure.given_count();
            for component in &self.graph.components {
                let (mark, instances) = (self.closure.mark(), self.instances);
                let root = &self.graph.nodes[component.root].rule.head;
                let mut args: Vec<u32> = Vec::new();
                for _ in &root.args {
                    let next = self.apart_from(&args);
                    args.push(next);
                }
                let done = self.instance(component.root, &args, full, 0);
                if done.is_err() || judge(&self.closure) == Growth::Excess {
                    self.closure.back_to(mark);
                    self.instances = instances;
                    excess += 1;
                } else if full {
                    self.instances.complete += 1;
                } else {
                    self.instances.partial += 1;
                }
                if judge(&self.closure) != Growth::Wanting {
                    return Ok(());
                }
            }
            idle = if self.closure.given_count() == before { idle + 1 } else { 0 };
            if idle > MOST_IDLE {
                return Err(format!(
                    "{} support facts give {} consequences, and {} further instances of the rules {}; choose another \
                     --size or --facts, more --constants, fewer --rules, or a smaller --depth",
                    self.closure.given_count(),
                    self.closure.derived_count(),
                    MOST_IDLE,
                    if excess > 0 { "led to too many facts" } else { "led to no new fact" },
                ));
            }
        }
        Ok(())
    }

    fn constant(&mut self) -> u32 {
        self.rng.random_range(0..self.constants)
    }

    /// A random constant; where instances are without repetitions, none of these if there are others.
    fn apart_from(&mut self, taken: &[u32]) -> u32 {
        let mut constant = self.constant();
        if self.distinct && (0..self.constants).any(|other| !taken.contains(&other)) {
            while taken.contains(&constant) {
                constant = self.constant();
            }
        }
        constant
    }

    /// Binds the head's variables, and all others to random constants.
    fn bind(&mut self, rule: &Rule, head: &[u32]) -> Vec<u32> {
        let of_rule = rule.body.iter().flat_map(|atom| &atom.args).filter_map(|arg| match arg {
            Arg::Constant(constant) => Some(*constant),
            Arg::Variable(_) => None,
        });
        let mut taken: Vec<u32> = of_rule.chain(head.iter().copied()).collect();
        let mut bindings = Vec::new();
        for variable in 0..rule.variables() as u32 {
            let next = self.apart_from(&taken);
            bindings.push(next);
            if !rule.head.variables().any(|v| v == variable) {
                taken.push(next);
            }
        }
        for (arg, value) in rule.head.args.iter().zip(head) {
            if let Arg::Variable(variable) = arg {
                bindings[*variable as usize] = *value;
            }
        }
        bindings
    }

    fn instance(&mut self, node: usize, head: &[u32], full: bool, unrolled: usize) -> Result<(), RulesError> {
        let graph = self.graph;
        let node_of = &graph.nodes[node];
        let rule = &node_of.rule;
        let bindings = self.bind(rule, head);
        for (atom, below) in rule.body.iter().zip(&node_of.below) {
            let fact = ground(atom, &bindings);
            if atom.predicate == rule.head.predicate {
                if unrolled < MOST_UNROLLED && self.rng.random_bool(UNROLL) {
                    self.instance(node, &fact.args, full, unrolled + 1)?;
                }
            } else if full {
                for child in below {
                    self.instance(*child, &fact.args, full, 0)?;
                }
            } else if !below.is_empty() {
                let child = below[self.rng.random_range(0..below.len())];
                self.instance(child, &fact.args, full, 0)?;
            }
        }
        self.instances.rules += usize::from(!full);
        if !full && self.rng.random_range(0..self.skip) == 0 {
            self.instances.skipped += 1;
            return Ok(());
        }
        for atom in &rule.body {
            // What follows already is not given.
            self.closure.give(&ground(atom, &bindings));
        }
        self.closure.run(WHAT)
    }

    /// Adds facts for all body atoms of a rule but one, such that neither that one nor the head follows: they show
    /// that the atom is needed. False if no constants do.
    pub fn near_miss(&mut self, rule: &Rule, dropped: usize) -> bool {
        self.attempt(
            rule,
            |body| body != dropped,
            |closure, rule, bindings| {
                let holds = |atom: &Atom| {
                    let fact = ground(atom, bindings);
                    closure.contains(fact.predicate, &fact.args)
                };
                !holds(&rule.body[dropped]) && !holds(&rule.head)
            },
        )
    }

    /// Adds facts for the body of a wrong rule, such that its head does not follow: they show that it is wrong. False if
    /// no constants do.
    pub fn counterexample(&mut self, wrong: &Rule) -> bool {
        self.attempt(
            wrong,
            |_| true,
            |closure, rule, bindings| {
                let head = ground(&rule.head, bindings);
                !closure.contains(head.predicate, &head.args)
            },
        )
    }

    /// Adds facts for the body of a rule such that its head follows, and did not before: they show that the rule is
    /// needed. False if no constants do.
    pub fn example(&mut self, rule: &Rule) -> bool {
        let head = rule.head.predicate;
        let without: Vec<Rule> =
            self.graph.nodes.iter().map(|node| &node.rule).filter(|other| *other != rule).cloned().collect();
        let arities = self.graph.vocabulary.arities().to_vec();
        self.attempt(
            rule,
            |_| true,
            |_, rule, bindings| {
                // Would the other rules derive the head from the body alone?
                let mut closure = Closure::new(&without, &arities, 10_000);
                rule.body.iter().for_each(|atom| _ = closure.give(&ground(atom, bindings)));
                let goal = ground(&rule.head, bindings);
                closure.run(WHAT).is_ok() && !closure.contains(head, &goal.args)
            },
        )
    }

    fn attempt(
        &mut self,
        rule: &Rule,
        take: impl Fn(usize) -> bool,
        good: impl Fn(&Closure, &Rule, &[u32]) -> bool,
    ) -> bool {
        for _ in 0..NEAR_MISS_TRIES {
            let mark = self.closure.mark();
            let head: Vec<u32> = rule.head.args.iter().map(|_| self.constant()).collect();
            let bindings = self.bind(rule, &head);
            let goal = ground(&rule.head, &bindings);
            let known = self.closure.contains(goal.predicate, &goal.args);
            for (number, atom) in rule.body.iter().enumerate() {
                if take(number) {
                    self.closure.give(&ground(atom, &bindings));
                }
            }
            if self.closure.run(WHAT).is_ok() && !known && good(&self.closure, rule, &bindings) {
                return true;
            }
            self.closure.back_to(mark);
        }
        false
    }
}

/// The fact that an atom becomes.
fn ground(atom: &Atom, bindings: &[u32]) -> Fact {
    let value = |arg: &Arg| match *arg {
        Arg::Constant(constant) => constant,
        Arg::Variable(variable) => bindings[variable as usize],
    };
    Fact { predicate: atom.predicate, args: atom.args.iter().map(value).collect() }
}
