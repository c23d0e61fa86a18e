//! The naive simulator against worked examples of the paper and situations small enough to be seen through.

mod blocks;
mod blocks_hand;
mod dwr;
mod generic;
mod logistics;

use crate::naive::answer;

/// What is so after a plan.
struct Case {
    /// What it is about, for whoever sees it fail.
    name: &'static str,
    /// What is true at first.
    facts: &'static str,
    plan: &'static str,
    /// A question and its answer to a line, parted by `=`.
    answers: &'static str,
}

impl Case {
    fn check(&self, domain: &str) {
        println!("{domain}: {}", self.name);
        check(domain, self.facts, self.plan, self.answers);
    }
}

/// The terms of a text, one or more to a line, separated by spaces.
fn terms(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Checks the answers after a plan; a question and its answer to a line, parted by `=`.
fn check(domain: &str, facts: &str, plan: &str, answers: &str) {
    for line in answers.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (query, gold) = line.split_once(" = ").unwrap();
        assert_eq!(
            answer(domain, &terms(facts), &terms(plan), query),
            Ok(terms(gold)),
            "{query} after {plan}"
        );
    }
}

fn error(domain: &str, facts: &str, plan: &str, query: &str) -> String {
    answer(domain, &terms(facts), &terms(plan), query).unwrap_err()
}
