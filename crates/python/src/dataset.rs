//! A source of rows, for Python: ranges of a split as JSON lines or as Arrow batches, and folders.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pyo3::{Bound, Py, PyAny, PyResult, Python, pyclass, pymethods};
use racgen_data::row::Row;
use racgen_data::write::rows::jsonl::append_line;

use crate::failure::CallFailure;
use crate::limits::limit_solver;
use crate::row_maker::{RowMaker, WriteOptions};
use crate::row_stream::RowStream;
use crate::run_counter::RunCounter;
use crate::waiting::{wait, wait_for};

/// How long the end of a run that writes is waited for after Ctrl-C, so that it leaves nothing half-written behind.
const TO_TIDY: Duration = Duration::from_secs(20);

/// The rows that options describe. Nothing is made before it is asked for.
#[pyclass(frozen, module = "racgen._native")]
pub struct RowSource {
    rows: Arc<RowMaker>,
}

#[pymethods]
impl RowSource {
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
    ) -> PyResult<RowSource> {
        let time = limit_solver(time_limit, memory_limit).map_err(|error| error.raised(py))?;
        let made = wait(py, move |_| RowMaker::new(&options, &domain_dir, endless, time))?;
        Ok(RowSource { rows: Arc::new(made.map_err(|error| error.raised(py))?) })
    }

    /// The command that makes the same data set.
    fn command(&self) -> String {
        self.rows.command().to_owned()
    }

    /// The names of the splits.
    fn splits(&self) -> Vec<String> {
        self.rows.splits()
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
    fn lines(
        &self,
        py: Python<'_>,
        split: &str,
        start: u64,
        stop: u64,
        threads: usize,
    ) -> PyResult<Vec<String>> {
        let of = self.rows.split(split).map_err(|error| error.raised(py))?;
        let rows = self.rows.clone();
        let made = wait(py, move |flag| {
            let extra = rows.extra();
            let line = |row: &Row| {
                let mut line = Vec::new();
                append_line(&mut line, row, &extra).map_err(CallFailure::other)?;
                String::from_utf8(line).map_err(CallFailure::other)
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
            serde_json::from_str(options).map_err(|error| CallFailure::usage(error).raised(py))?;
        let counter = Arc::new(RunCounter::default());
        let (rows, counted) = (self.rows.clone(), counter.clone());
        let tell = |py: Python<'_>| counter.tell(py, progress.as_ref());
        let written = wait_for(py, TO_TIDY, tell, move |stop| rows.write(&options, &*counted, stop))?;
        tell(py)?;
        written.map_err(|error| error.raised(py))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        format!("<{}>", slf.get().rows.command())
    }
}
