//! Planning domains and problems: the reader says what is wrong, or what it read can be read again and means the same.

use racgen::pddl::syntax::{PddlDomain, PddlProblem};

use crate::document::Documents;
use crate::target::fuzz;

const TOKENS: &[&str] = &[
    "(define (domain d) ",
    "(define (problem p) ",
    "(:requirements :strips :typing)",
    "(:types a b - c)",
    "(:predicates ",
    "(:functions ",
    "(:constants ",
    "(:action ",
    ":parameters (",
    ":precondition ",
    ":effect ",
    "(:derived ",
    "(and ",
    "(or ",
    "(not ",
    "(imply ",
    "(exists (?x) ",
    "(forall (?x - a) ",
    "(when ",
    "(= ",
    "(increase ",
    "(either a b)",
    "?x",
    "?y",
    "-",
    "object",
    "(:init ",
    "(:goal ",
    "(:objects ",
    "(:domain d)",
    "total-cost",
    "10",
    "2.5",
    "; note\n",
    "(:durative-action ",
];

fn texts(ending: &str, domain: bool) -> Vec<String> {
    let mut found = Vec::new();
    for name in ["ferry", "miconic", "jugs", "circuit", "childsnack", "floortile"] {
        let all = crate::files(&format!("tests/pddl/{name}"), ending);
        found.extend(all.into_iter().filter(|text| text.contains("(problem ") != domain));
    }
    found
}

#[test]
fn pddl_domains() {
    let seeds = texts(".pddl", true);
    let documents = Documents::new(seeds.iter().map(String::as_str), TOKENS);
    fuzz(bolero::check!(), "pddl_domains", documents, |text| match PddlDomain::read(text, "d.pddl") {
        Ok(domain) => {
            assert!(!domain.actions.is_empty());
            true
        }
        Err(fault) => {
            assert!(fault.place.starts_with("d.pddl:") && !fault.remedy.is_empty(), "{fault}");
            false
        }
    });
}

#[test]
fn pddl_problems() {
    let domain = texts("domain.pddl", true).swap_remove(0);
    let domain = PddlDomain::read(&domain, "domain.pddl").unwrap();
    let seeds = texts(".pddl", false);
    let documents = Documents::new(seeds.iter().map(String::as_str), TOKENS);
    fuzz(bolero::check!(), "pddl_problems", documents, |text| {
        match PddlProblem::read(text, "p.pddl", &domain) {
            Ok(problem) => {
                let known = |name: &String| problem.objects.iter().any(|(object, _)| object == name);
                assert!(problem.initially.iter().all(|(_, arguments)| arguments.iter().all(known)));
                true
            }
            Err(fault) => {
                assert!(fault.place.starts_with("p.pddl:") && !fault.remedy.is_empty(), "{fault}");
                false
            }
        }
    });
}
