//! Answers, predictions and data sets to credits, scores and reports.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::{Py, PyAny, PyResult, Python, pyfunction};
use racgen::audit::attacks::thresholds::Thresholds;
use racgen::audit::files::write_report;
use racgen::audit::foreign::ColumnMap;
use racgen::audit::run::{AuditOptions, audit};
use racgen::domain::catalogue::Catalogue;
use racgen::explore::item::ItemExplorer;
use racgen::invent::invented::files_by_name;
use racgen::score::judge::AnswerJudge;
use racgen::score::plans_said::PLAN;
use racgen::score::run::{Predictions, ScoreOptions, score};
use racgen_data::read::entry::row_of;
use racgen_data::training::style;
use serde::Deserialize;

use crate::actors::Actor;
use crate::failure::CallFailure;
use crate::limits::limit_solver;
use crate::pools::pool;
use crate::run_counter::RunCounter;
use crate::waiting::{wait, wait_for};

/// A judge that stays, so that each domain is read once.
type SharedJudge = Arc<Actor<AnswerJudge<'static>>>;

/// The judge of the domains that are found with these folders. There are few such lists of folders in a process.
fn judge(py: Python<'_>, folders: Vec<PathBuf>) -> PyResult<SharedJudge> {
    static JUDGES: Mutex<BTreeMap<Vec<PathBuf>, SharedJudge>> = Mutex::new(BTreeMap::new());
    let known = JUDGES.lock().unwrap_or_else(PoisonError::into_inner).get(&folders).cloned();
    if let Some(known) = known.filter(|judge| judge.is_here()) {
        return Ok(known);
    }
    let named = folders.clone();
    let made = Arc::new(Actor::begin(py, move || {
        let catalogue: &'static Catalogue =
            Box::leak(Box::new(Catalogue::find(&named)?.with_made(files_by_name)));
        Ok(AnswerJudge::new(catalogue))
    })?);
    JUDGES.lock().unwrap_or_else(PoisonError::into_inner).insert(folders, made.clone());
    Ok(made)
}

/// The columns of an entry that judging needs, by its type of answer.
fn needed(answer_type: &str) -> &'static [&'static str] {
    match answer_type {
        PLAN => &[
            "answer_type",
            "question",
            "answer",
            "domain",
            "level",
            "objects",
            "facts",
            "plan",
            "query",
            "gold",
            "template",
        ],
        "facts" | "action" | "actions" => &["answer_type", "answer", "domain", "objects", "gold", "template"],
        "name" | "names" => &["answer_type", "question", "answer", "objects"],
        _ => &["answer_type", "question", "answer"],
    }
}

/// The credits of answers to entries, which are rows as JSON objects.
#[pyfunction]
pub fn score_answers(
    py: Python<'_>,
    answers: Vec<String>,
    entries: Vec<String>,
    partial: bool,
    domain_dir: Vec<PathBuf>,
) -> PyResult<Vec<f64>> {
    let judged = judge(py, domain_dir)?.ask(py, move |judge| {
        let one = |(answer, entry): (&String, &String)| {
            let object: serde_json::Map<_, _> = serde_json::from_str(entry).map_err(CallFailure::usage)?;
            let kind = object.get("answer_type").and_then(|kind| kind.as_str()).unwrap_or_default();
            let needed = needed(kind);
            let row = row_of(object, needed).map_err(CallFailure::Usage)?;
            Ok(judge.credit(answer, &row, partial))
        };
        answers.iter().zip(&entries).map(one).collect::<Result<Vec<f64>, CallFailure>>()
    })?;
    judged.map_err(|error| error.raised(py))
}

/// What a model is told to say to questions with this type of answer.
#[pyfunction]
pub fn instruction(answer_type: &str, step_by_step: bool) -> String {
    style::instruction(answer_type, step_by_step)
}

/// The scores of files of predictions, given with their names, as a JSON array.
#[pyfunction]
pub fn score_files(
    py: Python<'_>,
    predictions: Vec<(String, PathBuf)>,
    gold: PathBuf,
    id: String,
    prediction: String,
    baselines: bool,
    domain_dir: Vec<PathBuf>,
) -> PyResult<String> {
    let scored = wait(py, move |_| {
        let files: Vec<Predictions> =
            predictions.into_iter().map(|(name, path)| Predictions { name, path }).collect();
        let options = ScoreOptions { id, prediction, baselines };
        let catalogue = Catalogue::find(&domain_dir)?.with_made(files_by_name);
        let scores = pool(0)?.install(|| score(&files, &gold, &catalogue, &options))?;
        serde_json::to_string(&scores).map_err(CallFailure::other)
    })?;
    scored.map_err(|error: CallFailure| error.raised(py))
}

/// How a data set is audited; the names are those of the command's options.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Audit {
    data: PathBuf,
    sample: f64,
    against: Option<PathBuf>,
    format_map: Option<PathBuf>,
    threshold: Vec<String>,
    out: Option<PathBuf>,
    threads: usize,
    time_limit: f64,
    memory_limit: Option<u64>,
    domain_dir: Vec<PathBuf>,
}

/// The report of an audit as a JSON object; `options` is one, too. `progress` is called with the numbers of items done and
/// wanted now and then.
#[pyfunction]
pub fn audit_data(py: Python<'_>, options: String, progress: Option<Py<PyAny>>) -> PyResult<String> {
    let counter = Arc::new(RunCounter::default());
    let counted = counter.clone();
    let tell = |py: Python<'_>| counter.tell(py, progress.as_ref());
    let audited = wait_for(py, Duration::ZERO, tell, move |_| {
        let asked: Audit = serde_json::from_str(&options).map_err(CallFailure::usage)?;
        if !(asked.sample > 0.0 && asked.sample <= 1.0) {
            return Err(CallFailure::usage("--sample takes a share above 0 and up to 1"));
        }
        let limit = limit_solver(asked.time_limit, asked.memory_limit)?;
        let options = AuditOptions {
            sample: asked.sample,
            against: asked.against,
            map: asked.format_map.as_deref().map(ColumnMap::read).transpose()?,
            thresholds: Thresholds::with(&asked.threshold).map_err(CallFailure::Usage)?,
            time_limit: limit,
        };
        let catalogue = Catalogue::find(&asked.domain_dir)?.with_made(files_by_name);
        let report = pool(asked.threads)?.install(|| audit(&asked.data, &catalogue, &options, &*counted))?;
        if let Some(folder) = &asked.out {
            write_report(&report, &asked.data, &ItemExplorer::new(&catalogue, limit), folder)?;
        }
        serde_json::to_string(&report).map_err(CallFailure::other)
    })?;
    tell(py)?;
    audited.map_err(|error: CallFailure| error.raised(py))
}
