//! Options to a source of rows: any range of any split, as JSON lines, as Arrow batches, or as the folder that the command
//! writes.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use pyo3::{Bound, Py, PyAny, PyResult, Python, pyclass, pymethods};
use racgen::campaign::error::CampaignError;
use racgen::campaign::jobs::domains::{Job, configs, factories, jobs, seed};
use racgen::campaign::jobs::row_options::{MOST_ITEMS, RowOptions};
use racgen::campaign::output_words;
use racgen::campaign::ranges::rows_in;
use racgen::campaign::repeat::Repeat;
use racgen::campaign::run::{LICENCE, Origin, Output, run};
use racgen::domain::catalogue::Catalogue;
use racgen::factory::source::Factory;
use racgen::items::progress::Progress;
use racgen::items::source::ItemSource;
use racgen::items::split_rows::{RowOrder, SplitRows};
use racgen_data::columns::ExtraColumn;
use racgen_data::format::Format;
use racgen_data::row::Row;
use racgen_data::training::exported;
use racgen_data::training::lm_eval::lm_eval;
use racgen_data::training::style::Style;
use racgen_data::write::rows::jsonl::append_line;
use racgen_logic::clingo::{GroundingLimits, limit_groundings};
use serde::Deserialize;

use crate::failure::Failure;
use crate::pools::pool;
use crate::row_stream::RowStream;
use crate::waiting::{wait, wait_for};

/// How long the end of a run that writes is waited for after Ctrl-C, so that it leaves nothing half-written behind.
const TO_TIDY: Duration = Duration::from_secs(20);

/// What makes rows, ready for any thread.
pub(crate) struct Rows {
    jobs: Vec<Job>,
    factories: Vec<Factory>,
    command: String,
    order: RowOrder,
}

impl Rows {
    fn new(
        options: &str,
        folders: &[PathBuf],
        endless: bool,
        limit: Duration,
    ) -> Result<Rows, Failure> {
        let mut options: RowOptions = serde_json::from_str(options).map_err(Failure::usage)?;
        let command = options.repeated(Repeat::new("racgen")).text();
        if endless {
            options.items = Some(MOST_ITEMS);
        }
        let catalogue = Catalogue::find(folders)?;
        let known: Vec<String> = catalogue.iter().map(|found| found.name.clone()).collect();
        let jobs = jobs(&options, None, &known)?;
        let factories = factories(&catalogue, &jobs, limit)?;
        let order = if endless { RowOrder::Turns } else { RowOrder::Files };
        Ok(Rows { jobs, factories, command, order })
    }

    /// The split of a name.
    pub(crate) fn split(&self, name: &str) -> Result<SplitRows, Failure> {
        let splits = self.factories.first().map_or(&[][..], Factory::splits);
        let Some(number) = splits.iter().position(|split| split.name == name) else {
            let known: Vec<&str> = splits.iter().map(|split| split.name.as_str()).collect();
            return Err(Failure::usage(format!("there is no split `{name}`; there are {}", known.join(", "))));
        };
        let sources: Vec<&dyn ItemSource> = self.factories.iter().map(|factory| factory as _).collect();
        Ok(SplitRows::new(&sources, number, self.order))
    }

    /// The columns besides those of all rows.
    pub(crate) fn extra(&self) -> Vec<ExtraColumn> {
        self.factories.first().map_or(Vec::new(), |factory| factory.extra_columns().to_vec())
    }

    /// Rows of a range of a split, made by so many threads.
    pub(crate) fn rows(
        &self,
        split: &SplitRows,
        range: Range<u64>,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<Row>, Failure> {
        Ok(rows_in(&configs(&self.jobs, &self.factories), split, range, &*pool(threads)?, stop)?)
    }

    fn write(&self, options: &WriteOptions, progress: &dyn Progress, stop: &AtomicBool) -> Result<(), Failure> {
        let output = options.output()?;
        if let Some(folder) = &options.lm_eval {
            exported::check(folder, options.force)?;
        }
        let origin = Origin { command: self.command.clone(), seed: seed(&self.jobs) };
        let summary = run(&configs(&self.jobs, &self.factories), &output, &origin, progress, stop)?;
        if let Some(folder) = options.lm_eval.as_ref().filter(|_| summary.finished.complete) {
            lm_eval(&output.out, folder, "racgen", options.force)?;
        }
        Ok(())
    }
}

/// How a folder is written; the names are those of the command's options.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteOptions {
    out: PathBuf,
    format: Vec<Format>,
    style: Vec<Style>,
    license: Option<String>,
    rows_per_file: u64,
    shard: Option<String>,
    force: bool,
    resume: bool,
    threads: usize,
    lm_eval: Option<PathBuf>,
}

