//! Rules to rules that are wrong in one thing, and facts to what refutes these.
//!
//! A learner that sees nothing against `p(X,Y) :- q(X,Z)` has no reason to look for the rest of the body. So a training
//! set should have, for each body atom, an instance of the others whose head does not hold, and for each atom with two
//! variables an instance of the body with these swapped.

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::seq::SliceRandom;
use rustc_hash::FxHashSet as HashSet;

use crate::rules::datalog::closure::Closure;
use crate::rules::datalog::syntax::{Arg, Atom, Fact, Rule, Vocabulary};

/// Facts that a wrong rule may derive before its evaluation is given up, besides those given.
const MOST_DERIVED: u64 = 50_000;
/// Constants that stand in for a head variable whose body atom is dropped.
const STAND_INS: usize = 4;

/// What is wrong with a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mistake {
    /// This body atom is missing.
    Dropped(usize),
    /// In this body atom, the arguments of these places are swapped.
    Swapped(usize, usize, usize),
}

/// A rule of a set with one mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongRule {
    /// Which rule, counted from 0.
    pub number: usize,
    /// What is wrong.
    pub mistake: Mistake,
    /// What it is then.
    pub rule: Rule,
}

impl WrongRule {
    /// For people: `0 without q(X0,X1)`.
    pub fn text(&self, rules: &[Rule], vocabulary: &Vocabulary) -> String {
        match self.mistake {
            Mistake::Dropped(atom) => {
                format!("{} without {}", self.number, vocabulary.atom(&rules[self.number].body[atom]))
            }
            Mistake::Swapped(atom, ..) => format!(
                "{} with {} for {}",
                self.number,
                vocabulary.atom(&self.rule.body[atom]),
                vocabulary.atom(&rules[self.number].body[atom])
            ),
        }
    }

    /// The variables of the head that the body does not bind, each once.
    fn free(&self) -> Vec<u32> {
        let bound: HashSet<u32> = self.rule.body.iter().flat_map(Atom::variables).collect();
        let mut free: Vec<u32> = self.rule.head.variables().filter(|v| !bound.contains(v)).collect();
        free.sort_unstable();
        free.dedup();
        free
    }
}

/// All rules with one mistake, rule by rule. What only renames variables is none.
pub fn wrong_rules(rules: &[Rule]) -> Vec<WrongRule> {
    let mut all = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        for atom in 0..rule.body.len() {
            let mut wrong = rule.clone();
            wrong.body.remove(atom);
            all.push(WrongRule { number, mistake: Mistake::Dropped(atom), rule: wrong });
        }
        for (at, atom) in rule.body.iter().enumerate() {
            for (i, j) in (0..atom.args.len()).flat_map(|i| (i + 1..atom.args.len()).map(move |j| (i, j))) {
                let (Arg::Variable(a), Arg::Variable(b)) = (atom.args[i], atom.args[j]) else { continue };
                if a == b || !noticed(rule, at, a, b) {
                    continue;
                }
                let mut wrong = rule.clone();
                wrong.body[at].args.swap(i, j);
                all.push(WrongRule { number, mistake: Mistake::Swapped(at, i, j), rule: wrong });
            }
        }
    }
    all
}

/// Does anything but this body atom tell the two variables apart?
fn noticed(rule: &Rule, atom: usize, a: u32, b: u32) -> bool {
    let others = rule.body.iter().enumerate().filter(|(i, _)| *i != atom).map(|(_, other)| other);
    others.chain([&rule.head]).flat_map(Atom::variables).any(|v| v == a || v == b)
}

