//! Facts and rules of a text to what follows from them, round by round, by clingo.

use std::collections::BTreeMap;

use crate::audit::reread::verdict::{Finding, broken};
use crate::rules::datalog::judge::consequences;
use crate::rules::datalog::syntax::{Arg, Atom, Fact, Rule};
use crate::rules::error::RulesError;
use crate::rules::questions::reader::{ToldArg, ToldAtom, ToldPredicate};

/// Numbers of predicates and persons, by which clingo knows them.
pub(crate) struct PersonNumbers {
    pub(crate) predicates: BTreeMap<ToldPredicate, u32>,
    pub(crate) persons: Vec<String>,
}

impl PersonNumbers {
    fn predicate(&mut self, told: &ToldPredicate) -> u32 {
        let next = self.predicates.len() as u32;
        *self.predicates.entry(told.clone()).or_insert(next)
    }

    fn person(&self, name: &str) -> Option<u32> {
        self.persons.iter().position(|person| person == name).map(|place| place as u32)
    }

    /// An atom of a rule; none where it names somebody else.
    pub(crate) fn atom(&mut self, told: &ToldAtom) -> Option<Atom> {
        let predicate = self.predicate(&told.predicate);
        let arg = |arg: &ToldArg| match arg {
            ToldArg::Letter(letter) => Some(Arg::Variable(*letter)),
            ToldArg::Person(name) => self.person(name).map(Arg::Constant),
        };
        Some(Atom { predicate, args: told.args.iter().map(arg).collect::<Option<_>>()? })
    }

    /// A fact; none where it names somebody else.
    pub(crate) fn fact(&mut self, told: &ToldAtom) -> Option<Fact> {
        let predicate = self.predicate(&told.predicate);
        let persons = told.persons()?;
        let args: Option<Vec<u32>> = persons.into_iter().map(|name| self.person(name)).collect();
        Some(Fact { predicate, args: args?.into() })
    }
}

/// Everything that follows, with the round in which it first does: facts in round 0, and what rules derive of earlier
/// rounds in the next. clingo makes each round, and then all at once, which must be the same.
pub(crate) fn rounds(
    rules: &[Rule],
    facts: &[Fact],
    predicates: u32,
) -> Result<BTreeMap<Fact, u32>, Finding> {
    let failed = |error: RulesError| broken(error.to_string());
    let mut found: BTreeMap<Fact, u32> = facts.iter().map(|fact| (fact.clone(), 0)).collect();
    // The heads are predicates of their own, so that no rule goes on with what the round derives.
    let apart: Vec<Rule> = rules
        .iter()
        .map(|rule| {
            let head = Atom { predicate: rule.head.predicate + predicates, args: rule.head.args.clone() };
            Rule { head, body: rule.body.clone() }
        })
        .collect();
    for round in 1.. {
        let known: Vec<Fact> = found.keys().cloned().collect();
        let derived = consequences(&apart, &known).map_err(failed)?;
        let fresh = derived.into_iter().filter_map(|fact| {
            let predicate = fact.predicate.checked_sub(predicates)?;
            Some(Fact { predicate, args: fact.args })
        });
        let fresh: Vec<Fact> = fresh.filter(|fact| !found.contains_key(fact)).collect();
        if fresh.is_empty() {
            break;
        }
        found.extend(fresh.into_iter().map(|fact| (fact, round)));
    }
    let at_once = consequences(rules, facts).map_err(failed)?;
    if !at_once.iter().eq(found.keys()) {
        return Err(broken("clingo derives other facts round by round than at once"));
    }
    Ok(found)
}
