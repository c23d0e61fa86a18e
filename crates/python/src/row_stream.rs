//! A range of rows to a stream of Arrow batches, by the PyCapsule interface.

use std::error::Error;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::ThreadId;

use pyo3::types::{PyAnyMethods, PyCapsule};
use pyo3::{Bound, Py, PyAny, PyResult, Python, pyclass, pymethods};
use racgen::items::split_rows::SplitRows;
use racgen_data::row::Row;
use racgen_data::write::rows::arrow_stream::{stream, stream_schema};

use crate::failure::CallFailure;
use crate::row_maker::RowMaker;
use crate::waiting::{begin, look};

/// The error of a stream.
type Broken = Box<dyn Error + Send + Sync>;

/// RowMaker that are made as they are read. Each reader begins anew.
#[pyclass(frozen, module = "racgen._native")]
pub struct RowStream {
    rows: Arc<RowMaker>,
    split: SplitRows,
    range: Range<u64>,
    batch_rows: u64,
    threads: usize,
}

impl RowStream {
    pub(crate) fn new(
        rows: Arc<RowMaker>,
        split: SplitRows,
        range: Range<u64>,
        batch_rows: u64,
        threads: usize,
    ) -> RowStream {
        RowStream { rows, split, range, batch_rows, threads }
    }
}

/// What is left of a stream.
struct UnreadRows {
    rows: Arc<RowMaker>,
    split: SplitRows,
    range: Range<u64>,
    batch_rows: u64,
    threads: usize,
    /// The thread that asked for the stream.
    asked_by: ThreadId,
}

impl UnreadRows {
    /// Whoever reads may hold Python's lock or not. Where the thread that asked for the stream reads, it looks for Ctrl-C; a
    /// thread of the reader's own must not wait for Python's lock.
    fn made(&self, range: Range<u64>) -> Result<Vec<Row>, Broken> {
        let (rows, split, threads) = (self.rows.clone(), self.split.clone(), self.threads);
        let (heard, stop) = begin(move |stop| rows.rows(&split, range, threads, stop))?;
        loop {
            if let Some(result) = look(&heard)? {
                return result.map_err(|error| match error {
                    CallFailure::Usage(text) | CallFailure::Other(text) => text.into(),
                    CallFailure::Interrupted => "interrupted".into(),
                });
            }
            if std::thread::current().id() == self.asked_by && Python::attach(interrupted) {
                stop.store(true, Ordering::Relaxed);
                return Err("interrupted".into());
            }
        }
    }
}

/// Was Ctrl-C pressed? It is pressed again then, for readers make other errors of the one they are told.
fn interrupted(py: Python<'_>) -> bool {
    if py.check_signals().is_ok() {
        return false;
    }
    let again = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
    drop(again);
    true
}

impl Iterator for UnreadRows {
    type Item = Result<Vec<Row>, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.range.start;
        if start >= self.range.end {
            return None;
        }
        let stop = self.range.end.min(start + self.batch_rows);
        let made = self.made(start..stop);
        // After an error it ends.
        self.range.start = if made.is_ok() { stop } else { self.range.end };
        Some(made)
    }
}

#[pymethods]
impl RowStream {
    /// The capsule of an ArrowArrayStream.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Nothing obliges a stream to follow the request.
        let _ = requested_schema;
        let rest = UnreadRows {
            rows: self.rows.clone(),
            split: self.split.clone(),
            range: self.range.clone(),
            batch_rows: self.batch_rows,
            threads: self.threads,
            asked_by: std::thread::current().id(),
        };
        PyCapsule::new_with_value(py, stream(&self.rows.extra(), Box::new(rest)), c"arrow_array_stream")
    }

    /// The capsule of an ArrowSchema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema =
            stream_schema(&self.rows.extra()).map_err(|error| CallFailure::other(error).raised(py))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}
