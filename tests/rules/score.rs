//! The measures of learned rules: those of the reference scores, at the edges, and by clingo.

use std::path::{Path, PathBuf};

use racgen::rules::datalog::reader::{Syntax, read_facts, read_rules};
use racgen::rules::datalog::syntax::{Fact, Rule, Vocabulary};
use racgen::rules::measure::score::{Reference, RuleScore, Universe};
use serde_json::Value;

const MOST: u64 = 1_000_000;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// The reference data, where it is there.
fn reference() -> Option<PathBuf> {
    crate::skipped::reference("rudas", "scores of published rule sets")
}

fn rules(path: &Path, vocabulary: &mut Vocabulary) -> Outcome<Vec<Rule>> {
    let text = std::fs::read_to_string(path)?;
    let read = read_rules(&text, &path.display().to_string(), Syntax::Auto, vocabulary)?;
    Ok(read.into_iter().map(|read| read.rule).collect())
}

fn facts(path: &Path, vocabulary: &mut Vocabulary) -> Outcome<Vec<Fact>> {
    Ok(read_facts(&std::fs::read_to_string(path)?, &path.display().to_string(), vocabulary)?)
}

fn score(original: &str, learned: &str, support: &str, universe: Universe) -> Outcome<RuleScore> {
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

/// A folder with rules, support and the files that a test adds.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new(files: &[(&str, &str)]) -> Outcome<Bench> {
        let folder = tempfile::tempdir()?;
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().ok_or("no folder")?)?;
            std::fs::write(path, text)?;
        }
        Ok(Bench { folder })
    }

    /// Standard output, or exit code and standard error.
    fn racgen(&self, args: &str) -> Outcome<Result<String, (Option<i32>, String)>> {
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_racgen"))
            .args(args.split_whitespace())
            .current_dir(self.folder.path())
            .output()?;
        let (out, error) = (String::from_utf8(run.stdout)?, String::from_utf8(run.stderr)?);
        Ok(if run.status.success() { Ok(out) } else { Err((run.status.code(), error)) })
    }
}

const RULES: &str = "p(X,Y) :- q(X,Z), r(Z,Y).";
const SUPPORT: &str = "q(a,b). q(b,c). r(b,d). r(c,c).";

#[test]
fn every_learner_has_its_row_in_every_layout() -> Outcome<()> {
    let amie = "?x  <q>  ?z  ?z  <r>  ?y  => ?x  <p>  ?y\t0.5\t0.9\t0.9\n?x  <r>  ?y  => ?x  <p>  ?y\t0.5\t0.1\t0.2\n";
    let files = [("o.txt", RULES), ("s.txt", SUPPORT), ("amie.tsv", amie), ("none.txt", "")];
    let bench = Bench::new(&files)?;
    let base = "rules score --original o.txt --support s.txt --learned amie.tsv --learned nothing=none.txt";
    let json = |args: &str| -> Outcome<Value> {
        let out = bench.racgen(&format!("{base} --format json {args}"))?;
        Ok(serde_json::from_str(&out.map_err(|error| error.1)?)?)
    };
    let all = json("")?;
    let rows = all["rows"].as_array().ok_or("no rows")?;
    assert_eq!(
        (rows.len(), &rows[0]["learner"], &rows[1]["learner"]),
        (2, &"amie".into(), &"nothing".into())
    );
    assert_eq!((&rows[0]["TP"], &rows[0]["FP"], &rows[0]["FN"]), (&2.into(), &2.into(), &0.into()));
    assert_eq!((&rows[1]["TP"], &rows[1]["H-score"]), (&0.into(), &0.0.into()));
    let sure = json("--threshold 0.5")?;
    assert_eq!(
        (&sure["rows"][0]["equivalent"], &sure["rows"][0]["rule score"]),
        (&"yes".into(), &1.0.into())
    );
    let each = json("--per-predicate")?;
    assert_eq!(each.as_array().map(Vec::len), Some(3));
    assert_eq!(each[1]["rows"].as_array().map(Vec::len), Some(3));
    for (layout, words) in [("text", "amie  "), ("csv", ",amie,2,"), ("latex", "  amie & 2 & ")] {
        let out = bench.racgen(&format!("{base} --format {layout}"))?.map_err(|error| error.1)?;
        assert!(out.contains(words), "{out}");
    }
    Ok(())
}

