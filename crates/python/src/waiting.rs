//! Work on a thread of its own to its result, while other Python threads run and Ctrl-C is looked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::{PyErr, PyResult, Python};

use crate::forks::busy;

/// How often it is looked whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(50);
/// The stack of the working thread, as large as that of a main thread.
pub(crate) const STACK: usize = 8 << 20;

/// Begins work; what comes of it is received.
///
/// # Errors
/// No thread can be started.
pub(crate) fn begin<T: Send + 'static>(
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> std::io::Result<(Receiver<T>, Arc<AtomicBool>)> {
    let stop = Arc::new(AtomicBool::new(false));
    let (tell, heard) = sync_channel(1);
    let flag = stop.clone();
    std::thread::Builder::new().name("racgen".into()).stack_size(STACK).spawn(move || {
        let _busy = busy();
        // Nobody hears what comes of work that was given up.
        let _ = tell.send(work(&flag));
    })?;
    Ok((heard, stop))
}

/// What a receiver says within the time of a look; none where it says nothing yet.
///
/// # Errors
/// The work ended without a result.
pub(crate) fn look<T>(heard: &Receiver<T>) -> Result<Option<T>, String> {
    match heard.recv_timeout(LOOK) {
        Ok(result) => Ok(Some(result)),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => {
            Err("racgen broke off; this is a fault of racgen, so please report it".to_owned())
        }
    }
}

/// What comes of work, while other Python threads run, Ctrl-C is looked for, and `meanwhile` is called now and then.
///
/// # Errors
/// KeyboardInterrupt, and those of `meanwhile`, with the receiver, which may still hear of the work; RuntimeError where it
/// broke off.
pub(crate) fn hear<T: Send>(
    py: Python<'_>,
    mut answer: Receiver<T>,
    mut meanwhile: impl FnMut(Python<'_>) -> PyResult<()>,
) -> Result<T, (PyErr, Receiver<T>)> {
    loop {
        let (back, result) = py.detach(move || {
            let result = look(&answer);
            (answer, result)
        });
        answer = back;
        match result {
            Ok(Some(result)) => return Ok(result),
            Ok(None) => {}
            Err(broken) => return Err((PyRuntimeError::new_err(broken), answer)),
        }
        if let Err(error) = py.check_signals().and_then(|()| meanwhile(py)) {
            return Err((error, answer));
        }
    }
}

/// Works, and meanwhile calls `meanwhile` now and then. On Ctrl-C, and on an error of `meanwhile`, the work is told to stop,
/// and for as long as `patience` its end is waited for.
///
/// # Errors
/// KeyboardInterrupt; those of `meanwhile`.
pub(crate) fn wait_for<T: Send + 'static>(
    py: Python<'_>,
    patience: Duration,
    meanwhile: impl FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    let (answer, stop) = begin(work)?;
    hear(py, answer, meanwhile).map_err(|(error, answer)| {
        stop.store(true, Ordering::Relaxed);
        py.detach(move || drop(answer.recv_timeout(patience)));
        error
    })
}

/// Works; Ctrl-C comes back at once.
///
/// # Errors
/// KeyboardInterrupt.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    wait_for(py, Duration::ZERO, |_| Ok(()), work)
}
