//! The measures of learned rules: those of the reference scores, at the edges, and by clingo.

use std::path::{Path, PathBuf};

use racgen::rules::{Fact, Reference, Rule, Score, Syntax, Universe, Vocabulary, read_facts, read_rules};
use serde_json::Value;

const MOST: u64 = 1_000_000;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// The reference data, where it is there.
fn reference() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/reference/rudas");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there is no {}", folder.display());
    None
}

fn rules(path: &Path, vocabulary: &mut Vocabulary) -> Outcome<Vec<Rule>> {
    let text = std::fs::read_to_string(path)?;
    let read = read_rules(&text, &path.display().to_string(), Syntax::Auto, vocabulary)?;
    Ok(read.into_iter().map(|read| read.rule).collect())
}

fn facts(path: &Path, vocabulary: &mut Vocabulary) -> Outcome<Vec<Fact>> {
    Ok(read_facts(&std::fs::read_to_string(path)?, &path.display().to_string(), vocabulary)?)
}

fn score(original: &str, learned: &str, support: &str, universe: Universe) -> Outcome<Score> {
    let mut vocabulary = Vocabulary::default();
    let mut read = |text: &str| -> Outcome<Vec<Rule>> {
        let read = read_rules(text, "text", Syntax::Auto, &mut vocabulary)?;
        Ok(read.into_iter().map(|read| read.rule).collect())
    };
    let (original, learned) = (read(original)?, read(learned)?);
    let support = read_facts(support, "text", &mut vocabulary)?;
    let reference = Reference::new(&original, &support, vocabulary.arities(), MOST)?;
    Ok(reference.score(&learned, vocabulary.arities(), universe, MOST)?)
}

#[test]
fn all_pairs_of_the_reference_come_out_in_both_universes() -> Outcome<()> {
    let Some(folder) = reference() else { return Ok(()) };
    let all: Value = serde_json::from_str(&std::fs::read_to_string(folder.join("scores.json"))?)?;
    let mut compared = 0;
    let pairs = all["pairs"].as_array().into_iter().chain(all["edge"].as_array()).flatten();
    for pair in pairs {
        let text = |key: &str| pair[key].as_str().ok_or(format!("no {key}"));
        let dataset = folder.join(text("dataset")?);
        let mut vocabulary = Vocabulary::default();
        let original = rules(&dataset.join("rules.txt"), &mut vocabulary)?;
        let support = facts(&dataset.join("eval-support.txt"), &mut vocabulary)?;
        let derived = facts(&dataset.join("eval-conseqs.txt"), &mut vocabulary)?;
        let learned = rules(&folder.join(text("learned")?), &mut vocabulary)?;
        let reference = Reference::new(&original, &support, vocabulary.arities(), MOST)?;
        for (universe, key) in [(Universe::Strict, "strict"), (Universe::Rudas, "rudas")] {
            let expected = &pair[key];
            let score = reference.score(&learned, vocabulary.arities(), universe, MOST)?;
            assert_eq!(score.overall.tp + score.overall.missed, derived.len() as u64);
            // The original gave up on some of the edge cases.
            if expected.get("error").is_some() {
                continue;
            }
            let found = serde_json::to_value(score.overall)?;
            for name in [
                "tp",
                "fp",
                "fn",
                "tn",
                "herbrand_distance",
                "herbrand_accuracy",
                "herbrand_score",
                "accuracy",
                "precision",
                "recall",
                "f1",
            ] {
                let number = |value: &Value| value[name].as_f64().ok_or(format!("no {name}"));
                let (found, expected) = (number(&found)?, number(expected)?);
                assert!((found - expected).abs() < 1e-9, "{} {key} {name}: {found} {expected}", text("id")?);
                compared += 1;
            }
            let base = expected.get("herbrand_base").or(expected.get("num_possible_ground_atoms"));
            assert_eq!(base.and_then(Value::as_f64), Some(score.overall.herbrand_base));
            let constants = expected.get("constants").or(expected.get("num_constants"));
            assert_eq!(constants.and_then(Value::as_u64), Some(score.constants));
        }
    }
    assert!(compared >= 9 * 11, "{compared}");
    Ok(())
}

#[test]
fn definitions_by_hand() -> Outcome<()> {
    // I = {p(a), p(b)}, I' = {p(b), p(c), r(a)}, of which r is in neither S nor I.
    let support = "q(a). q(b). s(b). s(c).";
    let score = score("p(X) :- q(X).", "p(X) :- s(X). r(X) :- q(X).", support, Universe::Strict)?;
    let all = score.overall;
    assert_eq!((all.tp, all.fp, all.missed, all.support, all.herbrand_base), (1, 1, 1, 4, 9.0));
    assert_eq!(all.tn, 2);
    assert_eq!((all.herbrand_distance, all.herbrand_score, all.f1), (2, 1.0 / 3.0, 0.5));
    assert!((all.herbrand_accuracy - 7.0 / 9.0).abs() < 1e-12);
    assert_eq!((all.precision, all.recall, all.accuracy), (0.5, 0.5, 0.6));
    assert!(!score.equivalent);
    assert_eq!((score.learned_size.rules, score.learned_size.atoms), (2, 4));
    // Predicates in the order in which they were read: p, q, s.
    assert_eq!(score.predicates.len(), 3);
    assert_eq!(score.predicates[0].1.herbrand_distance, 2);
    assert_eq!(score.predicates[1].1.herbrand_score, 1.0);
    Ok(())
}

#[test]
fn nothing_to_find_is_defined() -> Outcome<()> {
    let nothing = score("p(X) :- q(X).", "", "", Universe::Strict)?;
    assert!(nothing.equivalent && nothing.overall.accuracy == 1.0 && nothing.overall.f1 == 1.0);
    let noisy = score("p(X) :- q(X), q(a).", "q(X) :- r(X).", "q(b). r(b). r(c).", Universe::Strict)?;
    let all = noisy.overall;
    assert_eq!((all.tp, all.fp, all.missed), (0, 1, 0));
    assert_eq!((all.precision, all.recall, all.f1, all.herbrand_score), (0.0, 0.0, 0.0, 0.0));
    Ok(())
}

#[test]
fn equal_consequences_are_equivalent_whatever_the_rules() -> Outcome<()> {
    let support = "e(a,b). e(b,c). e(c,d).";
    let left = "r(X,Y) :- e(X,Y). r(X,Z) :- r(X,Y), e(Y,Z).";
    let right = "r(X,Z) :- r(X,Y), r(Y,Z). r(X,Y) :- e(X,Y).";
    let score = score(left, right, support, Universe::Strict)?;
    assert!(score.equivalent && score.overall.tp == 6);
    assert_eq!(score.rules.exact, 1);
    assert!(score.rules.score < 1.0);
    Ok(())
}
