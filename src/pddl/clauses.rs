//! Predicates and functions to the clauses that say them, no two alike.

use std::collections::{BTreeMap, BTreeSet};

use crate::pddl::english::{ToldArgument, clause, related};
use crate::pddl::syntax::Parameter;
use crate::pddl::vocabulary::{PackageWords, words};

/// Which predicates must be told by their names, since their clauses are those of others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clauses {
    plainly: BTreeSet<String>,
}

impl Clauses {
    pub(crate) fn new(vocabulary: &PackageWords) -> Clauses {
        let mut met: BTreeMap<String, &str> = BTreeMap::new();
        let mut clauses = Clauses::default();
        for relation in &vocabulary.domain.predicates {
            let told = |(number, _): (usize, &Parameter)| ToldArgument {
                text: format!("X{number}"),
                noun: "thing".into(),
            };
            let arguments: Vec<ToldArgument> = relation.places.iter().enumerate().map(told).collect();
            let fixed = vocabulary.is_static(&relation.name);
            let said = clause(&relation.name, &arguments, fixed);
            if met.insert(said, &relation.name).is_some() {
                clauses.plainly.insert(relation.name.clone());
            }
        }
        clauses
    }

    /// Says that a predicate is true of these.
    pub(crate) fn of(&self, vocabulary: &PackageWords, name: &str, arguments: &[ToldArgument]) -> String {
        match self.plainly.contains(name) {
            true => related(&words(name).join(" "), arguments),
            false => clause(name, arguments, vocabulary.is_static(name)),
        }
    }
}

/// Says that a function has a value.
pub(crate) fn valued(name: &str, arguments: &[ToldArgument], value: &str) -> String {
    let all = words(name).join(" ");
    let texts: Vec<&str> = arguments.iter().map(|told| told.text.as_str()).collect();
    match texts.is_empty() {
        true => format!("the {all} is {value}"),
        false => format!("the {all} of {} is {value}", texts.join(" and ")),
    }
}

/// The first letter as a capital, where it is one of a word.
pub(crate) fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    match rest.next() {
        Some(first) if first != '{' => first.to_uppercase().chain(rest).collect(),
        _ => text.to_owned(),
    }
}
