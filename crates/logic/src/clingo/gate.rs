//! Threads that ground to one at a time.
//!
//! clingo 5.6 keeps the symbols of all its controls in one table of the process, and hands out references into it
//! after it has let go of the table's lock: two threads that make symbols at the same time read each other's names,
//! or crash (potassco/clingo issue 641). Grounding with callbacks has called those of another thread's control
//! (issue 412). So whatever makes symbols or calls back (creating, adding to and grounding a control, and reading its
//! atoms) happens behind one lock of the whole process. Solving makes no symbols and happens outside it.

use std::sync::{Mutex, MutexGuard, PoisonError};

static GATE: Mutex<()> = Mutex::new(());

/// Waits until no other thread grounds; none does until the guard is dropped.
pub(super) fn enter() -> MutexGuard<'static, ()> {
    // The lock guards no data of ours that a panic could have left half changed.
    GATE.lock().unwrap_or_else(PoisonError::into_inner)
}