impl WriteOptions {
    fn output(&self) -> Result<Output, Failure> {
        let usage = CampaignError::Settings;
        let licence = self.license.as_deref().unwrap_or(LICENCE);
        let licence = output_words::licence(licence).map_err(|cause| usage(format!("--license: {cause}")))?;
        let shard = self.shard.as_deref().map(output_words::shard).transpose().map_err(usage)?;
        if self.format.is_empty() {
            return Err(Failure::usage("--format takes at least one of parquet, jsonl and csv"));
        }
        if self.rows_per_file == 0 {
            return Err(Failure::usage("--rows-per-file takes a number above 0"));
        }
        let mut formats = self.format.clone();
        formats.sort();
        formats.dedup();
        Ok(Output {
            out: self.out.clone(),
            formats,
            rows_per_file: self.rows_per_file,
            shard,
            force: self.force,
            resume: self.resume,
            threads: output_words::threads(self.threads).map_err(usage)?,
            styles: self.style.clone(),
            licence,
        })
    }
}

/// How far a run is.
#[derive(Default)]
struct Counter {
    items: AtomicU64,
    done: AtomicU64,
}

impl Progress for Counter {
    fn begin(&self, items: u64, done: u64) {
        self.items.store(items, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    fn advance(&self, items: u64) {
        self.done.fetch_add(items, Ordering::Relaxed);
    }
}

/// The rows that options describe. Nothing is made before it is asked for.
#[pyclass(frozen, module = "racgen._native")]
pub struct Source {
    rows: Arc<Rows>,
}

#[pymethods]
impl Source {
    /// `options` are those of the command line as a JSON object; `memory_limit` is in MiB.
    #[new]
    #[pyo3(signature = (options, domain_dir, endless, time_limit, memory_limit))]
    fn new(
        py: Python<'_>,
        options: String,
        domain_dir: Vec<PathBuf>,
        endless: bool,
        time_limit: f64,
        memory_limit: Option<u64>,
    ) -> PyResult<Source> {
        let time = output_words::time_limit(time_limit).map_err(|error| Failure::Usage(error).raised(py))?;
        let memory = memory_limit.map_or(u64::MAX, |limit| limit.saturating_mul(1 << 20));
        limit_groundings(GroundingLimits { time, memory });
        let made = wait(py, move |_| Rows::new(&options, &domain_dir, endless, time))?;
        Ok(Source { rows: Arc::new(made.map_err(|error| error.raised(py))?) })
    }

    /// The command that makes the same data set.
    fn command(&self) -> String {
        self.rows.command.clone()
    }

    /// The names of the splits.
    fn splits(&self) -> Vec<String> {
        let splits = self.rows.factories.first().map_or(&[][..], Factory::splits);
        splits.iter().map(|split| split.name.clone()).collect()
    }

    /// The number of rows of a split.
    fn count(&self, py: Python<'_>, split: &str) -> PyResult<u64> {
        self.rows.split(split).map(|split| split.rows()).map_err(|error| error.raised(py))
    }

    /// The greatest place up to this one at which a group of rows begins.
    fn group_start(&self, py: Python<'_>, split: &str, place: u64) -> PyResult<u64> {
        self.rows.split(split).map(|split| split.group_start(place)).map_err(|error| error.raised(py))
    }

    /// The rows from `start` up to `stop` as lines of JSON, each as the command writes it.
    fn lines(&self, py: Python<'_>, split: &str, start: u64, stop: u64, threads: usize) -> PyResult<Vec<String>> {
        let of = self.rows.split(split).map_err(|error| error.raised(py))?;
        let rows = self.rows.clone();
        let made = wait(py, move |flag| {
            let extra = rows.extra();
            let line = |row: &Row| {
                let mut line = Vec::new();
                append_line(&mut line, row, &extra).map_err(Failure::other)?;
                String::from_utf8(line).map_err(Failure::other)
            };
            rows.rows(&of, start..stop, threads, flag)?.iter().map(line).collect::<Result<Vec<_>, _>>()
        })?;
        made.map_err(|error| error.raised(py))
    }

    /// The rows from `start` up to `stop` as a stream of Arrow batches of so many rows.
    fn stream(
        &self,
        py: Python<'_>,
        split: &str,
        start: u64,
        stop: u64,
        batch_rows: u64,
        threads: usize,
    ) -> PyResult<RowStream> {
        let of = self.rows.split(split).map_err(|error| error.raised(py))?;
        let range = start.min(of.rows())..stop.min(of.rows());
        Ok(RowStream::new(self.rows.clone(), of, range, batch_rows.max(1), threads))
    }

    /// Writes the folder that the command writes; `options` are those of the command line as a JSON object. `progress` is
    /// called with the numbers of items done and wanted now and then.
    fn write(&self, py: Python<'_>, options: &str, progress: Option<Py<PyAny>>) -> PyResult<()> {
        let options: WriteOptions =
            serde_json::from_str(options).map_err(|error| Failure::usage(error).raised(py))?;
        let counter = Arc::new(Counter::default());
        let (rows, counted) = (self.rows.clone(), counter.clone());
        let tell = |py: Python<'_>| match &progress {
            Some(progress) => {
                let (done, items) =
                    (counter.done.load(Ordering::Relaxed), counter.items.load(Ordering::Relaxed));
                progress.call1(py, (done, items)).map(drop)
            }
            None => Ok(()),
        };
        let written = wait_for(py, TO_TIDY, tell, move |stop| rows.write(&options, &*counted, stop))?;
        tell(py)?;
        written.map_err(|error| error.raised(py))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        format!("<{}>", slf.get().rows.command)
    }
}
