//! What follows from rules and facts, with nothing of the crate but its types.

use std::collections::BTreeMap;

use racgen::rules::datalog::syntax::{Arg, Atom, Fact, Rule};

/// The consequences with their depths, by doing what the definition says.
pub fn naive_depths(rules: &[Rule], support: &[Fact]) -> BTreeMap<Fact, u32> {
    fn matches(
        body: &[Atom],
        facts: &BTreeMap<Fact, u32>,
        bound: &BTreeMap<u32, u32>,
    ) -> Vec<BTreeMap<u32, u32>> {
        let Some((first, rest)) = body.split_first() else { return vec![bound.clone()] };
        let mut all = Vec::new();
        for fact in facts.keys().filter(|fact| fact.predicate == first.predicate) {
            let mut bound = bound.clone();
            let fits = first.args.iter().zip(fact.args.iter()).all(|(arg, value)| match arg {
                Arg::Constant(constant) => constant == value,
                Arg::Variable(variable) => *bound.entry(*variable).or_insert(*value) == *value,
            });
            if fits {
                all.extend(matches(rest, facts, &bound));
            }
        }
        all
    }
    let mut facts: BTreeMap<Fact, u32> = support.iter().map(|fact| (fact.clone(), 0)).collect();
    for round in 1.. {
        let mut fresh = Vec::new();
        for rule in rules {
            for bound in matches(&rule.body, &facts, &BTreeMap::new()) {
                let args = rule.head.args.iter().map(|arg| match arg {
                    Arg::Constant(constant) => *constant,
                    Arg::Variable(variable) => bound[variable],
                });
                let fact = Fact { predicate: rule.head.predicate, args: args.collect() };
                if !facts.contains_key(&fact) {
                    fresh.push(fact);
                }
            }
        }
        if fresh.is_empty() {
            break;
        }
        fresh.into_iter().for_each(|fact| _ = facts.entry(fact).or_insert(round));
    }
    facts
}
