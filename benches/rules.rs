//! How fast are rule sets made and scored? Prints what it measures beside its target; never fails on speed.
//!
//! `cargo bench --bench rules`.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use racgen::campaign::jobs::rule_data::{RuleWriting, write_rule_data};
use racgen::rules::files::folder::Extra;
use racgen::rules::generate::dataset::rule_data;
use racgen::rules::generate::settings::{Category, RuleSettings, Scale};
use racgen::rules::measure::score::{Reference, Universe};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Sizes, facts aimed at, and the seconds that generation and all files may take.
const SIZES: [(Scale, u64, Option<f64>); 5] = [
    (Scale::XS, 80, None),
    (Scale::S, 800, None),
    (Scale::M, 8_000, None),
    (Scale::L, 80_000, None),
    (Scale::XL, 500_000, Some(60.0)),
];
/// Support facts of the evaluation, and the seconds that one score may take.
const SCORES: [(usize, f64); 2] = [(3_000, 0.2), (100_000, 10.0)];
const MOST: u64 = 20_000_000;

fn main() -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    for (size, facts, target) in SIZES {
        let category = Category::Drdg;
        let settings =
            RuleSettings { category, depth: 3, size, facts: Some(facts), ..RuleSettings::default() };
        let start = Instant::now();
        let data = rule_data(&settings)?;
        let made = start.elapsed();
        let writing = RuleWriting::new(&Extra::ALL, 100, &folder.path().join(size.to_string()));
        write_rule_data(&data, &writing, &AtomicBool::new(false))?;
        let all = start.elapsed();
        println!(
            "make {size}: {} training facts, {} rules: {:.2} s, with all files {:.2} s{}",
            data.train_len(),
            data.graph.nodes.len(),
            made.as_secs_f64(),
            all.as_secs_f64(),
            aim(target)
        );
    }
    for (support, target) in SCORES {
        let settings = RuleSettings {
            category: Category::Rdg,
            depth: 3,
            size: Scale::L,
            facts: Some(20_000),
            // As sparse as the training facts of so many.
            constants: Some(support * 3 / 2),
            eval_support: Some(support),
            ..RuleSettings::default()
        };
        let data = rule_data(&settings)?;
        let rules = data.rules();
        let arities = data.vocabulary().arities();
        // One rule is missing, so that there is something to find.
        let learned = &rules[..rules.len() - 1];
        let start = Instant::now();
        let reference = Reference::new(&rules, &data.eval_support, arities, MOST)?;
        let score = reference.score(learned, arities, Universe::Strict, MOST)?;
        report_score(data.eval_support.len(), data.eval_derived.len(), start.elapsed(), target);
        assert!(score.overall.missed > 0 && score.overall.fp == 0);
    }
    Ok(())
}

fn report_score(support: usize, derived: usize, time: Duration, target: f64) {
    println!(
        "score: {support} support facts, {derived} consequences: {:.3} s{}",
        time.as_secs_f64(),
        aim(Some(target))
    );
}

fn aim(target: Option<f64>) -> String {
    target.map_or(String::new(), |target| format!(" (aim: below {target} s)"))
}