/// What a wrong rule derives in one step from facts though it does not hold, in random order. `holds` are those that
/// do. Nothing where the wrong rule derives so much that it is given up before it derives something false.
pub fn refuting<'f>(
    wrong: &WrongRule,
    facts: impl Iterator<Item = &'f Fact>,
    holds: &HashSet<&Fact>,
    constants: &[u32],
    arities: &[usize],
    seed: u64,
) -> Vec<Fact> {
    let mut rng = stream(seed, &["rules", "refuting", &format!("{} {:?}", wrong.number, wrong.mistake)]);
    let used: HashSet<u32> = wrong.rule.body.iter().map(|atom| atom.predicate).collect();
    let facts: Vec<&Fact> = facts.filter(|fact| used.contains(&fact.predicate)).collect();
    // The head has a predicate of its own, so that what is derived leads to nothing else.
    let (goal, mut arities) = (arities.len() as u32, arities.to_vec());
    arities.push(wrong.rule.head.args.len());
    let free = wrong.free();
    if constants.is_empty() {
        return Vec::new();
    }
    let bound = |rng: &mut rand::rngs::ChaCha8Rng| {
        let values: Vec<u32> = free.iter().map(|_| constants[rng.random_range(0..constants.len())]).collect();
        let arg = |arg: &Arg| match arg {
            Arg::Variable(v) => {
                free.iter().position(|f| f == v).map_or(*arg, |place| Arg::Constant(values[place]))
            }
            Arg::Constant(_) => *arg,
        };
        let head = Atom { predicate: goal, args: wrong.rule.head.args.iter().map(arg).collect() };
        Rule { head, body: wrong.rule.body.clone() }
    };
    let copies = if free.is_empty() { 1 } else { STAND_INS };
    let rules: Vec<Rule> = (0..copies).map(|_| bound(&mut rng)).collect();
    let mut closure = Closure::new(&rules, &arities, facts.len() as u64 + MOST_DERIVED);
    facts.into_iter().for_each(|fact| _ = closure.give(fact));
    // What was derived before it was given up is derived all the same.
    _ = closure.run("a wrong rule");
    let own = |(fact, _): (Fact, u32)| Fact { predicate: wrong.rule.head.predicate, args: fact.args };
    let mut found: Vec<Fact> = closure.derived().map(own).filter(|fact| !holds.contains(fact)).collect();
    found.sort_unstable();
    found.dedup();
    found.shuffle(&mut rng);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::datalog::reader::{Syntax, read_facts, read_rules};

    #[test]
    fn mistakes_are_refuted_by_facts_that_tell_them_apart() {
        let mut vocabulary = Vocabulary::default();
        let read =
            read_rules("p(X,Y) :- q(X,Z), r(Z,Y).", "r", Syntax::Auto, &mut vocabulary).expect("rules");
        let rules: Vec<Rule> = read.into_iter().map(|read| read.rule).collect();
        let wrong = wrong_rules(&rules);
        let told: Vec<String> = wrong.iter().map(|w| w.text(&rules, &vocabulary)).collect();
        assert_eq!(
            told,
            [
                "0 without q(X0,X2)",
                "0 without r(X2,X1)",
                "0 with q(X2,X0) for q(X0,X2)",
                "0 with r(X1,X2) for r(X2,X1)"
            ]
        );
        let mut refuted = |text: &str| -> Vec<usize> {
            let facts = read_facts(text, "f", &mut vocabulary).expect("facts");
            let holds: HashSet<&Fact> = facts.iter().collect();
            let constants: Vec<u32> = (0..vocabulary.constants() as u32).collect();
            wrong
                .iter()
                .map(|w| refuting(w, facts.iter(), &holds, &constants, vocabulary.arities(), 0).len())
                .collect()
        };
        // p(a,c) follows; nothing else can be told but what swapped atoms would derive.
        let found = refuted("q(a,b). r(b,c). p(a,c).");
        assert!(found[0] > 0 && found[1] > 0 && found[2..] == [0, 0], "{found:?}");
        // q(b,d) makes r(b,c) look as if it were needed the other way round.
        assert_eq!(refuted("q(a,b). r(b,c). p(a,c). r(d,b).")[3], 1);
    }
}