#[test]
fn what_is_wrong_with_rules_is_told_with_its_place() -> Outcome<()> {
    for (learned, words) in [
        ("p(X,Y) :- q(X,Y), not r(X,Y).", "l.txt:1:19: negation is not supported"),
        ("p(X,Y) :- q(X,Z).", "l.txt:1:1: the rule is unsafe"),
        ("p(X,Y) :- q(X,Y).\np(X) :- q(X,X).", "l.txt:2:1: `p` has 1 arguments here and 2 elsewhere"),
        ("p(X,Y) :- q(X,Y), zz(X).", "l.txt:1:19: the predicate `zz` is unknown"),
        ("p(X,Y :- q(X,Y).", "l.txt:1:7: unexpected `:`"),
    ] {
        let bench = Bench::new(&[("o.txt", RULES), ("s.txt", SUPPORT), ("l.txt", learned)])?;
        let run = bench.racgen("rules score --original o.txt --support s.txt --learned l.txt")?;
        let (code, error) = run.expect_err(learned);
        assert!(code == Some(2) && error.contains(words) && error.contains("; "), "{error}");
    }
    let learned = "p(X,Y) :- q(X,Z), r(Z,Y). p(X,Y) :- q(X,Y), zz(X).";
    let files = [("o.txt", RULES), ("s.txt", SUPPORT), ("l.txt", learned), ("relations.txt", "zz\n")];
    let bench = Bench::new(&files)?;
    for more in ["--allow-unknown", "--relations relations.txt"] {
        let args =
            format!("rules score --original o.txt --support s.txt --learned l.txt --format json {more}");
        let all: Value = serde_json::from_str(&bench.racgen(&args)?.map_err(|error| error.1)?)?;
        assert_eq!(all["rows"][0]["equivalent"], "yes");
    }
    let wide = "p(X,Y) :- q(X,A), q(Y,B).";
    let facts: String = (0..300).map(|i| format!("q(c{i},d{i}). ")).collect();
    let bench = Bench::new(&[("o.txt", RULES), ("s.txt", &(facts + SUPPORT)), ("l.txt", wide)])?;
    let args = "rules score --original o.txt --support s.txt --learned l.txt --most-facts 1000";
    let (code, error) = bench.racgen(args)?.expect_err("too many");
    assert!(code == Some(1) && error.contains("the learner derive more than 1000 facts"), "{error}");
    let missing = bench.racgen("rules score --original o.txt --support s.txt --learned nowhere.txt")?;
    assert!(missing.expect_err("missing").1.contains("cannot read `nowhere.txt`"));
    Ok(())
}

#[test]
fn tables_average_over_the_data_sets_of_each_kind() -> Outcome<()> {
    // On the first data set, `half` finds one of two consequences; on the second it is wrong, which counts as nothing
    // learned.
    let two = "p(X,Y) :- q(X,Y). p(X,Y) :- r(X,Y).";
    let bench = Bench::new(&[
        ("sets/CHAIN-XS-2-0/rules.txt", two),
        ("sets/CHAIN-XS-2-0/eval-support.txt", "q(a,b). r(b,c)."),
        ("sets/CHAIN-XS-2-0/train.txt", "p(a,b). p(c,c). q(c,c)."),
        ("sets/RDG-S-3-1/rules.txt", two),
        ("sets/RDG-S-3-1/eval-support.txt", "q(a,b). r(a,b)."),
        ("sets/RDG-S-3-1/train.txt", ""),
        ("sets/learned/half/CHAIN-XS-2-0.txt", "p(X,Y) :- q(X,Y)."),
        ("sets/learned/half/RDG-S-3-1.pl", "p(X,Y) :- q(X,Y), \\+ r(X,Y)."),
    ])?;
    let out = bench.racgen("rules bench sets --format json")?.map_err(|error| error.1)?;
    let all: Value = serde_json::from_str(&out)?;
    let cell = |table: usize, row: usize, column: &str| all[table]["rows"][row][column].clone();
    let scores = |row| all[0]["rows"][row].clone();
    assert_eq!(scores(3)["Measure"], "H-score");
    // On the first set the memoriser finds p(a,b), misses p(b,c) and adds p(c,c) and q(c,c); on the second, nothing.
    let expected = [("empty", 0.0), ("memoriser", (1.0 / 4.0) / 2.0), ("original", 1.0), ("half", 0.25)];
    for (learner, score) in expected {
        let found = scores(3)[learner].as_f64().ok_or(learner)?;
        assert!((found - score).abs() < 1e-12, "{learner} {found}");
    }
    assert_eq!(cell(2, 3, "CHAIN (1)"), 0.5);
    assert_eq!(cell(2, 3, "RDG (1)"), 0.0);
    assert_eq!(cell(3, 2, "S-3 (1)"), 1.0);
    assert_eq!(cell(1, 2, "Complete (0)"), Value::Null);
    // As does an output that is missing.
    std::fs::remove_file(bench.folder.path().join("sets/learned/half/RDG-S-3-1.pl"))?;
    let again = bench.racgen("rules bench sets --format json")?.map_err(|error| error.1)?;
    let again: Value = serde_json::from_str(&again)?;
    assert_eq!((&again[0], &again[4]["rows"][0]["Reason"]), (&all[0], &"no output".into()));
    assert_eq!((cell(4, 0, "Learner"), cell(4, 0, "Data set")), ("half".into(), "RDG-S-3-1".into()));
    assert!(
        cell(4, 0, "Reason").as_str().is_some_and(|reason| reason.contains("RDG-S-3-1.pl:1:19: negation"))
    );
    let text = bench.racgen("rules bench sets --no-built-in")?.map_err(|error| error.1)?;
    assert!(text.contains("Impact of different metrics") && !text.contains("memoriser"));
    let (code, error) = bench.racgen("rules bench sets/learned")?.expect_err("no data sets");
    assert!(code == Some(2) && error.contains("there is no data set"), "{error}");
    Ok(())
}

#[test]
fn the_reference_data_reads_and_its_own_consequences_agree() -> Outcome<()> {
    let Some(folder) = reference() else { return Ok(()) };
    let mut sets = 0;
    for group in ["generated", "rudas-v0"] {
        for entry in std::fs::read_dir(folder.join(group))? {
            let path = entry?.path();
            let mut vocabulary = Vocabulary::default();
            let original = rules(&path.join("rules.txt"), &mut vocabulary)?;
            let mut all = facts(&path.join("eval-support.txt"), &mut vocabulary)?;
            let found = racgen::rules::datalog::judge::consequences(&original, &all)?;
            all.extend(facts(&path.join("eval-conseqs.txt"), &mut vocabulary)?);
            all.sort();
            all.dedup();
            assert_eq!(found, all, "{}", path.display());
            sets += 1;
        }
    }
    assert!(sets >= 3);
    Ok(())
}
