//! Threads that ground to one at a time.
//!
//! clingo 5.6 keeps the symbols of all its controls in one table of the process, and hands out references into it
//! after it has let go of the table's lock: two threads that make symbols at the same time read each other's names,
//! or crash (potassco/clingo issue 641). Grounding with callbacks has called those of another thread's control
//! (issue 412). So whatever makes symbols or calls back (creating, adding to and grounding a control, and reading its
//! atoms) happens behind one lock of the whole process. Solving makes no symbols and happens outside it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::limits::{self, Meter};
use super::program::Program;

static GATE: Mutex<()> = Mutex::new(());

/// The right to ground, which one thread has at a time.
pub(super) struct Gate {
    _guard: MutexGuard<'static, ()>,
}

impl Drop for Gate {
    fn drop(&mut self) {
        limits::end();
    }
}

/// Waits until no other thread grounds, and begins with a program; no other thread grounds until the gate is dropped.
pub(super) fn enter(program: &Program) -> (Gate, Meter) {
    // The lock guards no data of ours that a panic could have left half changed.
    let guard = GATE.lock().unwrap_or_else(PoisonError::into_inner);
    (Gate { _guard: guard }, limits::begin(program))
}
