//! Rules and facts of learners: what is read from any syntax is read again from the Prolog that it is printed as.

use racgen::logic::fault::Fault;
use racgen::rules::datalog::reader::{Syntax, read_facts, read_rules};
use racgen::rules::datalog::syntax::{Fact, Rule, Vocabulary};

use crate::document::Documents;
use crate::target::fuzz;

const PROLOG: &[&str] = &[
    "p(X,Y) :- q(X,Z), r(Z,Y).\n0.25 p(X,Y) :- q(Y,X).\n",
    "0.5::p(X,'Ä b') :- q(X,_),\n  s(\"c\",X). % end\n'Odd P'(a,7) :- true.\n",
    "%* a\nb *% p(?a,?b) <-- /* x */ q(?a,?c), r(?c,?b).\np(1,2).",
    "p(A) <= q(A,'it\\'s').\nq(A) \u{2190} p(A). s.",
];
const ASP: &[&str] = &["p(X,Y) :- q(X,Z); r(Z,Y).\nq(a,1) :- .\n", "p(X):-q(X,_,_);not_r(X)."];
const AMIE: &[&str] = &[
    "Starting\nRule\tHead Coverage\tStd Confidence\tPCA Confidence\n?a  <q>  ?c  ?c  <r>  ?b   => ?a  <p>  ?b\t0.1\t0.25\t0.5\t3\t12\t6\t?a\n",
    "?a  <q>  ?b  ?b  <rdf:type>  <c>  => ?a  <p>  ?b\t0,5\t0.1\t?a\n?x  likes  tea  => ?x  <p>  <x y>\n",
];
const POPPER: &[&str] = &[
    "********** SOLUTION **********\nPrecision:1.00 Recall:1.00 TP:3 FN:0 TN:3 FP:0 Size:3\np(V0,V1):- q(V0,V2),r(V2,V1).\n******************************\n",
    "NO SOLUTION\nNum. programs: 3\n",
];
const FACTS: &[&str] =
    &["p(a,-3). 'New P'('Äb c',7).\nq.\n", "edge(n1,n2).\nedge(n2,n3). % last\nname(\"n 1\",0.5)."];
const TOKENS: &[&str] = &[
    ":-", "<-", "<--", "=>", "p(", "q(", "X", "_", "_a", "?a", "not ", "\\+ ", "true", "a", "'a b'", "\"",
    "\\'", "0.5", "::", ";", ",", ".", "#show", "{", "<p>", "rdf:type", "\t", "***", "Rule\t", "/*", "%*",
    "f(a)", "[", "|", "X = Y",
];

fn printed(vocabulary: &Vocabulary, rules: &[Rule]) -> String {
    rules.iter().map(|rule| vocabulary.rule(rule) + "\n").collect()
}

fn read(text: &str, syntax: Syntax, vocabulary: &mut Vocabulary) -> Result<Vec<Rule>, Fault> {
    let read = read_rules(text, "rules", syntax, vocabulary)?;
    assert!(read.iter().all(|rule| rule.body.len() == rule.rule.body.len()), "a place for each atom");
    Ok(read.into_iter().map(|rule| rule.rule).collect())
}

fn check(text: &str, syntax: Syntax) -> bool {
    let mut vocabulary = Vocabulary::default();
    let Ok(rules) = read(text, syntax, &mut vocabulary) else { return false };
    let once = printed(&vocabulary, &rules);
    let again = read(&once, Syntax::Prolog, &mut vocabulary).unwrap_or_else(|fault| panic!("{once}{fault}"));
    assert_eq!(again, rules, "{once}");
    true
}

#[test]
fn prolog_rules() {
    let documents = Documents::new(PROLOG.iter().copied(), TOKENS);
    fuzz(bolero::check!(), "prolog_rules", documents, |text| check(text, Syntax::Prolog));
}

#[test]
fn asp_rules() {
    let documents = Documents::new(PROLOG.iter().chain(ASP).copied(), TOKENS);
    fuzz(bolero::check!(), "asp_rules", documents, |text| check(text, Syntax::Asp));
}

#[test]
fn amie_rules() {
    let documents = Documents::new(AMIE.iter().copied(), TOKENS);
    fuzz(bolero::check!(), "amie_rules", documents, |text| check(text, Syntax::Amie));
}

#[test]
fn popper_rules() {
    let documents = Documents::new(POPPER.iter().copied(), TOKENS);
    fuzz(bolero::check!(), "popper_rules", documents, |text| check(text, Syntax::Popper));
}

#[test]
fn rules_of_any_syntax() {
    let seeds = PROLOG.iter().chain(ASP).chain(AMIE).chain(POPPER).chain(FACTS);
    let documents = Documents::new(seeds.copied(), TOKENS);
    fuzz(bolero::check!(), "rules_of_any_syntax", documents, |text| check(text, Syntax::Auto));
}

#[test]
fn facts() {
    fuzz(bolero::check!(), "facts", Documents::new(FACTS.iter().copied(), TOKENS), |text| {
        let mut vocabulary = Vocabulary::default();
        let Ok(facts) = read_facts(text, "t", &mut vocabulary) else { return false };
        let printed = facts.iter().map(|fact| vocabulary.fact(fact) + ".\n").collect::<String>();
        let again: Vec<Fact> = read_facts(&printed, "again", &mut vocabulary).unwrap();
        assert_eq!(again, facts, "{printed}");
        true
    });
}
