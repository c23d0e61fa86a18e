//! Games to what is known of them, and to items, as JSON.

use std::time::Duration;

use pyo3::{PyResult, Python, pyfunction};
use racgen::campaign::error_class::{Classed, ErrorClass};
use racgen::campaign::jobs::game_items::GameQuestionOptions;
use racgen::campaign::run::Config;
use racgen::campaign::stream::stream_lines;
use racgen::games::builtin::own_texts;
use racgen::games::gdl::validate::check;
use racgen::games::jobs::job::{GameJob, Work};
use racgen::games::play::dimensions::Dimensions;
use racgen::games::play::ground_game::{GroundGame, Limits};
use racgen::games::tasks::write_tasks::types_of;
use racgen::items::progress::Silent;
use serde_json::json;

use crate::failure::CallFailure;
use crate::matches::read;
use crate::pools::pool;
use crate::waiting::wait;

/// The files of the games that come with racgen, and their texts.
#[pyfunction]
pub fn own_game_texts() -> Vec<(String, &'static str)> {
    own_texts()
}

/// What is wrong with a game, and what it consists of, as a JSON object.
#[pyfunction]
pub fn check_game(py: Python<'_>, game: String, text: Option<String>, time_limit: f64) -> PyResult<String> {
    let told = wait(py, move |_| {
        let time = Duration::try_from_secs_f64(time_limit).map_err(CallFailure::usage)?;
        let (game, _) = read(&(game, text), true)?;
        let verdict = check(&game);
        let said = |faults: &[racgen_logic::fault::Fault]| {
            faults.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let mut told = json!({
            "name": verdict.name, "errors": said(&verdict.errors), "warnings": said(&verdict.warnings),
            "rules": verdict.rules, "literals": verdict.literals, "facts": verdict.facts,
        });
        if verdict.errors.is_empty() {
            let arena = GroundGame::new(game, &Limits { time, ..Limits::default() })?;
            let dimensions = Dimensions::new(&arena);
            let (sizes, obstacle) = match dimensions.sizes {
                Ok(sizes) => (Some(sizes), None),
                Err(why) => (None, Some(why)),
            };
            let size = |place: usize| sizes.map(|sizes| sizes[place]);
            told["roles"] = json!(dimensions.roles);
            told["dimensions"] = json!(dimensions.dimensions);
            told["fluents"] = json!(size(0));
            told["moves"] = json!(size(1));
            told["goals"] = json!(size(2));
            told["statics"] = json!(size(3));
            told["obstacle"] = json!(obstacle);
        }
        Ok(told.to_string())
    })?;
    told.map_err(|error: CallFailure| error.raised(py))
}

/// The types inferred from a game's rules, as `racgen games types` prints them.
#[pyfunction]
pub fn game_types(py: Python<'_>, game: String, text: Option<String>, time_limit: f64) -> PyResult<String> {
    let told = wait(py, move |_| {
        let time = Duration::try_from_secs_f64(time_limit).map_err(CallFailure::usage)?;
        let (game, _) = read(&(game, text), true)?;
        let arena = GroundGame::new(game, &Limits { time, ..Limits::default() })?;
        Ok(types_of(&arena, None)?.to_string())
    })?;
    told.map_err(|error: CallFailure| error.raised(py))
}

/// Items of games as lines of JSON; `options` are those of the command line as a JSON object, `memory_limit` is in MiB.
#[pyfunction]
pub fn game_items(
    py: Python<'_>,
    options: String,
    threads: usize,
    time_limit: f64,
    memory_limit: u64,
) -> PyResult<Vec<String>> {
    let made = wait(py, move |stop| {
        let asked: GameQuestionOptions = serde_json::from_str(&options).map_err(CallFailure::usage)?;
        let time = Duration::try_from_secs_f64(time_limit).map_err(CallFailure::usage)?;
        let memory = memory_limit.saturating_mul(1 << 20);
        let job = |file: String, text: Option<String>, work: Work| GameJob {
            file,
            text,
            stepwise: None,
            time,
            memory,
            threads,
            work,
        };
        let beside = std::env::temp_dir().join("items");
        let made = asked.played(&beside, &job, &|job, take| job.perform_here(stop, take), &mut |_| {})?;
        if !made.failed.is_empty() {
            let said: Vec<String> = made.failed.iter().map(ToString::to_string).collect();
            return Err(if made.failed.iter().all(|error| error.class() == ErrorClass::Usage) {
                CallFailure::usage(said.join("\n"))
            } else {
                CallFailure::other(said.join("\n"))
            });
        }
        lines(&[Config { name: "default".into(), source: &made.source }], threads, stop)
    })?;
    made.map_err(|error| error.raised(py))
}

/// All rows of sources as lines of JSON.
pub(crate) fn lines(
    configs: &[Config],
    threads: usize,
    stop: &std::sync::atomic::AtomicBool,
) -> Result<Vec<String>, CallFailure> {
    let mut bytes = Vec::new();
    stream_lines(configs, &*pool(threads)?, &mut bytes, &Silent, stop)?;
    let text = String::from_utf8(bytes).map_err(CallFailure::other)?;
    Ok(text.lines().map(str::to_owned).collect())
}
