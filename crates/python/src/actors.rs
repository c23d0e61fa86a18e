//! Things that one thread must keep, as those that hold a solver, to threads of their own that are asked by others.

use std::sync::mpsc::{Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

use pyo3::exceptions::PyRuntimeError;
use pyo3::{PyResult, Python};

use crate::failure::CallFailure;
use crate::forks::busy;
use crate::waiting::{STACK, hear};

/// What is to be done with the thing.
type ActorJob<S> = Box<dyn FnOnce(&mut S) + Send>;

/// A thing on a thread of its own. It ends when it is dropped.
pub(crate) struct Actor<S> {
    jobs: Mutex<Sender<ActorJob<S>>>,
    process: u32,
}

impl<S: 'static> Actor<S> {
    /// Makes a thing on a thread of its own; Ctrl-C comes back at once.
    ///
    /// # Errors
    /// Those of `make`; KeyboardInterrupt.
    pub(crate) fn begin(
        py: Python<'_>,
        make: impl FnOnce() -> Result<S, CallFailure> + Send + 'static,
    ) -> PyResult<Actor<S>> {
        let (jobs, todo) = channel::<ActorJob<S>>();
        let (tell, made) = sync_channel(1);
        let work = move || {
            let thing = {
                let _busy = busy();
                make()
            };
            match thing {
                Ok(mut thing) => {
                    let _ = tell.send(Ok(()));
                    for job in todo {
                        let _busy = busy();
                        job(&mut thing);
                    }
                }
                Err(error) => drop(tell.send(Err(error))),
            }
        };
        Builder::new().name("racgen".into()).stack_size(STACK).spawn(work)?;
        hear(py, made, |_| Ok(())).map_err(|(error, _)| error)?.map_err(|error| error.raised(py))?;
        Ok(Actor { jobs: Mutex::new(jobs), process: std::process::id() })
    }

    /// Was it made by this process, rather than by the one that this was forked from?
    pub(crate) fn is_here(&self) -> bool {
        self.process == std::process::id()
    }

    /// Does something with the thing; Ctrl-C comes back at once, and what was begun goes on to its end.
    ///
    /// # Errors
    /// KeyboardInterrupt; RuntimeError in a process that was forked off.
    pub(crate) fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut S) -> T + Send + 'static,
    ) -> PyResult<T> {
        if !self.is_here() {
            return Err(PyRuntimeError::new_err(
                "this belongs to the process that this one was forked from; make it anew",
            ));
        }
        let (tell, answer) = sync_channel(1);
        let job: ActorJob<S> = Box::new(move |thing| drop(tell.send(job(thing))));
        let sent = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).send(job);
        sent.map_err(|_| PyRuntimeError::new_err("racgen broke off earlier; make this anew"))?;
        hear(py, answer, |_| Ok(())).map_err(|(error, _)| error)
    }
}
