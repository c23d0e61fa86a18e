//! Parameters of rules to rule sets, items about them and scores of learned rules, as JSON.

use std::path::PathBuf;

use pyo3::{PyResult, Python, pyfunction};
use racgen::campaign::run::Config;
use racgen::rules::datalog::syntax::Fact;
use racgen::rules::generate::command::command_of;
use racgen::rules::generate::dataset::{RuleData, rule_data};
use racgen::rules::generate::parameters::RuleParameters;
use racgen::rules::generate::settings::RuleSettings;
use racgen::rules::measure::learned_files::{RuleFiles, RuleScoring, ScoredRules, score_rules};
use racgen::rules::questions::source::{RuleQuestions, check_items};
use serde_json::{Value, json};

use crate::failure::CallFailure;
use crate::game_data::lines;
use crate::waiting::wait;

fn settings(options: &str) -> Result<RuleSettings, CallFailure> {
    let parameters: RuleParameters = serde_json::from_str(options).map_err(CallFailure::usage)?;
    Ok(parameters.settings())
}

/// A rule set with its facts, as a JSON object; `options` are those of the command line as a JSON object.
#[pyfunction]
pub fn rule_set(py: Python<'_>, options: String) -> PyResult<String> {
    let made = wait(py, move |_| Ok(told(&rule_data(&settings(&options)?)?).to_string()))?;
    made.map_err(|error: CallFailure| error.raised(py))
}

fn told(data: &RuleData) -> Value {
    let names = data.vocabulary();
    let fact = |fact: &Fact| names.fact(fact);
    let train = data.train.iter().map(|traced| {
        let (provenance, stays) = (traced.provenance.name(), traced.provenance.stays());
        json!({"fact": fact(&traced.fact), "provenance": provenance, "depth": traced.depth, "in_train": stays})
    });
    let derived =
        data.eval_derived.iter().map(|(derived, depth)| json!({"fact": fact(derived), "depth": depth}));
    json!({
        "rules": data.rules().iter().map(|rule| names.rule(rule)).collect::<Vec<_>>(),
        "targets": data.graph.targets.iter().map(|target| names.predicate_name(*target)).collect::<Vec<_>>(),
        "train": train.collect::<Vec<_>>(),
        "eval_support": data.eval_support.iter().map(fact).collect::<Vec<_>>(),
        "eval_derived": derived.collect::<Vec<_>>(),
        "degrees": data.degrees,
        "settings": data.settings,
        "command": command_of(&data.settings),
    })
}

/// Items about rules as lines of JSON; `options` as in [`rule_set`].
#[pyfunction]
pub fn rule_items(py: Python<'_>, options: String, items: u64, threads: usize) -> PyResult<Vec<String>> {
    let made = wait(py, move |stop| {
        check_items(items)?;
        let source = RuleQuestions::new(&rule_data(&settings(&options)?)?, items)?;
        lines(&[Config { name: "rules".into(), source: &source }], threads, stop)
    })?;
    made.map_err(|error: CallFailure| error.raised(py))
}

/// The scores of files of learned rules, given with their names, as a JSON array; `scoring` is a JSON object.
#[pyfunction]
pub fn score_rule_files(
    py: Python<'_>,
    original: PathBuf,
    support: PathBuf,
    learned: Vec<(String, PathBuf)>,
    relations: Option<PathBuf>,
    scoring: String,
) -> PyResult<String> {
    let scored = wait(py, move |_| {
        let scoring: RuleScoring = serde_json::from_str(&scoring).map_err(CallFailure::usage)?;
        let scores = score_rules(&RuleFiles { original, support, learned, relations }, &scoring)?;
        let told = |scored: &ScoredRules| {
            let mut told = json!({"name": scored.name});
            if let (Value::Object(told), Ok(Value::Object(score))) =
                (&mut told, serde_json::to_value(&scored.score))
            {
                told.extend(score);
            }
            told["predicates"] = json!(scored.by_predicate().collect::<std::collections::BTreeMap<_, _>>());
            told
        };
        Ok(Value::Array(scores.iter().map(told).collect()).to_string())
    })?;
    scored.map_err(|error: CallFailure| error.raised(py))
}
