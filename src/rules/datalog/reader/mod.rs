//! Texts to rules and facts: what Prolog, answer-set solvers, AMIE and Popper print.
//!
//! Rules may carry a confidence in front (`0.7 p(X) :- q(X).`, `0.7::p(X) :- q(X).`) or, with AMIE, behind. Arrows are
//! `:-`, `<-`, `<--` and AMIE's `=>`. A variable begins with a capital, `_` or `?`; each lone `_` is a variable
//! of its own. What is not Datalog (negation, comparisons, functions, disjunctions) is an error with its place.

mod amie;
mod cursor;
mod prolog;
mod read_rule;

pub use self::read_rule::{ReadRule, RulePlace, Syntax};

use racgen_logic::fault::Fault;

use self::cursor::{RuleReader, fault};
use crate::rules::datalog::syntax::{Arg, Atom, Fact, Vocabulary};

/// Reads all rules of a text; `file` is what errors call it.
///
/// # Errors
/// The first thing that is no safe Datalog rule, with line, column and a remedy.
pub fn read_rules(
    text: &str,
    file: &str,
    syntax: Syntax,
    vocabulary: &mut Vocabulary,
) -> Result<Vec<ReadRule>, Fault> {
    let amie = match syntax {
        Syntax::Auto => text.contains("=>") && !text.contains(":-"),
        other => other == Syntax::Amie,
    };
    let mut reader = RuleReader::new(text, file, syntax, vocabulary);
    let rules = if amie { reader.amie()? } else { reader.rules()? };
    for read in &rules {
        let bound: Vec<u32> = read.rule.body.iter().flat_map(Atom::variables).collect();
        if read.rule.head.variables().any(|variable| !bound.contains(&variable)) {
            return Err(fault(
                file,
                read.head,
                "the rule is unsafe: a variable of its head is not in its body",
                "use each variable of the head in a body atom, too",
            ));
        }
    }
    Ok(rules)
}

