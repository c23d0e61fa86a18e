//! Promise: what a rationale rests on suffices: whatever else changes, the answer stays.

use std::collections::BTreeMap;

use racgen::language::reasons::support::AskedSituation;
use racgen::language::words::lexicon::Lexicon;
use racgen::simulate::layout::Layout;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::situation::{AnswerSheet, Situation};
use racgen::simulate::story::Simulator;
use racgen::simulate::transitions::compiled_layout::{Kind, Question};
use rand::RngExt;

use crate::common::{LIMIT, package, rng};

/// Situations that each support is tried on.
const TRIED: usize = 12;

#[test]
fn answers_stay_while_their_support_does() {
    for domain in ["blocks", "dwr", "logistics"] {
        let package = package(domain);
        let mut dice = rng(3);
        let layout = Layout::sample(&package, 1, &BTreeMap::new(), &mut dice, LIMIT).unwrap();
        let mut stage = Simulator::new(&package, layout, Sampling::Walk, LIMIT, &mut dice).unwrap();
        let lexicon = Lexicon::new(&package, stage.layout(), &stage.engine);
        let reasons = lexicon.reasons(&package, stage.layout(), &stage.engine).unwrap();
        let inertial: Vec<usize> = stage.engine.inertial.iter().collect();
        let (mut compared, mut small) = (0, 0);
        for _ in 0..4 {
            let (start, _) = stage.draw_world(&mut dice).unwrap();
            let (here, sheet) = stage.engine.consider(&start, None).unwrap().unwrap();
            let here = here.situation;
            for question in 0..stage.engine.questions.len() {
                let asked = stage.engine.questions[question].clone();
                if asked.term.is("changes", 1) || answered(&asked, &sheet).is_empty() {
                    continue;
                }
                let support = reasons.support(question, AskedSituation { here: &here, supposed: None });
                small += usize::from(support.fluents.len() < inertial.len() / 2);
                for _ in 0..TRIED {
                    let mut other: Situation = start.clone();
                    for fluent in inertial.iter().filter(|f| !support.fluents.contains(f)) {
                        if dice.random_bool(0.2) {
                            if other.contains(*fluent) {
                                other.remove(*fluent)
                            } else {
                                other.insert(*fluent)
                            }
                        }
                    }
                    let Some((there, told)) = stage.engine.consider(&other, None).unwrap() else { continue };
                    let kept = |f: &usize| there.situation.contains(*f) == here.contains(*f);
                    let answers = answered(&asked, &told);
                    if support.fluents.iter().all(kept) && !answers.is_empty() {
                        compared += 1;
                        assert_eq!(answers, answered(&asked, &sheet), "{domain}: {}", asked.term);
                    }
                }
            }
        }
        assert!(compared > 200, "{domain}: {compared}");
        assert!(small > 20, "{domain}: {small}");
    }
}

/// A verify question is answered once it is known whether the answer is yes.
fn answered(question: &Question, sheet: &AnswerSheet) -> Vec<usize> {
    let all: Vec<usize> = question.answers.clone().filter(|answer| sheet.contains(*answer)).collect();
    assert!(question.kind != Kind::Verify || all.len() < 2);
    all
}
