//! Cases that a story told in part allows to a rationale: what may have been so, what comes of it, and the answer.

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;

use crate::language::tell::course::Comparison;
use crate::language::tell::family_question::STATEMENTS;
use crate::language::tell::narrator::Narrator;
use crate::language::tell::rationale::said;
use crate::phrases::book::{Phrasings, RationalePhrases};
use crate::simulate::narrative::cases::{CourseStep, Shown, ShownCase, Supposed};

/// A line for each case, one for what is said of all others, and the answer.
pub fn cases_rationale(
    narrator: &dyn Narrator,
    phrases: &RationalePhrases,
    (cases, comparison): (&[ShownCase], Comparison),
    answer: &str,
    rng: &mut ChaCha8Rng,
) -> String {
    let mut lines: Vec<String> = cases.iter().map(|case| line(narrator, phrases, case, rng)).collect();
    lines.push(said(narrator, comparison.phrasings(phrases), "", rng));
    lines.push(said(narrator, &phrases.conclusion, answer, rng));
    lines.join("\n")
}

fn line(
    narrator: &dyn Narrator,
    phrases: &RationalePhrases,
    case: &ShownCase,
    rng: &mut ChaCha8Rng,
) -> String {
    let engine = narrator.engine();
    let clause = |term: &Term, rng: &mut ChaCha8Rng| {
        let place = engine.actions.binary_search(term);
        place.map_or_else(|_| term.to_string(), |action| narrator.clause(&action, rng))
    };
    let list = |terms: &[Term], rng: &mut ChaCha8Rng| {
        let one = |term: &Term| {
            let place = engine.fluents.binary_search(term);
            place.map_or_else(|_| term.to_string(), |fluent| narrator.statement(&fluent, rng))
        };
        terms.iter().map(one).collect::<Vec<_>>().join(STATEMENTS)
    };
    let (with, slot): (&Phrasings, String) = match &case.supposed {
        Supposed::Course(_) => (&phrases.case_course, String::new()),
        Supposed::Action(action) => (&phrases.case_action, clause(action, rng)),
        Supposed::Failed(step) => (&phrases.case_failed, step.to_string()),
        Supposed::Facts(facts) if facts.is_empty() => (&phrases.case_nothing, String::new()),
        Supposed::Facts(facts) => (&phrases.case_facts, list(facts, rng)),
    };
    let mut sentences = vec![said(narrator, with, &slot, rng)];
    if let Supposed::Course(steps) = &case.supposed {
        for CourseStep { action, gained, lost } in steps {
            sentences.push(said(narrator, &phrases.step, &clause(action, rng), rng));
            for (with, changed) in [(&phrases.gained, gained), (&phrases.lost, lost)] {
                if !changed.is_empty() {
                    sentences.push(said(narrator, with, &list(changed, rng), rng));
                }
            }
            if gained.is_empty() && lost.is_empty() {
                sentences.push(said(narrator, &phrases.case_idle, "", rng));
            }
        }
    }
    let (with, slot): (&Phrasings, String) = match &case.shown {
        Shown::AllObserved => (&phrases.then_all, String::new()),
        Shown::Facts(facts, yes) => {
            (if *yes { &phrases.then_so } else { &phrases.then_not }, list(facts, rng))
        }
        Shown::Action(action, yes) => {
            (if *yes { &phrases.then_can } else { &phrases.then_cannot }, clause(action, rng))
        }
        Shown::Possible => (&phrases.then_possible, String::new()),
        Shown::Impossible(action) => (&phrases.then_impossible, clause(action, rng)),
    };
    sentences.push(said(narrator, with, &slot, rng));
    sentences.join(" ")
}
