//! How far a run is, counted by its threads and told to Python now and then.

use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::{Py, PyAny, PyResult, Python};
use racgen::items::progress::Progress;

/// How far a run is.
#[derive(Default)]
pub(crate) struct RunCounter {
    items: AtomicU64,
    done: AtomicU64,
}

impl RunCounter {
    /// Calls `listener`, if there is one, with the numbers of items done and wanted.
    ///
    /// # Errors
    /// Those of the listener.
    pub(crate) fn tell(&self, py: Python<'_>, listener: Option<&Py<PyAny>>) -> PyResult<()> {
        let Some(listener) = listener else { return Ok(()) };
        let (done, items) = (self.done.load(Ordering::Relaxed), self.items.load(Ordering::Relaxed));
        listener.call1(py, (done, items)).map(drop)
    }
}

impl Progress for RunCounter {
    fn begin(&self, items: u64, done: u64) {
        self.items.store(items, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    fn advance(&self, items: u64) {
        self.done.fetch_add(items, Ordering::Relaxed);
    }
}