/// Reads a text of ground atoms, each with its full stop.
///
/// # Errors
/// The first thing that is no ground atom, with line, column and a remedy.
pub fn read_facts(text: &str, file: &str, vocabulary: &mut Vocabulary) -> Result<Vec<Fact>, Fault> {
    let mut reader = RuleReader::new(text, file, Syntax::Prolog, vocabulary);
    let mut facts = Vec::new();
    while reader.skip()? {
        let at = reader.at;
        let atom = reader.atom()?;
        let args: Option<Box<[u32]>> = atom
            .args
            .iter()
            .map(|arg| match arg {
                Arg::Constant(constant) => Some(*constant),
                Arg::Variable(_) => None,
            })
            .collect();
        let Some(args) = args else {
            return Err(reader.fault(
                at,
                "a fact has no variables",
                "write constants with a small first letter",
            ));
        };
        reader.full_stop("a fact ends with a full stop")?;
        facts.push(Fact { predicate: atom.predicate, args });
    }
    Ok(facts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str, syntax: Syntax) -> Result<Vec<String>, String> {
        let mut vocabulary = Vocabulary::default();
        let read = read_rules(text, "t", syntax, &mut vocabulary).map_err(|fault| fault.to_string())?;
        Ok(read
            .iter()
            .map(|r| r.confidence.map_or(String::new(), |c| format!("{c} ")) + &vocabulary.rule(&r.rule))
            .collect())
    }

    #[test]
    fn the_same_rule_in_every_syntax() {
        let plain = "p(X0,X1) :- q(X0,X2),r(X2,X1).";
        for text in [
            "p(X,Y) :- q(X,Z), r(Z,Y).",
            "p( Xa , Yb )\n  :-\tq(Xa,_z),\n r(_z,Yb) . % done",
            "p(A,B):- q(A,C),r(C,B)",
            "%* a\nb *% p(?a,?b) <-- /* x */ q(?a,?c), r(?c,?b).",
        ] {
            assert_eq!(rules(text, Syntax::Auto), Ok(vec![plain.to_owned()]), "{text}");
        }
        let popper = "********** SOLUTION **********\nPrecision:1.00 Recall:1.00 TP:3 FN:0 TN:3 FP:0 Size:3\n\
                      p(V0,V1):- q(V0,V2),r(V2,V1).\n******************************\n";
        assert_eq!(rules(popper, Syntax::Popper), Ok(vec![plain.to_owned()]));
        assert_eq!(rules("p(X,Y) :- q(X,Z); r(Z,Y).", Syntax::Asp), Ok(vec![plain.to_owned()]));
        let amie = "Starting the mining phase\nRule\tHead Coverage\tStd Confidence\tPCA Confidence\n\
                    ?a  <q>  ?c  ?c  <r>  ?b   => ?a  <p>  ?b\t0.1\t0.25\t0.5\t3\t12\t6\t?a\n";
        assert_eq!(rules(amie, Syntax::Auto), Ok(vec![format!("0.25 {plain}")]));
        for text in ["0.25 p(X,Y) :- q(X,Z), r(Z,Y).", "0.25::p(X,Y):-q(X,Z),r(Z,Y)."] {
            assert_eq!(rules(text, Syntax::Auto), Ok(vec![format!("0.25 {plain}")]));
        }
    }

    #[test]
    fn lone_underscores_differ() {
        assert_eq!(rules("p(X) :- q(X,_,_).", Syntax::Auto), Ok(vec!["p(X0) :- q(X0,X1,X2).".to_owned()]));
        assert_eq!(rules("p(X) :- q(X,_a,_a).", Syntax::Auto), Ok(vec!["p(X0) :- q(X0,X1,X1).".to_owned()]));
    }

    #[test]
    fn what_is_no_datalog_has_a_place_and_a_remedy() {
        for (text, start) in [
            ("p(X) :- q(X).\np(X) :- q(X), not r(X).", "t:2:15: negation is not supported; only positive"),
            ("p(X) :- \\+ q(X).", "t:1:9: negation"),
            ("p(X) :- q(Y).", "t:1:1: the rule is unsafe"),
            ("p(X).", "t:1:1: the rule is unsafe"),
            ("p(X) :- q(X), q(X,X).", "t:1:15: `q` has 2 arguments here and 1 elsewhere"),
            ("p(X) :- q(f(X)).", "t:1:12: functions"),
            ("p(X) :- q([X]).", "t:1:11: lists"),
            ("p(X) :- q(X), X != a.", "t:1:15: an atom is expected"),
            ("p(X) ; r(X) :- q(X).", "t:1:6: a rule has one head"),
            (":- q(X).", "t:1:1: the rule has no head"),
            ("{p(X)} :- q(X).", "t:1:1: choice"),
            ("p(X) :- q(X)\nr(X) :- q(X).", "t:2:1: unexpected `r(X)`"),
            ("p(X) :- q(X", "t:1:12: the text ends within an atom"),
            ("p('a", "t:1:3: the quoted name"),
            ("p(X) :- q(X);r(X).", "t:1:13: `;` is"),
            ("/* p", "t:1:1: the comment does not end"),
            ("p(X) :- ,", "t:1:9: unexpected `,`"),
            ("?a  <q>  => ?a  <p>  ?b", "t:1:1: before `=>`"),
            ("?a  <q>  ?b => ?a  <p>", "t:1:13: after `=>`"),
        ] {
            let error = rules(text, Syntax::Auto).expect_err(text);
            assert!(error.starts_with(start) && error.contains("; "), "{text}: {error}");
        }
    }

    #[test]
    fn a_predicate_may_begin_like_a_number() {
        let text = "edge(X,Y) :- e(Y,X).\n1e-3 e(X,Y) :- edge(X,Y).";
        let read = ["edge(X0,X1) :- e(X1,X0).", "0.001 e(X0,X1) :- edge(X0,X1)."].map(str::to_owned);
        assert_eq!(rules(text, Syntax::Auto), Ok(read.to_vec()));
    }

    #[test]
    fn no_text_makes_the_reader_panic() {
        let texts = [
            "0.5::p(X,'Ä b') :- q(X,_),\n \\+ r(\"c\",-1), not s(X). % end",
            "*** SOLUTION\np(A):-q(A,/* c */B). %* d *% {x} ; y | z.",
            "?a  <q>  ?b  ?b  <rdf:type>  <c>  => ?a  <p>  ?b\t0,5\t0.1\t?a",
        ];
        let odd = [
            '(', ')', ',', '.', '\'', '"', '\\', ':', '-', '%', '*', '=', '>', '?', '_', '0', 'X', 'é', '\n',
            '\u{2190}',
        ];
        let mut errors = 0;
        for text in texts {
            for (at, c) in text.char_indices() {
                let (front, back) = (&text[..at], &text[at + c.len_utf8()..]);
                for changed in odd.iter().map(|o| format!("{front}{o}{back}")).chain([front.to_owned()]) {
                    for syntax in [Syntax::Auto, Syntax::Asp, Syntax::Amie] {
                        errors += usize::from(rules(&changed, syntax).is_err());
                        _ = read_facts(&changed, "f", &mut Vocabulary::default());
                    }
                }
            }
        }
        assert!(errors > 1_000, "{errors}");
    }

    #[test]
    fn true_is_no_predicate_wherever_it_ends() {
        for text in ["p(a) :- true.", "p(a) :- true", "p(a) :- true % end\n.", "p(a) :- true; true."] {
            assert_eq!(rules(text, Syntax::Asp), Ok(vec!["p(a).".to_owned()]), "{text}");
        }
        for text in ["p(X) :- true(X).", "p(X) :- q(X),'true'.", "p(X) :- truer(X)."] {
            assert_eq!(rules(text, Syntax::Asp).map(|read| read[0].len() > 8), Ok(true), "{text}");
        }
    }

    #[test]
    fn odd_predicates_are_quoted() {
        let text = "?a  <25>  ?b  ?b  <true>  ?a  => ?a  <1x>  ?b";
        let written = "'1x'(X0,X1) :- '25'(X0,X1),'true'(X1,X0).";
        assert_eq!(rules(text, Syntax::Amie), Ok(vec![written.to_owned()]));
        assert_eq!(rules(written, Syntax::Prolog), Ok(vec![written.to_owned()]));
    }

    #[test]
    fn facts_read_and_write() {
        let mut vocabulary = Vocabulary::default();
        let text = "p(a,-3). 'New P'('Äb c',7).\nq.";
        let facts = read_facts(text, "f", &mut vocabulary).expect("facts");
        let written: Vec<String> = facts.iter().map(|fact| vocabulary.fact(fact)).collect();
        assert_eq!(written, ["p(a,'-3')", "'New P'('Äb c',7)", "q"]);
        assert!(read_facts("p(X).", "f", &mut vocabulary).is_err_and(|f| f.place == "f:1:1"));
    }
}
