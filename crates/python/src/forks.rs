//! Forks of the process to moments at which no native work is under way, so that a child inherits no held lock.

use std::cell::RefCell;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

use pyo3::{Python, pyfunction};

/// Read by work, written by forks.
static WORK: RwLock<()> = RwLock::new(());

/// How long a fork waits for work to end. What Ctrl-C broke off ends after its group of rows; a solver that cannot be stopped
/// may not, and then the child is better off than a parent that hangs.
const PATIENCE: Duration = Duration::from_secs(20);

thread_local! {
    static HELD: RefCell<Option<RwLockWriteGuard<'static, ()>>> = const { RefCell::new(None) };
}

/// Held by whoever works.
pub(crate) fn busy() -> RwLockReadGuard<'static, ()> {
    WORK.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until no work is under way and lets none begin.
#[pyfunction]
pub fn before_fork(py: Python<'_>) {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Ok(guard) = WORK.try_write() {
            HELD.with(|held| *held.borrow_mut() = Some(guard));
            return;
        }
        py.detach(|| std::thread::sleep(Duration::from_millis(1)));
    }
}

/// Lets work begin again, in parent and child.
#[pyfunction]
pub fn after_fork() {
    HELD.with(|held| *held.borrow_mut() = None);
}
