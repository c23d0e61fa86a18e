//! What cannot be imported is refused, with file, line, column and a remedy.

use racgen::pddl::import::{ImportSettings, import};
use racgen::pddl::syntax::{PddlDomain, PddlProblem};

use crate::common::LIMIT;

/// A domain with something in it, and what is said about that.
const REFUSED: &[(&str, &str, &str)] = &[
    ("(:requirements :durative-actions)", "d.pddl:3:16", "`:durative-actions` is not imported"),
    ("(:durative-action go)", "d.pddl:3:1", "`:durative-action` is not imported"),
    ("(:constraints (always (p)))", "d.pddl:3:1", "`:constraints` is not imported"),
    ("(:action a :effect (oneof (p) (q)))", "d.pddl:3:20", "leaves open what happens"),
    ("(:action a :effect (at start (p)))", "d.pddl:3:20", "actions take no time here"),
    ("(:action a :effect (scale-up (f) 2))", "d.pddl:3:20", "`scale-up` is not imported"),
    ("(:action a :effect (r))", "d.pddl:3:20", "`r` is no predicate of this domain"),
    ("(:action a :effect (p ?x))", "d.pddl:3:20", "`p` has 1 arguments here"),
    ("(:action a :precondition (s ?x) :effect (p))", "d.pddl:3:29", "`?x` stands for nothing here"),
    ("(:action a :parameters (?x - z) :effect (p))", "d.pddl:3:25", "`z` is no type"),
    ("(:action a :precondition (preference g (p)) :effect (p))", "d.pddl:3:26", "about a whole plan"),
    ("(:action a :precondition (< (f) 2.5) :effect (p))", "d.pddl:3:33", "no whole number"),
    ("(:action a :effect (d))", "d.pddl:3:20", "`d` is derived"),
    (
        "(:action a :parameters (?x) :effect (s ?x))",
        "d.pddl:3:37",
        "is of type object, but `s` is declared for t",
    ),
    (
        "(:action a :precondition (forall (?x - t) (exists (?x - t) (s ?x))))",
        "d.pddl:3:52",
        "something else already",
    ),
    ("(:functions (g ?x - t) - t)", "d.pddl:3:24", "functions to `t` are not imported"),
    ("(:action a :effect (p)", "d.pddl:1:1", "never closed"),
];

fn domain(more: &str) -> String {
    format!(
        "(define (domain x) (:types t) (:functions (f)) (:predicates (p) (q) (d) (s ?x - t))\n\
         (:derived (d) (p)) (:action b :effect (p))\n{more}\n)"
    )
}

#[test]
fn what_cannot_be_imported_is_refused_with_its_place() {
    for (more, place, cause) in REFUSED {
        let more = more.replace("\n)", "");
        let text =
            if cause.contains("never closed") { domain(&more).trim_end().to_owned() } else { domain(&more) };
        let fault = PddlDomain::read(&text, "d.pddl").map(|_| ()).expect_err(&more);
        assert_eq!((fault.place.as_str(), fault.cause.contains(cause)), (*place, true), "{more}: {fault}");
        assert!(!fault.remedy.is_empty());
    }
}

/// What is said of a domain and a problem of it.
fn fault(actions: &str, init: &str) -> String {
    let text = format!(
        "(define (domain x) (:types t) (:functions (f ?x - t)) (:predicates (p) (q ?x - t) (r ?x - t)) {actions})"
    );
    let domain = PddlDomain::read(&text, "d.pddl").unwrap();
    let problem = format!("(define (problem y) (:domain x) (:objects a b - t) (:init {init}) (:goal (p)))");
    let problem = match PddlProblem::read(&problem, "p.pddl", &domain) {
        Ok(problem) => problem,
        Err(fault) => return fault.to_string(),
    };
    let settings = ImportSettings { situations: 20, seed: 0, limit: LIMIT };
    import("x", &domain, &[problem], settings).map(|_| ()).expect_err("it is imported").to_string()
}

#[test]
fn what_shows_only_in_a_problem_is_refused_as_well() {
    let grow = "(:action a :parameters (?x - t) :effect (increase (f ?x) 1))";
    let told = fault(grow, "(= (f a) 1) (= (f b) 1)");
    assert!(told.starts_with("d.pddl:1:") && told.contains("add a precondition that bounds it"), "{told}");
    let told = fault("(:action a :effect (p))", "(u)");
    assert!(told.starts_with("p.pddl:1:") && told.contains("`u` is no predicate"), "{told}");
    let told = fault("(:action a :parameters (?x - t) :precondition (q ?x) :effect (p))", "(p)");
    assert!(told.starts_with("p.pddl: ") && told.contains("no action can be carried out"), "{told}");
    let twice = "(:action a :parameters (?x ?y - t) :precondition (and (< (f ?x) 3) (< (f ?y) 3)) \
                 :effect (and (assign (f ?x) 1) (assign (f ?y) 2)))";
    let told = fault(twice, "(= (f a) 1) (= (f b) 1)");
    assert!(told.contains("may set the same `f` twice"), "{told}");
    let itself = "(:derived (q ?x - t) (not (r ?x))) (:derived (r ?x - t) (forall (?y - t) (q ?y))) (:action a :effect (p))";
    let told = fault(itself, "");
    assert!(told.contains("follows from its own absence"), "{told}");
    let missing = "(:action a :parameters (?x - t) :precondition (< (f ?x) 3) :effect (increase (f ?x) 1))";
    let told = fault(missing, "(= (f a) 1)");
    assert!(told.contains("`(f b)` has no number at first"), "{told}");
}
